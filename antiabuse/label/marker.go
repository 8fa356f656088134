package label

import (
	"strings"

	"interai/antiabuse/finding"
	"interai/antiabuse/markdown"
)

// Bounds of what is looked at.
const (
	maxURLBytes = 2048
	maxLinks    = 2000
)

// chatMarkers are borders between the speakers of a chat, as models are trained to read them.
var chatMarkers = []string{
	"[inst]", "[/inst]", "<<sys>>", "<|im_start|>", "<|im_end|>", "<|system|>", "<|user|>", "<|assistant|>", "<|endoftext|>", "<|start_header_id|>", "<|begin_of_text|>", "<start_of_turn>",
	"begin system prompt", "end of system prompt", "### system prompt", "### new instructions", "[system override]", "new system instructions:", "system override:",
}

// speakers begin the line of a speaker.
var speakers = []string{"human:", "assistant:", "system:", "<system>", "</system>", "### instruction:", "### human:", "### assistant:", "[system]", "system message:"}

// markers labels what pretends to be another part of the conversation.
func (s *scan) markers() {
	low := strings.ToLower(s.text)
	if len(low) != len(s.text) { // some letters change their length: places would not be right
		low = s.text
	}
	for _, marker := range chatMarkers {
		if at := strings.Index(low, marker); at >= 0 && !s.isExample(at) {
			s.add(InstructionLike, finding.Label, at, at+len(marker))
		}
	}
	s.work += len(chatMarkers) * len(low)
	start := 0
	for line := range strings.Lines(low) {
		s.speaker(line, start)
		start += len(line)
	}
}

// speaker labels a line that begins with a speaker and goes on as if it were one.
func (s *scan) speaker(line string, start int) {
	bare := strings.TrimLeft(line, " >*_#-\t")
	for _, speaker := range speakers {
		rest, ok := strings.CutPrefix(bare, speaker)
		if !ok {
			rest, ok = strings.CutPrefix(strings.TrimLeft(line, " >\t"), speaker)
		}
		if !ok {
			continue
		}
		rest = strings.TrimLeft(rest, " *_")
		if speaker == "human:" || isOrder(rest) || strings.HasPrefix(speaker, "### ") && rest != "\n" && !strings.HasPrefix(speaker, "### instruction") {
			at := start + strings.Index(line, speaker)
			if !s.isExample(at) {
				s.add(InstructionLike, finding.Label, at, at+len(speaker))
			}
		}
		return
	}
}

// isOrder reports whether a line begins as one that tells somebody who they are or what to do.
func isOrder(rest string) bool {
	for _, beginning := range []string{"you are", "you must", "you will", "you have", "your new", "ignore", "disregard", "forget", "override", "from now", "new instructions", "do not", "always", "never", "sure", "of course", "i will", "understood", "the user", "execute", "run ", "call ", "send "} {
		if strings.HasPrefix(rest, beginning) {
			return true
		}
	}
	return false
}

// links labels addresses that hide where they lead.
func (s *scan) links() {
	rest, offset := s.text, 0
	for range maxLinks {
		at := strings.Index(rest, "://")
		if at < 0 {
			return
		}
		start := at
		for start > 0 && at-start < len("https") && (rest[start-1]|0x20) >= 'a' && (rest[start-1]|0x20) <= 'z' {
			start--
		}
		end := at + len("://")
		for end < len(rest) && end-start < maxURLBytes && strings.IndexByte(" \t\r\n<>\"`|)]};", rest[end]) < 0 {
			end++
		}
		s.work += end - start
		if address := strings.TrimRight(rest[start:end], ".,;:!?'*_"); markdown.Suspicious(address) && !isTemplate(address) {
			s.add(SuspiciousLink, finding.Label, offset+start, offset+start+len(address))
		}
		rest, offset = rest[end:], offset+end
	}
}

// isTemplate knows addresses whose parts are to be filled in, and those of documentation (RFC 2606).
func isTemplate(address string) bool {
	_, host, _ := strings.Cut(address, "://")
	host, _, _ = strings.Cut(host, "/")
	host = host[strings.LastIndexByte(host, '@')+1:]
	host, _, _ = strings.Cut(host, ":")
	for _, name := range []string{"example.com", "example.org", "example.net", "localhost"} {
		if host == name || strings.HasSuffix(host, "."+name) {
			return true
		}
	}
	return strings.ContainsAny(address, "{$[<*…") || strings.Contains(address, "...")
}
