package claimkey

import (
	"strings"

	"interai/evidence/retrieval/words"
)

// antonyms are pairs of stems, in both directions. The list was written for this project; it feeds a hint and no key.
var antonyms = pairs(`
	above/below accept/reject accept/refuse acquire/release activate/inhibit activate/deactivate activation/inhibition add/remove
	advantage/disadvantage after/before aggravate/relieve agonist/antagonist all/some all/none all/no allow/deny allow/forbid
	allow/prevent allow/block always/never always/sometimes amplify/attenuate ascending/descending asynchronous/synchronous
	attach/detach automatic/manual available/unavailable background/foreground backward/forward begin/end benefit/harm
	beneficial/harmful best/worst better/worse big/small block/permit both/neither cause/prevent cheap/expensive
	cheaper/costlier clean/dirty client/server close/open cold/hot common/rare complete/partial complex/simple compress/decompress
	connect/disconnect constant/variable correct/incorrect correct/wrong create/delete create/destroy dangerous/safe dead/alive
	decline/rise decode/encode decrease/increase decrease/raise decrypt/encrypt deep/shallow deny/grant deterministic/random
	different/same different/similar difficult/easy direct/indirect disable/enable download/upload downregulate/upregulate
	down/up dynamic/static early/late earlier/later eager/lazy easier/harder easy/hard elevated/reduced empty/full encourage/discourage
	enhance/impair enhance/reduce exclude/include expand/shrink explicit/implicit export/import external/internal
	fail/succeed failure/success false/true fast/slow faster/slower favorable/unfavorable few/many fewer/more finite/infinite first/last fixed/variable
	fragile/robust gain/lose gain/loss global/local good/bad grow/shrink greater/less greater/lower greater/smaller heavy/light
	high/low higher/lower highest/lowest horizontal/vertical hydrophilic/hydrophobic idle/busy impair/improve important/trivial improve/worsen
	improvement/deterioration inactive/active increase/reduce increase/lower increased/reduced induce/inhibit induce/suppress inferior/superior
	inhibit/promote inhibit/stimulate inner/outer input/output insert/delete install/uninstall intact/damaged inward/outward join/leave
	large/small larger/smaller largest/smallest least/most left/right less/more lengthen/shorten lock/unlock long/short longer/shorter
	loose/tight lower/raise major/minor majority/minority malignant/benign mandatory/optional maximal/minimal maximum/minimum
	maximize/minimize maintain/lose may/must mature/immature mutable/immutable narrow/wide natural/artificial near/far negative/positive
	never/sometimes new/old newer/older normal/abnormal odd/even off/on offline/online online/batch optimistic/pessimistic optional/required
	over/under parent/child pass/fail passive/active permanent/temporary persistent/volatile persistent/transient poor/rich poorer/better
	positively/negatively predecessor/successor present/absent presence/absence prevent/promote prevent/cause private/public produce/consume producer/consumer
	profit/loss prohibit/allow promote/suppress protect/damage protective/harmful pull/push push/pop quick/slow rare/frequent read/write
	reader/writer receive/send receiver/sender recessive/dominant reject/approve reliable/unreliable remember/forget remote/local resistant/susceptible
	resistant/sensitive resistance/sensitivity rise/fall risk/protection same/different secure/insecure serial/parallel sequential/parallel sequential/random shared/exclusive
	sharp/dull sick/healthy single/multiple sink/source sparse/dense specific/general stable/unstable start/stop start/end stateful/stateless strengthen/weaken
	strict/lenient strong/weak stronger/weaker suppress/enhance suppress/stimulate support/oppose subset/superset sync/async temporary/durable thick/thin
	top/bottom transparent/opaque trust/distrust unique/duplicate upstream/downstream useful/useless valid/invalid victory/defeat visible/hidden warm/cool
	win/lose with/without worsen/benefit young/old younger/older zoom/shrink`)

func pairs(list string) map[[2]string]bool {
	out := map[[2]string]bool{}
	for pair := range strings.FieldsSeq(list) {
		left, right, _ := strings.Cut(pair, "/")
		l, r := stemOf(left), stemOf(right)
		if l != r {
			out[[2]string{l, r}], out[[2]string{r, l}] = true, true
		}
	}
	return out
}

// stemOf is what keys have of an English word.
func stemOf(word string) string {
	if englishClasses[word] != classWord {
		return word
	}
	return words.Stem(words.English, word)
}
