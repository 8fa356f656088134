package label

import (
	"regexp"
	"strings"
	"sync"

	"interai/antiabuse/finding"
)

// maxCommandBytes is how far a command is read, and maxCommands how many of a text.
const (
	maxCommandBytes = 240
	maxCommands     = 2000
)

// destructive are commands, each from the word that it begins with.
var destructive = sync.OnceValue(func() *regexp.Regexp {
	const (
		flags  = `(?:\s+-{1,2}[A-Za-z-]+)*`
		roots  = `(?:/|/\*|~/?|~/\*|\$HOME/?\*?|\$\{HOME\}/?\*?|/(?:etc|usr|bin|boot|home|lib|var|root|opt|sys|dev)/?\*?|[A-Za-z]:\\?\*?)`
		end    = "(?:[\\s`'\";&|)]|$)"
		shells = `(?:sudo\s+(?:-\S+\s+)?)?(?:/bin/|/usr/bin/env\s+)?(?:ba|z|da|k|fi)?sh\b|(?:sudo\s+)?(?:python[0-9.]*|perl|ruby|node|php)\b`
	)
	return regexp.MustCompile(`^(?i:` + strings.Join([]string{
		`(?:curl|wget)\s[^\n|;]{1,200}\|\s*(?:` + shells + `)`,
		`(?:ba|z)?sh\s+<\(\s*(?:curl|wget)\s`, `(?:ba|z)?sh\s+-c\s+["'` + "`" + `]?\$\(\s*(?:curl|wget)\s`, `(?:eval|source)\s+["']?(?:\$\(|<\()\s*(?:curl|wget)\s`,
		`(?:iex|Invoke-Expression)\b[^\n]{0,80}(?:iwr|irm|Invoke-WebRequest|Invoke-RestMethod|DownloadString|curl)`, `DownloadString\([^\n]{1,120}\|\s*iex`, `powershell(?:\.exe)?\s[^\n]{0,80}-e(?:nc|ncodedcommand)?\s+[A-Za-z0-9+/=]{24}`,
		`(?:iwr|Invoke-WebRequest|irm)\s[^\n|]{1,200}\|\s*iex\b`, `python[0-9.]*\s+-c\s+["']?\$\(\s*(?:curl|wget)\s`, `find\s+/\s[^\n]{0,60}-delete`,
		`curl\s[^\n]{0,160}(?:-d|--data\S*|-F|-T|--upload-file)\s*\S{0,24}(?:\.env\b|id_rsa|\.ssh/|\.aws/|/etc/(?:passwd|shadow))`,
		`base64\s+(?:-d|-D|--decode)\b[^\n|]{0,80}\|\s*(?:` + shells + `)`,
		`rm` + flags + `\s+-{1,2}(?:[a-z]*r[a-z]*|recursive)` + flags + `\s+` + roots + end, `rm` + flags + `\s+--no-preserve-root`, `rm` + flags + `\s+/` + flags + `\s+--no-preserve-root`,
		`ch(?:mod|own)\s+(?:-R\s+)?\S{1,20}\s+(?:-R\s+)?/\*?` + end,
		`dd\s[^\n]{0,80}\bof=/dev/(?:sd|nvme|hd|vd|disk|mmcblk|xvd)`, `mkfs(?:\.\w{2,6})?\s[^\n]{0,40}/dev/`, `shred\s[^\n]{0,40}/dev/`,
		`(?:rd|del)\s+/s\s+/q\s+[a-z]:\\?` + end, `format\s+[a-z]:\s`, `vssadmin\s+delete\s+shadows`,
		`NODE_TLS_REJECT_UNAUTHORIZED["']?\]?\s*[=:]\s*["']?0`, `GIT_SSL_NO_VERIFY\s*=\s*["']?(?:1|true)`, `PYTHONHTTPSVERIFY\s*=\s*["']?0`, `sslVerify\s*=?\s*["']?false`,
		`DisableRealtimeMonitoring\s+(?:\$true|1)`, `setenforce\s+0`, `ufw\s+disable`, `advfirewall\s+set\s+\w+\s+state\s+off`, `csrutil\s+disable`, `spctl\s+--master-disable`, `iptables\s+-F` + end,
		`tcp/[0-9a-z.-]{4,80}/[0-9]{1,5}\s+0>&1`, `(?:nc|ncat)\s[^\n]{0,60}-e\s+/bin/`,
	}, "|") + `)`)
})

// command looks at what begins with a word of the shell.
func (s *scan) command(start, _ int) {
	if s.commands >= maxCommands {
		return
	}
	s.commands++
	window := s.text[start:min(len(s.text), start+maxCommandBytes)]
	if line := strings.IndexByte(window, '\n'); line >= 0 {
		if line > 0 && window[line-1] == '\\' { // it goes on in the next line
			window = window[:line-1] + "  " + window[line+1:]
		} else {
			window = window[:line]
		}
	}
	s.work += len(window)
	if at := destructive().FindStringIndex(window); at != nil {
		s.add(DangerousCommand, finding.Label, start, start+at[1])
	}
}

// forkBomb knows the function that calls itself twice.
func (s *scan) forkBomb(i int) {
	const longest = 24
	from := max(0, i-longest)
	around := strings.ReplaceAll(s.text[from:min(len(s.text), i+longest)], " ", "")
	s.work += len(around)
	if strings.Contains(around, ":(){:|:&};:") {
		s.add(DangerousCommand, finding.Label, i-1, i+1)
	}
}
