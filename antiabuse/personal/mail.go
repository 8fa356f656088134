package personal

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/publicsuffix"

	"interai/antiabuse/finding"
)

// Bounds of a mail address (RFC 5321, section 4.5.3.1).
const maxLocalBytes, maxDomainBytes = 64, 255

// mailbox is an address with what stands around it.
type mailbox struct {
	start, end    int
	local, domain string // in small letters
}

// mail looks at the at sign at i, which has size bytes.
func (s *scan) mail(i, size int) {
	m, ok := s.mailboxAt(i, size)
	if !ok || !s.b.Call(m.end-m.start) {
		return
	}
	if isReserved(m.domain) || !isRegistered(m.domain) || s.isOwn(m) || s.isRole(m) || s.isNoMail(m) || !s.isPersonal(m) {
		return
	}
	s.found(hit{Finding: finding.Finding{
		Rule: ruleMail, Kind: finding.Personal, Action: finding.Redact, Start: m.start, End: m.end,
		Replacement: "[email]", Hint: "write [email] instead of the address, or use one at example.com",
	}, key: m.local + "@" + m.domain})
}

// mailboxAt reads what stands left and right of an at sign.
func (s *scan) mailboxAt(i, size int) (mailbox, bool) {
	start := i
	for start > 0 && i-start < maxLocalBytes {
		r, n := utf8.DecodeLastRuneInString(s.text[:start])
		if !isLocal(r) {
			break
		}
		start -= n
	}
	end := i + size
	for end < len(s.text) && end-i < maxDomainBytes {
		r, n := utf8.DecodeRuneInString(s.text[end:])
		if r != '.' && r != '-' && (r < utf8.RuneSelf && !isAlnum(byte(r)) || r >= utf8.RuneSelf && !unicode.IsLetter(r)) {
			break
		}
		end += n
	}
	s.b.Work += end - start
	for start < i && strings.IndexByte(".-_'+%", s.text[start]) >= 0 {
		start++
	}
	if start > 0 && start < i {
		start += lineEnd(s.text[start-1:])
	}
	domain := strings.TrimRight(s.text[i+size:end], ".-")
	end = i + size + len(domain)
	if start == i || !strings.Contains(domain, ".") {
		return mailbox{}, false
	}
	return mailbox{start: start, end: end, local: strings.ToLower(s.text[start:i]), domain: strings.ToLower(domain)}, true
}

// isLocal: escapes in front of an address, such as %3A, are read in the decoded view.
func isLocal(r rune) bool {
	if r < utf8.RuneSelf {
		return isAlnum(byte(r)) || strings.ContainsRune("._%+-'", r)
	}
	return unicode.IsLetter(r) && r < firstIdeograph
}

// isReserved knows domains that are set apart (RFC 2606, 6761, 6762) and those that stand for any.
func isReserved(domain string) bool {
	for _, name := range []string{"example.com", "example.org", "example.net", "example.edu", "contoso.com", "fabrikam.com"} {
		if domain == name || strings.HasSuffix(domain, "."+name) {
			return true
		}
	}
	labels := strings.Split(domain, ".")
	for _, label := range labels {
		if label == "example" || label == "yourdomain" || label == "mydomain" || label == "yourcompany" {
			return true
		}
	}
	switch labels[len(labels)-1] {
	case "test", "example", "invalid", "localhost", "internal", "local", "lan", "corp", "home", "arpa", "localdomain", "intranet", "private":
		return true
	}
	switch labels[max(0, len(labels)-2)] {
	case "domain", "mycompany", "company", "somewhere", "foo", "bar", "test", "localhost", "placeholder", "sample", "acme":
		return true
	}
	return false
}

// isRegistered reports whether a domain is a name below a suffix under which names are given out.
func isRegistered(domain string) bool {
	if strings.Contains(domain, "..") || strings.HasPrefix(domain, ".") || strings.HasPrefix(domain, "-") {
		return false
	}
	suffix, icann := publicsuffix.PublicSuffix(domain)
	for !icann && strings.Contains(suffix, ".") { // a suffix of a company is below one of the registries
		_, suffix, _ = strings.Cut(suffix, ".")
		_, icann = publicsuffix.PublicSuffix(suffix)
	}
	return icann && suffix != domain
}

