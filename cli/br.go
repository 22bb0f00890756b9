package cli

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	brLook  = 5 * time.Second  // br answers in 20 ms
	brWrite = 20 * time.Second // it writes its database and all of issues.jsonl
	brText  = 64 << 10         // of a comment; an argument has to be shorter than 128 KB on Linux
)

// brReady asks which beads of a project can be begun, in the order of br. It is for `continuo start`; everything else
// reads issues.jsonl. Errors are *failure; of a program that is not there host.ErrNoBr.
func brReady(ctx context.Context, h host.Host, root string) ([]beads.Bead, error) {
	out, err := askBr(ctx, h, brLook, root, "tell what is ready", "ready", "--json")
	if err != nil {
		return nil, err
	}
	list, err := beads.ParseReady(out)
	if err != nil {
		return nil, brUnread(h, "ready --json", err)
	}
	return list, nil
}

// brShow asks for one bead, as brReady does. The exit code of a bead that is not there is ExitNone.
func brShow(ctx context.Context, h host.Host, root, id string) (beads.Bead, error) {
	if err := checkBead(id); err != nil {
		return beads.Bead{}, err
	}
	out, err := askBr(ctx, h, brLook, root, "show "+id, "show", id, "--json")
	if err != nil {
		return beads.Bead{}, err
	}
	b, err := beads.ParseShow(out)
	if err != nil {
		return b, brUnread(h, "show "+id+" --json", err)
	}
	return b, nil
}

// brComment adds a comment to a bead. The person has asked for that: it writes into .beads.
func brComment(ctx context.Context, h host.Host, root, id, text string) error {
	if err := checkBead(id); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(text) == "":
		return &out.Failure{What: "The comment is empty. Say something."}
	case len(text) > brText:
		return &out.Failure{What: "The comment is longer than 64 KB, which br does not take. Make it shorter."}
	case strings.ContainsRune(text, 0):
		return &out.Failure{What: "The comment has a NUL byte, which br does not take. Leave it out."}
	}
	args := []string{"comments", "add", id}
	if strings.HasPrefix(text, "-") { // else it would be a flag
		args = append(args, "--")
	}
	_, err := askBr(ctx, h, brWrite, root, "add a comment to "+id, append(args, text)...)
	return err
}

// checkBead refuses what is no id before a program takes it for a flag.
func checkBead(id string) error {
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	if id == "" || strings.HasPrefix(id, "-") || strings.ContainsFunc(id, odd) {
		return out.Usage(out.Quoted(id)+" is no id of a bead. See which there are.", "continuo beads")
	}
	return nil
}

// askBr runs br in the root of a project and returns what it prints. do says what it is to do, for the failure.
func askBr(ctx context.Context, h host.Host, limit time.Duration, root, do string, args ...string) ([]byte, error) {
	printed, err := h.Br(ctx, limit, root, args...)
	said, ok := errors.AsType[*host.BrError](err)
	switch {
	case errors.Is(err, host.ErrNoBr):
		return nil, &out.Failure{What: "Neither br nor bd is installed. Install beads_rust, which brings br.", Cause: err}
	case !ok:
		return printed, err
	case errors.Is(err, host.ErrSilent):
		what := h.BrName() + " could not " + do + ": it took longer than " + strconv.Itoa(int(limit.Seconds())) + " seconds and was ended."
		if limit == brWrite {
			what += " See what it has written before it is done again."
		}
		return nil, &out.Failure{What: what, Cause: err}
	}
	return nil, brFailure(h.BrName(), do, said)
}

// brFailure says why br has failed: what it says itself, else what the system says.
func brFailure(name, do string, said *host.BrError) *out.Failure {
	f := &out.Failure{Cause: said.Err}
	message := said.Message
	if strings.Contains(strings.ToUpper(said.Code), "NOT_FOUND") {
		f.Code = out.ExitNone
	}
	if exit, ok := errors.AsType[*host.ExitError](said.Err); ok {
		message = cmp.Or(message, "it ended with exit code "+strconv.Itoa(exit.ExitCode()))
	} else {
		message = out.Reason(said.Err)
		if errors.Is(said.Err, fs.ErrNotExist) {
			message = "the program or the folder is gone"
		}
	}
	f.What = name + " could not " + do + ": " + strings.TrimRight(message, ". ") + "."
	if said.Hint != "" {
		f.What += " " + strings.Replace(out.Sentence(said.Hint), "?.", "?", 1)
	}
	return f
}

// brUnread is the failure of an answer that is none.
func brUnread(h host.Host, args string, err error) *out.Failure {
	return &out.Failure{
		What:  "What " + h.BrName() + " prints could not be understood: " + transcript.CleanLine(err.Error()) + ". See it for yourself.",
		Hints: []string{h.BrName() + " " + args}, Cause: err,
	}
}
