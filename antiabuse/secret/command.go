package secret

import (
	"slices"
	"strings"
)

// options of a command that take a password: attached ones follow their letter without a blank too.
type options struct {
	command  string
	password []string
	attached []string
	pairs    []string // options that take user:password or user%password
}

var commands = []options{
	{command: "curl ", pairs: []string{"-u", "--user", "--proxy-user", "-U"}, attached: []string{"-u"}},
	{command: "wget ", password: []string{"--password", "--http-password"}},
	{command: "http", pairs: []string{"-a", "--auth"}},
	{command: "sshpass", password: []string{"-p"}, attached: []string{"-p"}},
	{command: "mysql", attached: []string{"-p"}},
	{command: "mariadb", attached: []string{"-p"}},
	{command: "login", password: []string{"-p", "--password", "--token"}},
	{command: "redis-cli", password: []string{"-a", "--pass"}, attached: []string{"-a"}},
	{command: "ldap", password: []string{"-w"}, attached: []string{"-w"}},
	{command: "smbclient", pairs: []string{"-U"}},
	{command: "impacket", pairs: []string{"-U"}},
	{command: "mongo", password: []string{"-p", "--password"}, attached: []string{"-p"}},
	{command: "sqlcmd", password: []string{"-P"}, attached: []string{"-P"}},
	{command: "bcp ", password: []string{"-P"}, attached: []string{"-P"}},
	{command: "isql", password: []string{"-P"}, attached: []string{"-P"}},
	{command: "clickhouse-client", password: []string{"--password"}},
	{command: "cqlsh", password: []string{"-p"}},
	{command: "xfreerdp", password: []string{"/p"}, attached: []string{"/p:"}},
	{command: "rdesktop", password: []string{"-p"}},
	{command: "psexec", password: []string{"-p"}},
	{command: "evil-winrm", password: []string{"-p"}},
	{command: "7z ", attached: []string{"-p"}},
	{command: "zip ", password: []string{"-P"}, attached: []string{"-P"}},
	{command: "helm ", password: []string{"--password"}},
	{command: "keytool", password: []string{"-storepass", "-keypass"}},
	{command: "jarsigner", password: []string{"-storepass", "-keypass"}},
	{command: "twine ", password: []string{"-p", "--password"}},
	{command: "influx ", password: []string{"-t", "--token", "-p"}},
	{command: "nats ", password: []string{"--password"}},
	{command: "rabbitmqadmin", password: []string{"-p"}},
	{command: "ipmitool", password: []string{"-P"}},
	{command: "snmp", password: []string{"-A", "-X"}},
	{command: "kinit", password: []string{"--password"}},
}

// command judges the options on the line behind the name of a program.
func (s *scan) command(start, end int) {
	limit := lineEnd(s.text, end)
	line := s.text[end:limit]
	word := strings.ToLower(s.text[start:end])
	switch word {
	case "pass:":
		s.candidate(end, end+visible(s.text, end))
		return
	case "htpasswd", "rabbitmqctl", "net use", "net user ", "sqlplus", "cargo login", "chpasswd":
		s.operands(word, start, end, limit)
		return
	}
	if strings.HasSuffix(word, "login ") {
		word = "login"
	}
	for _, c := range commands {
		if strings.HasPrefix(word, c.command) || c.command == "login" && strings.HasSuffix(word, "login") {
			s.optionsOf(c, line, end)
		}
	}
}

// optionsOf walks over the words of a line that begins at base.
func (s *scan) optionsOf(c options, line string, base int) {
	for i := 0; i < len(line); {
		i += space.run(line, i, len(line))
		n := visible(line, i)
		if n == 0 {
			i++
			if i >= len(line) {
				return
			}
			continue
		}
		word, next := line[i:i+n], i+n
		flag, attachedValue, hasValue := strings.Cut(word, "=")
		value := next + blank.run(line, next, 8)
		switch {
		case hasValue && slices.Contains(c.password, flag):
			s.candidate(base+next-len(attachedValue), base+next)
		case hasValue && slices.Contains(c.pairs, flag):
			s.userPair(base+next-len(attachedValue), base+next)
		case slices.Contains(c.password, word):
			s.candidate(base+value, base+value+visible(line, value))
		case slices.Contains(c.pairs, word):
			s.userPair(base+value, base+value+visible(line, value))
		default:
			for _, a := range c.attached {
				if rest, ok := strings.CutPrefix(word, a); ok && len(rest) >= 6 && !strings.HasPrefix(word, "--") {
					if slices.Contains(c.pairs, a) {
						s.userPair(base+next-len(rest), base+next)
					} else {
						s.candidate(base+next-len(rest), base+next)
					}
				}
			}
		}
		i = next
	}
}