func (s *scan) isOwn(m mailbox) bool {
	return slices.ContainsFunc(s.own, func(own string) bool {
		domain := strings.TrimPrefix(own, "@")
		return own == m.local+"@"+m.domain || !strings.Contains(domain, "@") && (m.domain == domain || strings.HasSuffix(m.domain, "."+domain))
	})
}

// isRole knows addresses that are no person's: of roles, of services, and those that stand for any.
func (s *scan) isRole(m mailbox) bool {
	for _, service := range []string{"noreply.github.com", "noreply.gitlab.com", "gserviceaccount.com", "calendar.google.com", "iam.gserviceaccount.com", "amazonses.com", "bounces.google.com"} {
		if strings.HasSuffix(m.domain, service) {
			return true
		}
	}
	local, _, _ := strings.Cut(m.local, "+")
	if roles[strings.Trim(local, "0123456789")] || strings.Contains(m.local, "noreply") || strings.Contains(m.local, "no-reply") || strings.Contains(m.local, "donotreply") {
		return true
	}
	if isFreeMail(m.domain) {
		word := strings.Trim(local, "0123456789")
		return placeholders[local] || len(word) > 2 && placeholders[word]
	}
	if placeholders[local] {
		return true
	}
	for _, word := range strings.FieldsFunc(local, func(r rune) bool { return r == '.' || r == '-' || r == '_' }) {
		if roles[word] {
			return true
		}
	}
	return false
}

// isNoMail knows what has the form of an address and is none: the user of a URL, of a copy over SSH or of a shell, a
// version, and the number of a message.
func (s *scan) isNoMail(m mailbox) bool {
	before, next := s.text[max(0, m.start-48):m.start], s.text[m.end:min(len(s.text), m.end+3)]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	fields := strings.Fields(before)
	command := ""
	if len(fields) > 0 {
		command = fields[0]
	}
	personal := isFreeMail(m.domain) || strings.ContainsRune(m.local, '.')
	switch {
	case strings.HasSuffix(before, "@"): // an account of another server: @name@host
		return true
	case strings.HasSuffix(before, "://") && !strings.HasSuffix(before, "mailto://"):
		return !isFreeMail(m.domain) || strings.HasPrefix(next, "/") || strings.HasPrefix(next, ":")
	case strings.HasSuffix(before, ":") && strings.Contains(before, "://"): // a password
		return !isFreeMail(m.domain)
	case strings.HasSuffix(before, "/"): // a path
		return !personal
	case strings.HasPrefix(next, ":") && len(next) > 1 && !isBlank(next[1]), strings.HasPrefix(next, "/"):
		return !personal
	case command == "ssh" || command == "scp" || command == "sftp" || command == "rsync" || command == "mosh":
		return !isFreeMail(m.domain)
	case strings.HasPrefix(next, "$ ") || strings.HasPrefix(next, "# ") || strings.HasPrefix(next, ":~"):
		return true
	}
	return s.isMessageID(m, before)
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' }

// isMessageID knows the numbers of messages: by the heading before them, or because nobody's name is so long and random.
func (s *scan) isMessageID(m mailbox, before string) bool {
	heading := strings.ToLower(before)
	for _, name := range []string{"message-id", "in-reply-to", "references:", "content-id", "msgid", "message_id"} {
		if strings.Contains(heading, name) {
			return true
		}
	}
	if m.domain == "mail.gmail.com" || strings.HasSuffix(m.domain, ".prod.outlook.com") || strings.HasSuffix(m.domain, ".phx.gbl") {
		return true
	}
	figures := 0
	for i := range len(m.local) {
		if isDigit(m.local[i]) {
			figures++
		}
	}
	return len(m.local) >= 20 && figures*3 >= len(m.local)
}

// isPersonal: a mailbox at a provider for everyone, or one that is named after somebody.
func (s *scan) isPersonal(m mailbox) bool {
	if isFreeMail(m.domain) {
		return true
	}
	local, _, _ := strings.Cut(m.local, "+")
	local = strings.TrimRight(local, "0123456789")
	for _, mark := range []string{".", "_", "-"} {
		first, rest, ok := strings.Cut(local, mark)
		if ok && isName(first, 1) && isName(rest[strings.LastIndexAny(rest, "._-")+1:], 2) {
			return mark != "-" || firstNames[first] || s.named(m, local)
		}
	}
	return firstNames[local] || s.named(m, local)
}

func isName(s string, least int) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) {
			return false
		}
	}
	return len(s) >= least
}

