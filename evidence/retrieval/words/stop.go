package words

import "strings"

// IsStop reports whether a word in lower case is a function word of a language: it says how other words hang
// together and nothing by itself.
func IsStop(language, word string) bool { return stops[language][word] }

// stops are the function words by primary subtag: articles, pronouns, prepositions, conjunctions, auxiliaries. They
// were collected for this project from the grammars of the languages; what can carry a topic is left out.
//
//nolint:misspell // most of them are no English
var stops = map[string]map[string]bool{
	English: set(`
		a an the this that these those
		i me my mine myself we us our ours ourselves you your yours yourself yourselves he him his himself she her hers
		herself it its itself they them their theirs themselves one's
		who whom whose which what when where why how
		am is are was were be been being have has had having do does did doing done
		will would shall should can could may might must ought cannot
		and or but nor if then than so because as until while though although whether either neither
		of at by for with about against between into through during before after above below to from up down in out on
		off over under within without upon onto toward towards via per among across
		again further once here there also just only very too such both each few more most other some any all own same
		no not
		aren't can't couldn't didn't doesn't don't hadn't hasn't haven't isn't mustn't shouldn't wasn't weren't won't
		wouldn't i'm you're we're they're i've you've we've they've i'd you'd he'd she'd we'd they'd i'll you'll he'll
		she'll we'll they'll let's
		s t re ve ll d m don didn doesn isn aren wasn weren hasn haven hadn couldn wouldn shouldn`),
	"de": set(`
		der die das den dem des ein eine einen einem einer eines kein keine keinen keinem keiner keines
		ich mich mir mein meine meinen meinem meiner meines du dich dir dein deine deinen deinem deiner deines
		er ihn ihm sein seine seinen seinem seiner seines sie ihr ihre ihren ihrem ihrer ihres es wir uns unser unsere
		unseren unserem unserer unseres euch euer eure euren eurem eurer eures sich man selbst
		dieser diese dieses diesen diesem jener jene jenes jenen jenem welcher welche welches welchen welchem
		wer wen wem wessen was wann wo woher wohin warum wieso weshalb wie wieviel
		bin bist ist sind seid war warst waren wart sei seien gewesen habe hast hat haben habt hatte hattest hatten
		hattet gehabt werde wirst wird werden werdet wurde wurdest wurden wurdet worden würde würden
		kann kannst können könnt konnte konnten muss musst müssen musste mussten soll sollen sollte sollten will wollen
		wollte wollten darf dürfen durfte durften mag mögen möchte möchten
		und oder aber denn doch sondern wenn weil dass daß ob als bis während obwohl damit sobald indem bevor nachdem
		sowie sowohl weder noch entweder
		in im an am auf aus bei beim mit nach von vom zu zum zur vor für durch gegen ohne um unter über zwischen
		hinter neben seit wegen trotz per ins ans aufs
		da dort hier dann nun so auch nur schon sehr zwar also etwa nicht nichts hin her ab alle allem allen aller alles
		andere anderen anderer anderes einige einigen einiger einiges jede jedem jeden jeder jedes manche solche solcher
		viel viele dabei dafür dagegen daher dann daran darauf daraus darin darum davon dazu`),
	"fr": set(`
		le la les l un une des du de d au aux ce cet cette ces cela ceci ça c
		je j me m moi mon ma mes tu te t toi ton ta tes il elle on se s soi son sa ses nous notre nos vous votre vos
		ils elles leur leurs lui eux y en
		qui que qu quoi dont où quel quelle quels quelles lequel laquelle lesquels lesquelles quand comment pourquoi
		combien
		suis es est sommes êtes sont étais était étions étiez étaient été être étant sera seront serait seraient soit
		soient fut furent ai as a avons avez ont avais avait avaient eu avoir ayant aura auront aurait auraient ait aient
		peut peuvent pouvait doit doivent devait fait faire
		et ou mais donc or ni car si comme lorsque puisque quoique parce afin ainsi
		à dans par pour sur sous avec sans entre vers chez depuis pendant avant après contre dès jusque jusqu selon
		ne n pas plus moins très trop aussi bien même tout tous toute toutes autre autres chaque quelque quelques
		plusieurs tel telle tels telles ici là alors puis encore`),
	"es": set(`
		el la los las lo un una unos unas al del
		yo me mí mi mis tú te ti tu tus él ella ello se sí su sus nosotros nosotras nos nuestro nuestra nuestros
		nuestras vosotros vosotras os vuestro vuestra vuestros vuestras ellos ellas les le usted ustedes
		este esta esto estos estas ese esa eso esos esas aquel aquella aquello aquellos aquellas
		que qué quien quién quienes quiénes cual cuál cuales cuáles cuyo cuya cuyos cuyas cuando cuándo donde dónde
		como cómo cuanto cuánto cuanta cuántos cuántas
		soy eres es somos sois son era eras éramos eran fui fue fuimos fueron sido ser siendo será serán sería serían
		sea sean estoy está estás estamos están estaba estaban estuvo estar estado he has ha hemos han había habían
		hubo haber hay tiene tienen tenía tener puede pueden podía debe deben
		y e o u pero sino si ni porque pues aunque mientras
		a ante bajo con contra de desde durante en entre hacia hasta mediante para por según sin sobre tras
		no más menos muy mucho mucha muchos muchas poco poca pocos pocas todo toda todos todas otro otra otros otras
		cada algún alguna algunos algunas ningún ninguna tan también tampoco ya aún aquí allí ahí entonces`),
	"it": set(`
		il lo la i gli le l un uno una del dello della dei degli delle dell al allo alla ai agli alle all dal dallo
		dalla dai dagli dalle dall nel nello nella nei negli nelle nell sul sullo sulla sui sugli sulle sull col coi
		io mi me mio mia miei mie tu ti te tuo tua tuoi tue egli lui lei ella esso essa si sé suo sua suoi sue noi ci
		nostro nostra nostri nostre voi vi vostro vostra vostri vostre loro essi esse ne
		questo questa questi queste quello quella quelli quelle quel quei ciò
		che chi cui quale quali quando dove come perché quanto quanta quanti quante
		sono sei è siamo siete era ero eri eravamo erano fu furono stato stata stati state essere essendo sarà saranno
		sarebbe sia siano ho hai ha abbiamo avete hanno aveva avevano avuto avere avendo può possono deve devono
		e ed o od ma se né anche poiché mentre dunque quindi
		a ad di da in con su per tra fra senza sotto sopra verso dopo prima contro durante
		non più meno molto molta molti molte poco tutto tutta tutti tutte altro altra altri altre ogni qualche alcuni
		alcune così già ancora qui là poi`),
	"pt": set(`
		o a os as um uma uns umas do da dos das no na nos nas ao à aos às pelo pela pelos pelas num numa dum duma
		eu me mim meu minha meus minhas tu te ti teu tua teus tuas ele ela se si seu sua seus suas nós nosso nossa
		nossos nossas vós vos eles elas lhe lhes você vocês
		este esta isto estes estas esse essa isso esses essas aquele aquela aquilo aqueles aquelas
		que quem qual quais cujo cuja cujos cujas quando onde como porque porquê quanto quanta quantos quantas
		sou és é somos são era eram fui foi fomos foram sido ser sendo será serão seria seriam seja sejam estou está
		estamos estão estava estavam esteve estar estado tenho tem temos têm tinha tinham teve ter tido há havia haver
		pode podem podia deve devem
		e ou mas se nem pois embora enquanto
		de em para por com sem sob sobre entre até desde contra após perante durante
		não mais menos muito muita muitos muitas pouco todo toda todos todas outro outra outros outras cada algum alguma
		alguns algumas nenhum nenhuma tão também já ainda aqui ali lá então`),
	"nl": set(`
		de het een der des den
		ik me mij mijn jij je jou jouw u uw hij hem zijn zij ze haar het wij we ons onze jullie hun hen zich zelf men
		deze dit die dat wie wat welke welk wanneer waar waarom hoe hoeveel
		ben bent is was waren geweest wees heb hebt heeft hebben had hadden gehad word wordt worden werd werden geworden
		zal zullen zou zouden kan kun kunt kunnen kon konden moet moeten moest moesten mag mogen mocht wil willen wilde
		doet doen
		en of maar want dus noch als dan toen omdat doordat zodat terwijl hoewel indien tenzij
		in op aan bij met naar van voor over onder door uit om tot tegen tussen zonder te ter ten na tijdens sinds per
		niet geen er hier daar ook nog al reeds zeer heel veel meer minder alle alles andere elke elk ieder iedere enkele
		sommige zo`),
	"sv": set(`
		en ett den det de dem denna detta dessa
		jag mig min mitt mina du dig din ditt dina han honom hans hon henne hennes vi oss vår vårt våra ni er ert era
		dess deras sig sin sitt sina man själv
		vem vad vilken vilket vilka när var varför hur där här
		är var vara varit har hade haft ha blir blev bli blivit ska skall skulle kan kunde måste vill ville får fick
		och eller men att om som så därför medan eftersom innan
		i på av för med till från vid utan under över mellan mot efter genom ur åt hos
		inte ej icke också bara mycket mer mest alla allt annan annat andra någon något några ingen inget inga då nu`),
	"da": set(`
		en et den det de dem denne dette disse
		jeg mig min mit mine du dig din dit dine han ham hans hun hende hendes vi os vores i jer jeres dens dets deres
		sig sin sit sine man selv
		hvem hvad hvilken hvilket hvilke hvornår hvor hvorfor hvordan der her
		er var være været har havde haft have bliver blev blive blevet skal skulle kan kunne må måtte vil ville
		og eller men at om som så fordi mens når hvis da
		på af for med til fra ved uden under over mellem mod efter gennem hos
		ikke også kun meget mere mest alle alt anden andet andre nogen noget nogle ingen intet nu`),
	"no": set(norwegianStops), "nb": set(norwegianStops), "nn": set(norwegianStops),
	"fi": set(`
		minä minun minua minut sinä sinun sinua hän hänen häntä me meidän meitä te teidän teitä he heidän heitä se sen
		sitä siinä siitä siihen sillä ne niiden niitä niissä niistä tämä tämän tätä tässä tästä nämä näiden näitä tuo
		tuon nuo itse
		joka jonka jota jossa josta johon jotka joiden joita mikä minkä mitä missä mistä mihin kuka kenen ketä milloin
		miksi miten kuinka
		olen olet on olemme olette ovat oli olivat ollut olla olisi olisivat ole voi voivat pitää täytyy
		ja tai mutta vaan että jos kun koska sekä eli vaikka kuin niin
		ei en et emme ette eivät myös vain jo vielä hyvin`),
	"ru": set(`
		я меня мне мной ты тебя тебе тобой он его ему им нём она её ее ей ней неё нее оно мы нас нам нами вы вас вам вами
		они их ими них ним ними себя себе собой мой моя моё мои твой твоя наш наша наше наши ваш ваша ваше ваши свой своя
		своё свои свою
		этот эта это эти этого этой этом эту этих тот та те того той том тех такой такая такие весь вся всё все всех
		кто кого кому что чего чему чем какой какая какие который которая которое которые которого которой где куда
		откуда когда почему зачем как сколько чей
		быть был была было были есть будет будут буду может могут мог можно надо нужно
		и а но или либо если чтобы хотя потому поэтому пока ли же бы так также тоже то
		в во на с со к ко у о об от до по за из изо для при без под над между через перед после про около
		не ни нет только лишь уже ещё еще очень более менее самый там тут здесь тогда теперь потом вот`),
}

// norwegianStops are the function words of both written forms.
const norwegianStops = `
		en ei et ein eit den det de dei dem denne dette desse disse
		jeg eg meg min mitt mi mine du deg din ditt di dine han ham hans hun ho henne hennes vi oss vår vårt våre dere
		dykk deres dens dets seg sin sitt si sine man selv sjølv
		hvem hva hvilken hvilket hvilke når hvor hvorfor hvordan kven kva kvar korleis der her
		er var være vere vært har hadde hatt ha blir ble bli blitt skal skulle kan kunne må måtte vil ville
		og eller men at om som så fordi mens hvis da
		i på av for med til fra ved uten utan under over mellom mot etter gjennom hos
		ikke ikkje også bare mye meget mer mest alle alt annen annet andre noen noe nokre ingen intet nå no`

func set(list string) map[string]bool {
	out := map[string]bool{}
	for word := range strings.FieldsSeq(list) {
		out[word] = true
	}
	return out
}