// operands judges the commands that take a password without an option.
func (s *scan) operands(word string, start, end, limit int) {
	switch word {
	case "chpasswd": // echo "user:password" | chpasswd
		from := max(0, start-120)
		from += strings.LastIndexByte(s.text[from:start], '\n') + 1
		for i := from; i < start; {
			i += space.run(s.text, i, start-i)
			n := visible(s.text[:start], i)
			if n == 0 {
				return
			}
			s.userPair(i, i+n)
			i += n
		}
	case "sqlplus":
		i := end + space.run(s.text, end, 8)
		if n := visible(s.text, i); n > 0 {
			if slash, at := strings.IndexByte(s.text[i:i+n], '/'), strings.LastIndexByte(s.text[i:i+n],
				'@'); slash > 0 && at > slash {
				s.candidate(i+slash+1, i+at)
			}
		}
	default:
		if word == "rabbitmqctl" && !takesPassword(s.text[end:limit]) {
			return
		}
		for i := end; i < limit; {
			i += space.run(s.text, i, limit-i)
			n := visible(s.text[:limit], i)
			if n == 0 {
				return
			}
			from, to := unwrap(s.text, i, i+n)
			if v := s.text[from:to]; (chance(v) || spoken(v)) && !hashedPair(v) {
				s.report("command_line_password", "PASSWORD", Structural, from, to)
			}
			if i += n; to < i && s.text[to] == '`' {
				return // the end of a span of code
			}
		}
	}
}

// hashedPair reports whether v is a line of a file of users, with a hash behind the name. Compose files double each dollar.
func hashedPair(v string) bool {
	if i := strings.LastIndexByte(v, '='); i >= 0 { // the name of a label or variable
		v = v[i+1:]
	}
	_, hash, ok := strings.Cut(v, ":")
	hash = strings.ReplaceAll(hash, "$$", "$")
	return ok && strings.HasPrefix(hash, "$") && strings.Count(hash, "$") >= 3 && reference(hash)
}

// takesPassword reports whether an order to RabbitMQ names one of its few commands that take a password.
func takesPassword(line string) bool {
	return strings.Contains(line, "add_user") || strings.Contains(line, "change_password") || strings.Contains(line, "authenticate_user")
}

// candidate judges a whole password at a known place.
func (s *scan) candidate(from, to int) {
	from, to = unwrapQuotes(s.text, from, to)
	if to-from < 6 {
		return
	}
	if v := s.text[from:to]; likely(v) || !never(v) && !plainWord(v) && v[0] != '-' &&
		!strings.ContainsAny(v, "=/<|") && digitsIn(v) > 0 {
		s.report("command_line_password", "PASSWORD", Structural, from, to)
	}
}

// userPair judges user:password or user%password.
func (s *scan) userPair(from, to int) {
	from, to = unwrapQuotes(s.text, from, to)
	v := s.text[from:to]
	i := strings.IndexAny(v, ":%")
	if i < 0 || i+1 >= len(v) {
		return
	}
	user, pass := v[:i], v[i+1:]
	if len(pass) < 6 || never(pass) || commonPasswords[strings.ToLower(pass)] || strings.EqualFold(user, pass) ||
		strings.HasPrefix(pass, "//") || !likely(pass) && plainWord(pass) {
		return
	}
	s.report("command_line_password", "PASSWORD", Structural, from+i+1, to)
}

func unwrapQuotes(text string, from, to int) (int, int) {
	from, to = min(from, len(text)), min(to, len(text))
	for from < to && (quotes.has(text[from]) || text[from] == '\\') {
		from++
	}
	for to > from && (quotes.has(text[to-1]) || strings.IndexByte("\\,;)", text[to-1]) >= 0) {
		to--
	}
	return from, to
}

// visible is the length of the word at i.
func visible(text string, i int) int {
	n := 0
	for i+n < len(text) && n < maxJudged && text[i+n] > ' ' && text[i+n] < 0x7F {
		n++
	}
	return n
}

// lineEnd is where the line ends, or the window of a command; a backslash continues it.
func lineEnd(text string, i int) int {
	const window = 300
	limit := min(len(text), i+window)
	for ; i < limit; i++ {
		if text[i] == '\n' && (i == 0 || text[i-1] != '\\') {
			return i
		}
	}
	return limit
}