// named reports whether the name of the mailbox's owner stands beside it: a part of it is a part of the address, or two
// words in capitals stand right before the address in angle brackets or round ones.
func (s *scan) named(m mailbox, local string) bool {
	const around = 60
	from, to := max(0, m.start-around), min(len(s.text), m.end+around)
	previous, previousEnd := "", 0
	for word, place := range capitals(s.text[from:to]) {
		start := from + place
		if start >= m.start && start < m.end {
			continue
		}
		low := strings.ToLower(word)
		if len(low) >= 4 && strings.Contains(local, low) && !commonWords[low] && !strings.Contains(m.domain, low) {
			return true
		}
		end := start + len(word)
		if previous != "" && start-previousEnd == 1 && m.start > end && m.start-end <= len(`" <`) && strings.TrimLeft(s.text[end:m.start], `"' `) != "" &&
			!commonWords[low] && !commonWords[previous] && !roles[low] && !roles[previous] {
			return true
		}
		previous, previousEnd = low, end
	}
	return false
}

// obfuscated looks at a word for the at sign: "a dot b at c dot d", with or without brackets.
func (s *scan) obfuscated(start, end int) {
	const reach = 64
	left := strings.TrimRight(s.text[max(0, start-reach):start], " ([{<-_*")
	right := strings.TrimLeft(s.text[end:min(len(s.text), end+reach)], " )]}>-_*")
	bracketed := start > 0 && end < len(s.text) && strings.IndexByte("([{<-_*", s.text[start-1]) >= 0 && strings.IndexByte(")]}>-_*", s.text[end]) >= 0
	if !bracketed && s.before(start) != ' ' {
		return
	}
	local := left[strings.LastIndexFunc(left, func(r rune) bool { return !isLocal(r) })+1:]
	if local == "" || !s.b.Call(2*reach) {
		return
	}
	domain, dots, length := spelledDomain(right, bracketed || !strings.EqualFold(s.text[start:end], "at"))
	if domain == "" || !isRegistered(domain) || isReserved(domain) {
		return
	}
	plain := isFreeMail(domain) && strings.ContainsAny(local, "._0123456789")
	if !bracketed && dots == 0 && !plain || roles[strings.ToLower(local)] || placeholders[strings.ToLower(local)] {
		return
	}
	from := start - (start - max(0, start-reach) - strings.LastIndex(s.text[max(0, start-reach):start], local))
	to := end + (len(s.text[end:min(len(s.text), end+reach)]) - len(right)) + length
	s.found(hit{Finding: finding.Finding{Rule: "obfuscated_email", Kind: finding.Personal, Action: finding.Flag, Start: from, End: to}, key: local + "@" + domain})
}

// spelledDomain reads a domain whose dots may be words, of any language or of English only: elsewhere they are everyday
// words. It answers how many were words, and how long it was.
func spelledDomain(s string, anyLanguage bool) (domain string, words, length int) {
	const labels = 4
	var parts []string
	at := 0
	for range labels {
		end := at
		for end < len(s) && (isAlnum(s[end]) || s[end] == '-' && end+1 < len(s) && isAlnum(s[end+1])) {
			end++
		}
		if end == at {
			break
		}
		parts, length = append(parts, strings.ToLower(s[at:end])), end
		dot, spelled := dotAt(s[end:], anyLanguage)
		if dot == 0 {
			break
		}
		if spelled {
			words++
		}
		at = end + dot
	}
	if len(parts) < 2 {
		return "", 0, 0
	}
	return strings.Join(parts, "."), words, length
}

// dotAt is the length of a dot at the beginning of s, in the form of a mark or of a word.
func dotAt(s string, anyLanguage bool) (length int, spelled bool) {
	if len(s) > 1 && s[0] == '.' && isAlnum(s[1]) {
		return 1, false
	}
	open := len(s) - len(strings.TrimLeft(s, " ([{<-_*"))
	rest := strings.ToLower(s[open:min(len(s), open+12)])
	names := []string{"dot", ".", "punkt", "punto", "point", "ponto", "punt", "kropka", "точка", "piste", "nokta"}
	if !anyLanguage {
		names = names[:2]
	}
	for _, word := range names {
		if strings.HasPrefix(rest, word) && open > 0 {
			tail := s[open+len(word):]
			closed := len(tail) - len(strings.TrimLeft(tail, " )]}>-_*"))
			if closed > 0 {
				return open + len(word) + closed, true
			}
		}
	}
	return 0, false
}
