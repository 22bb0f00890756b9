package host

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os/exec"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// brBytes is the maximum length of the output in bytes.
const brBytes = 8 << 20

// ErrNoBr means that br and bd aren't on the PATH.
var ErrNoBr = errors.New("br is not installed")

// BrError is the failure of br or bd.
type BrError struct {
	Code, Message, Hint string // from the output; "" if missing
	Err                 error  // ErrSilent, errTooMuch, an *ExitError, or an error of the start
}

// Error implements error.
func (e *BrError) Error() string { return "br: " + e.Err.Error() }

// Unwrap returns the error that caused this one.
func (e *BrError) Unwrap() error { return e.Err }

// BrProgram returns the path of the first installed program.
func (h Host) BrProgram(names ...string) (path string, ok bool) {
	for _, name := range names {
		if path, err := h.LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// Br runs br or bd in the root of a project. It returns up to 8 MB of output. It kills the program when the limit is
// over or ctx ends. Child processes never outlive the program. The error is ctx.Err() or a *BrError.
func (h Host) Br(ctx context.Context, limit time.Duration, program, root string, args ...string) ([]byte, error) {
	p, err := h.inProject(ctx, limit, root, brBytes, append([]string{program}, args...),
		"BEADS_NO_DAEMON=1", "BEADS_DOLT_AUTO_START=0", "BD_DISABLE_METRICS=1") // stops bd from starting servers and using the network
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil || errors.Is(err, exec.ErrWaitDelay): // br has succeeded; a child process still runs
		return p.stdout, nil
	case p.late && !errors.Is(err, errTooMuch):
		return nil, &BrError{Err: ErrSilent}
	}
	e := &BrError{Err: err}
	e.Code, e.Message, e.Hint = parseBrError(p.stdout, p.stderr)
	return nil, e
}

// parseBrError finds the error message in the output of br or bd. br writes {"error":{"code","message","hint"}} to
// stderr. bd writes {"error":"…"} to stderr, or to stdout with Dolt. The fallback is an "Error: " line, then the last
// line of stderr.
func parseBrError(stdout, stderr []byte) (code, message, hint string) {
	for _, printed := range [][]byte{stderr, stdout} {
		var body struct {
			Error json.RawMessage `json:"error"`
		}
		if at := bytes.IndexByte(printed, '{'); at < 0 || json.NewDecoder(bytes.NewReader(printed[at:])).Decode(&body) != nil || body.Error == nil {
			continue
		}
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
	for line := range bytes.Lines(stderr) {
		if text, ok := strings.CutPrefix(transcript.CleanLine(string(line)), "Error: "); ok {
			return "", text, ""
		}
	}
	return "", lastLine(stderr), ""
}

// lastLine returns the last non-blank line without control characters; "" if there is none.
func lastLine(stderr []byte) string {
	last := ""
	for line := range bytes.Lines(stderr) {
		if text := transcript.CleanLine(string(line)); text != "" {
			last = text
		}
	}
	return last
}
