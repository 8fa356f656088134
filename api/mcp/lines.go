package mcp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLineBytes bounds one message of stdin.
const maxLineBytes = 16 << 20

// lines stands between the process's streams and the SDK's transport. It passes
// only well-formed messages on, answers the others itself, and knows which calls
// are still unanswered.
type lines struct {
	in     *bufio.Reader
	closed chan struct{}
	once   sync.Once

	mu      sync.Mutex
	out     io.Writer
	waiting map[any]int   // unanswered calls by ID
	idle    chan struct{} // closed whenever nothing is waiting
}

func newLines(in io.Reader, out io.Writer) *lines {
	idle := make(chan struct{})
	close(idle)
	const bufferBytes = 64 << 10
	return &lines{
		in: bufio.NewReaderSize(in, bufferBytes), closed: make(chan struct{}),
		out: out, waiting: map[any]int{}, idle: idle,
	}
}

// expect notes a call that must be answered before the input may end.
func (l *lines) expect(id any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.waiting) == 0 {
		l.idle = make(chan struct{})
	}
	l.waiting[id]++
}

// answered notes an answer; the caller holds mu.
func (l *lines) answered(id any) {
	n, ok := l.waiting[id]
	if !ok {
		return
	}
	if l.waiting[id] = n - 1; n == 1 {
		delete(l.waiting, id)
	}
	if len(l.waiting) == 0 {
		close(l.idle)
	}
}

// refuse answers a line that is no message. The session goes on: one stray line,
// such as a shell's banner, must not end it.
func (l *lines) refuse(f flaw) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := l.out.Write(append(encodeFailure(f), '\n')); err != nil {
		return fmt.Errorf("answer a malformed line: %w", err)
	}
	return nil
}

// reader is the transport's input.
func (l *lines) reader(holdBack time.Duration) io.ReadCloser {
	return &lineReader{lines: l, holdBack: holdBack}
}

// writer is the transport's output.
func (l *lines) writer() io.WriteCloser { return &lineWriter{lines: l} }

func (l *lines) close() { l.once.Do(func() { close(l.closed) }) }

type lineReader struct {
	*lines
	holdBack time.Duration
	rest     []byte // of the line being handed over
	err      error  // sticky end of the input
}

// Read hands over well-formed messages line by line, and the end of the input only
// when all answers are out.
func (r *lineReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		if r.err != nil {
			r.awaitAnswers()
			return 0, r.err
		}
		line, err := r.next()
		r.err = err
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		ok, err := r.admit(line)
		if err != nil {
			return 0, err
		}
		if ok {
			r.rest = append(bytes.TrimRight(line, "\r\n"), '\n')
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// next reads a line of any length but keeps no more than maxLineBytes of it.
func (r *lineReader) next() ([]byte, error) {
	var line []byte
	tooLong := false
	for {
		part, err := r.in.ReadSlice('\n')
		if len(line)+len(part) > maxLineBytes {
			tooLong, line = true, nil
		}
		if !tooLong {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err != nil && !errors.Is(err, io.EOF):
			return line, fmt.Errorf("read input: %w", err)
		case tooLong:
			if refused := r.refuse(flaw{
				code: jsonrpc.CodeInvalidRequest, message: fmt.Sprintf("a message has at most %d bytes", maxLineBytes),
			}); refused != nil {
				return nil, refused
			}
		}
		return line, err // io.EOF must stay io.EOF
	}
}

// admit reports whether a line is a message for the SDK, and answers it if not.
func (r *lineReader) admit(line []byte) (bool, error) {
	line = bytes.TrimSpace(line)
	if !json.Valid(line) {
		return false, r.refuse(flaw{code: jsonrpc.CodeParseError, message: "the line is not valid JSON"})
	}
	if line[0] == '[' {
		return false, r.refuse(flaw{code: jsonrpc.CodeInvalidRequest, message: "batches are not supported"})
	}
	if _, f := inspect(line); f != nil {
		return false, r.refuse(*f)
	}
	message, err := jsonrpc.DecodeMessage(line)
	if err != nil {
		return false, r.refuse(flaw{code: jsonrpc.CodeInvalidRequest, message: "not a JSON-RPC 2.0 message"})
	}
	if call, ok := message.(*jsonrpc.Request); ok && call.IsCall() {
		r.expect(call.ID.Raw())
	}
	return true, nil
}

// awaitAnswers waits until every call is answered, the wait is over, or the session
// has ended.
func (r *lineReader) awaitAnswers() {
	r.mu.Lock()
	idle := r.idle
	r.mu.Unlock()
	timer := time.NewTimer(r.holdBack)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
	case <-r.closed:
	}
}

// Close ends the waiting; the process's input stays open.
func (r *lineReader) Close() error {
	r.close()
	return nil
}

type lineWriter struct{ *lines }

// Write passes one message on; the SDK writes each with one call.
func (w *lineWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	n, err := w.out.Write(p)
	if err != nil {
		return n, fmt.Errorf("write message: %w", err)
	}
	if message, err := jsonrpc.DecodeMessage(bytes.TrimSpace(p)); err == nil {
		if answer, ok := message.(*jsonrpc.Response); ok {
			w.answered(answer.ID.Raw())
		}
	}
	return n, nil
}

// Close ends the waiting; the process's output stays open.
func (w *lineWriter) Close() error {
	w.close()
	return nil
}
