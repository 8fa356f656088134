package label

import "interai/antiabuse/finding"

// phrase is what some words mean together, in whatever order, in one sentence.
type phrase struct {
	rule   string
	action finding.Action
	all    classes
	// none are words that excuse it, such as the other verdict beside a favourable one.
	none classes
	// within is in how many bytes the words must stand.
	within int
	// across says that the words may stand in several sentences.
	across bool
}

var phrases = []phrase{
	{rule: InstructionLike, action: finding.Label, all: set(ignoreWord, priorWord, instructionWord), within: 110},
	{rule: InstructionLike, action: finding.Label, all: set(ignoreWord, yourWord, instructionWord), within: 90},
	{rule: InstructionLike, action: finding.Label, all: set(ignoreWord, earlierWord, ruleWord), within: 40},
	{rule: InstructionLike, action: finding.Label, all: set(overrideWord, earlierWord, instructionWord), within: 70},
	{rule: InstructionLike, action: finding.Label, all: set(revealWord, yourWord, systemPrompt), within: 80},
	{rule: InstructionLike, action: finding.Label, all: set(revealOrder, systemPrompt), within: 48},
	{rule: InstructionLike, action: finding.Label, all: set(becomeWord, personaWord), within: 80},
	{rule: InstructionLike, action: finding.Label, all: set(addressedModel, orderWord), within: 120, across: true},
	{rule: InstructionLike, action: finding.Label, all: set(ignoreWord, everythingWord, aboveWord), within: 70},
	{rule: InstructionLike, action: finding.Label, all: set(modelWord, readingThis), within: 60},
	{rule: InstructionLike, action: finding.Label, all: set(summarizing, orderWord), within: 60},
	{rule: InstructionLike, action: finding.Label, all: set(fromNowOn, youMust), within: 40},
	{rule: InstructionLike, action: finding.Label, all: set(yourWord, newTask), within: 24},
	{rule: InstructionLike, action: finding.Label, all: set(sendWord, credentialFile, yourAnswer), within: 110},
	{rule: InstructionLike, action: finding.Label, all: set(imperativeRate, ownNoun), within: 32},
	{rule: InstructionLike, action: finding.Label, all: set(ifYouAreWord, becomeWord, modelWord), within: 40},
	{rule: InstructionLike, action: finding.Label, all: set(hideWord, userWord), within: 48},
	{rule: InstructionLike, action: finding.Label, all: set(sendWord, secretWord, webWord), within: 160},
	{rule: InstructionLike, action: finding.Label, all: set(callWord, ownTool, beforeWord), within: 160},
	{rule: TrustDemand, action: finding.Flag, all: set(callWord, ownTool, praiseWord), none: set(failureWord), within: 160},
	{rule: TrustDemand, action: finding.Flag, all: set(imperativeRate, thisWord, praiseWord), none: set(failureWord, limitWord), within: 70},
	{rule: TrustDemand, action: finding.Flag, all: set(giveWord, thisWord, scoreWord), none: set(failureWord, limitWord), within: 90},
	{rule: TrustDemand, action: finding.Flag, all: set(imperativeRate, scoreWord), none: set(failureWord, limitWord), within: 40},
	{rule: TrustDemand, action: finding.Flag, all: set(giveWord, trustScore, praiseWord), none: set(failureWord), within: 60},
	{rule: TrustDemand, action: finding.Flag, all: set(handIn, favourable, report), none: set(failureWord), within: 50},
	{rule: TrustDemand, action: finding.Flag, all: set(imperativeRate, hundredWord), none: set(limitWord, failureWord), within: 24},
}
