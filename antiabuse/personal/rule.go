package personal

import (
	"slices"

	"interai/antiabuse/finding"
)

// RuleInfo describes a rule for people.
type RuleInfo struct {
	Name        string
	Action      finding.Action
	Description string
}

// Names of rules that more than one file mentions.
const (
	ruleMail    = "email_address"
	rulePhone   = "phone_number"
	ruleBulk    = "bulk_personal_data"
	ruleDoxxing = "doxxing"
	ruleAddress = "home_address"
	ruleBirth   = "birth_date"
)

// Rules are all rules, by name.
func Rules() []RuleInfo {
	out := []RuleInfo{
		{"payment_card", finding.Reject, "a payment card number: issuer, length and Luhn digit are right and a word of cards stands near"},
		{"card_like_number", finding.Flag, "a number in groups of four that could be a payment card, without a word that says so"},
		{"iban", finding.Reject, "an international bank account number with the length, form and check digits of its country"},
		{"travel_document", finding.Reject, "the machine-readable zone of a passport or an identity card with its check digits"},
		{ruleBulk, finding.Reject, "eight or more different personal mail addresses or phone numbers"},
		{ruleDoxxing, finding.Reject, "where somebody lives together with how to reach them"},
		{ruleMail, finding.Redact, "a personal mail address"},
		{rulePhone, finding.Redact, "a phone number"},
		{"obfuscated_email", finding.Flag, "a mail address written to escape machines"},
		{ruleAddress, finding.Flag, "where a person lives"},
		{ruleBirth, finding.Flag, "a person's date of birth"},
		{"health", finding.Flag, "a person's health"},
		{"client_ip", finding.Flag, "the public IP address of a visitor"},
		{"home_coordinates", finding.Flag, "exact coordinates of a home"},
		{"device_owner", finding.Flag, "a device identifier together with its owner's name"},
	}
	for _, id := range digitIDs {
		out = append(out, RuleInfo{id.rule, finding.Reject, "a national identity number: " + id.of})
	}
	for _, id := range letterIDs {
		out = append(out, RuleInfo{id.rule, finding.Reject, "a national identity number: " + id.of})
	}
	slices.SortFunc(out, func(a, b RuleInfo) int {
		if a.Name < b.Name {
			return -1
		}
		return 1
	})
	return slices.CompactFunc(out, func(a, b RuleInfo) bool { return a.Name == b.Name })
}
