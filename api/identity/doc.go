// Package identity owns how humans and organisations prove that an address or a domain is theirs: a signed link that is
// sent by mail and works once, and a TXT record in the domain's zone.
//
// It decides nothing about what a proof is worth, and keeps no address beyond the one that was proved. Start reading at
// [Prover].
package identity
