package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// brBytes is the maximum length of br's output in bytes.
const brBytes = 8 << 20

// ErrNoBr means that neither br nor bd is on the PATH.
var ErrNoBr = errors.New("br is not installed")

// BrError is the error of a br or bd that has failed.
type BrError struct {
	Code, Message, Hint string // from the output of br; "" if missing
	Err                 error  // ErrSilent, errTooMuch, an *ExitError, or an error at the start
}

// Error implements error.
func (e *BrError) Error() string { return "br: " + e.Err.Error() }

// Unwrap returns the error that caused this one.
func (e *BrError) Unwrap() error { return e.Err }

// BrProgram returns the path of br or bd.
func (h Host) BrProgram() (path string, ok bool) {
	for _, name := range [...]string{"br", "bd"} {
		if path, err := h.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// BrName returns the name of the program that is installed, br or bd.
func (h Host) BrName() string {
	program, _ := h.BrProgram()
	return strings.TrimSuffix(filepath.Base(program), ".exe")
}

// Br runs br in the root of a project, and returns up to 8 MB of output. br ends at the timeout or when ctx ends.
// Its child processes also end when br exits. The error is ErrNoBr, ctx.Err(), or a *BrError.
func (h Host) Br(ctx context.Context, limit time.Duration, root string, args ...string) ([]byte, error) {
	program, ok := h.BrProgram()
	if !ok {
		return nil, ErrNoBr
	}
	// This variable keeps bd from starting a daemon.
	p, err := h.inProject(ctx, limit, root, brBytes, append([]string{program}, args...), "BEADS_NO_DAEMON=1")
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil || errors.Is(err, exec.ErrWaitDelay): // br has succeeded, but a child process is still running
		return p.stdout, nil
	case p.late && !errors.Is(err, errTooMuch):
		return nil, &BrError{Err: ErrSilent}
	}
	e := &BrError{Err: err}
	e.Code, e.Message, e.Hint = parseBrError(p.stderr)
	return nil, e
}

// parseBrError parses stderr. br prints {"error":{"code","message","hint"}}, and bd prints {"error":"…"}. For any
// other output, message is the last line.
func parseBrError(stderr []byte) (code, message, hint string) {
	var body struct {
		Error json.RawMessage `json:"error"`
	}
	if at := bytes.IndexByte(stderr, '{'); at >= 0 && json.NewDecoder(bytes.NewReader(stderr[at:])).Decode(&body) == nil && body.Error != nil {
		var e struct {
			Code    string `json:"code"`
			Message string `json:"message"`
			Hint    string `json:"hint"`
		}
		if json.Unmarshal(body.Error, &e) == nil && e.Message != "" {
			return e.Code, transcript.CleanLine(e.Message), transcript.CleanLine(e.Hint)
		}
		if json.Unmarshal(body.Error, &message) == nil {
			return "", transcript.CleanLine(message), ""
		}
	}
	return "", strings.TrimPrefix(lastLine(stderr), "Error: "), ""
}

// lastLine returns the last line of a program's output that isn't blank, without control characters; "" if there
// is none.
func lastLine(stderr []byte) string {
	last := ""
	for line := range bytes.Lines(stderr) {
		if text := transcript.CleanLine(string(line)); text != "" {
			last = text
		}
	}
	return last
}
