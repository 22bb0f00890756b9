package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	brLook  = 5 * time.Second  // br answers in 20 ms
	brWrite = 20 * time.Second // it writes its database and all of issues.jsonl
	brBytes = 8 << 20          // of an answer
	brText  = 64 << 10         // of a comment; an argument has to be shorter than 128 KB on Linux
)

var (
	// errNoBr says that neither br nor bd is on the PATH.
	errNoBr = errors.New("br is not installed")
	// errTooMuch says that an answer is longer than is read.
	errTooMuch = errors.New("its answer is longer than 8 MB")
)

// brProgram is the program of the task graph: br, else bd.
func (d *deps) brProgram() (path string, ok bool) {
	for _, name := range [...]string{"br", "bd"} {
		if path, err := d.host().LookPath(name); err == nil {
			return path, true
		}
	}
	return "", false
}

// brReady asks which beads of a project can be begun, in the order of br. It is for `continuo start`; everything else
// reads issues.jsonl. Errors are *failure; of a program that is not there errNoBr.
func (d *deps) brReady(ctx context.Context, root string) ([]beads.Bead, error) {
	out, err := d.br(ctx, brLook, root, "tell what is ready", "ready", "--json")
	if err != nil {
		return nil, err
	}
	list, err := beads.ParseReady(out)
	if err != nil {
		return nil, d.brUnread("ready --json", err)
	}
	return list, nil
}

// brShow asks for one bead, as brReady does. The exit code of a bead that is not there is ExitNone.
func (d *deps) brShow(ctx context.Context, root, id string) (beads.Bead, error) {
	if err := checkBead(id); err != nil {
		return beads.Bead{}, err
	}
	out, err := d.br(ctx, brLook, root, "show "+id, "show", id, "--json")
	if err != nil {
		return beads.Bead{}, err
	}
	b, err := beads.ParseShow(out)
	if err != nil {
		return b, d.brUnread("show "+id+" --json", err)
	}
	return b, nil
}

// brComment adds a comment to a bead. The person has asked for that: it writes into .beads.
func (d *deps) brComment(ctx context.Context, root, id, text string) error {
	if err := checkBead(id); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(text) == "":
		return &failure{what: "The comment is empty. Say something."}
	case len(text) > brText:
		return &failure{what: "The comment is longer than 64 KB, which br does not take. Make it shorter."}
	case strings.ContainsRune(text, 0):
		return &failure{what: "The comment has a NUL byte, which br does not take. Leave it out."}
	}
	args := []string{"comments", "add", id}
	if strings.HasPrefix(text, "-") { // else it would be a flag
		args = append(args, "--")
	}
	_, err := d.br(ctx, brWrite, root, "add a comment to "+id, append(args, text)...)
	return err
}

// checkBead refuses what is no id before a program takes it for a flag.
func checkBead(id string) error {
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	if id == "" || strings.HasPrefix(id, "-") || strings.ContainsFunc(id, odd) {
		return usage(quoted(id)+" is no id of a bead. See which there are.", "continuo beads")
	}
	return nil
}

// br runs br in the root of a project and returns what it prints. do says what it is to do, for the failure. It and all
// that it starts end with the limit, with ctx, and when it does.
func (d *deps) br(ctx context.Context, limit time.Duration, root, do string, args ...string) ([]byte, error) {
	program, ok := d.brProgram()
	if !ok {
		return nil, &failure{what: "Neither br nor bd is installed. Install beads_rust, which brings br.", cause: errNoBr}
	}
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	// bd would leave a daemon behind
	answer, err := d.host().Collect(ctx, limit, brBytes, root, []string{"BEADS_NO_DAEMON=1"}, program, args...)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err == nil:
		return answer.Out, nil
	case errors.Is(err, host.ErrSilent):
		what := name + " could not " + do + ": it took longer than " + strconv.Itoa(int(limit.Seconds())) + " seconds and was ended."
		if limit == brWrite {
			what += " See what it has written before it is done again."
		}
		return nil, &failure{what: what, cause: err}
	case errors.Is(err, host.ErrTooMuch):
		err = errTooMuch
	}
	return nil, brFailure(name, do, err, answer.Messages)
}

// brFailure says why br has failed: what it says itself, else what the system says.
func brFailure(name, do string, err error, said []byte) *failure {
	f := &failure{cause: err}
	code, message, hint := brSaid(said)
	if strings.Contains(strings.ToUpper(code), "NOT_FOUND") {
		f.code = ExitNone
	}
	if code, ok := host.ExitCode(err); ok {
		message = cmp.Or(message, "it ended with exit code "+strconv.Itoa(code))
	} else {
		message = reason(err)
		if errors.Is(err, fs.ErrNotExist) {
			message = "the program or the folder is gone"
		}
	}
	f.what = name + " could not " + do + ": " + strings.TrimRight(message, ". ") + "."
	if hint != "" {
		f.what += " " + strings.Replace(sentence(hint), "?.", "?", 1)
	}
	return f
}

// brSaid reads stderr: {"error":{"code","message","hint"}} of br, {"error":"…"} of bd, else its last line.
func brSaid(said []byte) (code, message, hint string) {
	var body struct {
		Error json.RawMessage `json:"error"`
	}
	if at := bytes.IndexByte(said, '{'); at >= 0 && json.NewDecoder(bytes.NewReader(said[at:])).Decode(&body) == nil && body.Error != nil {
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
	for line := range bytes.Lines(said) {
		if text := transcript.CleanLine(string(line)); strings.TrimSpace(text) != "" {
			message = strings.TrimSpace(text)
		}
	}
	return "", strings.TrimPrefix(message, "Error: "), ""
}

// brUnread is the failure of an answer that is none.
func (d *deps) brUnread(args string, err error) *failure {
	program, _ := d.brProgram()
	name := strings.TrimSuffix(filepath.Base(program), ".exe")
	return &failure{
		what:  "What " + name + " prints could not be understood: " + transcript.CleanLine(err.Error()) + ". See it for yourself.",
		hints: []string{name + " " + args}, cause: err,
	}
}
