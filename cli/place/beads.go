package place

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/transcript"
)

// Limits for br and bd.
const (
	brLook  = 10 * time.Second // br takes 20 ms, bd with Dolt 0.3 to 2 s
	brWrite = 20 * time.Second // writes the database and issues.jsonl
	BrText  = 64 << 10         // bytes; Linux allows 128 KB per argument
)

// Beads runs br or bd for a project. Only bd reads a Dolt database.
type Beads struct {
	Name string // br or bd; "" if not installed
	Dolt bool   // Dolt database

	host               host.Host
	program, root, dir string
}

// BeadsOf finds the beads program of a project.
func BeadsOf(h host.Host, p *ledger.Project) *Beads {
	b := &Beads{Dolt: beads.IsDolt(p.Beads), host: h, root: p.Root, dir: p.Beads}
	if path, ok := h.BrProgram(b.Names()...); ok {
		b.program, b.Name = path, strings.TrimSuffix(filepath.Base(path), ".exe")
	}
	return b
}

// Names returns the possible programs, preferred first.
func (b *Beads) Names() []string {
	if b.Dolt {
		return []string{"bd"}
	}
	return []string{"br", "bd"}
}

// Missing says which program isn't installed.
func (b *Beads) Missing() string {
	if b.Dolt {
		return "bd isn't installed"
	}
	return "neither br nor bd is installed"
}

// Advised returns the program for advice. If none is installed, it returns the program to install.
func (b *Beads) Advised() string {
	return cmp.Or(b.Name, b.Names()[0])
}

// Flush returns the command that writes the beads to issues.jsonl.
func (b *Beads) Flush() string {
	if b.Dolt { // has no sync --flush-only
		return "bd export -o .beads/issues.jsonl"
	}
	return b.Advised() + " sync --flush-only"
}

// Ready returns the ready beads, in the order of the program. Errors are *out.Failure. Without a program, the error
// wraps host.ErrNoBr.
func (b *Beads) Ready(ctx context.Context) ([]beads.Bead, error) {
	out, err := b.ask(ctx, brLook, "list the ready beads", "ready", "--json")
	if err != nil {
		return nil, err
	}
	list, err := beads.ParseReady(out)
	if err != nil {
		return nil, b.unread("ready --json", err)
	}
	return list, nil
}

// Show returns one bead. Without such a bead, the error has ExitNone.
func (b *Beads) Show(ctx context.Context, id string) (beads.Bead, error) {
	if err := CheckBead(id); err != nil {
		return beads.Bead{}, err
	}
	args := []string{"show", id, "--json"}
	printed, err := b.askDolt(ctx, "--include-comments", "show "+id, args...)
	if err != nil {
		return beads.Bead{}, err
	}
	if len(bytes.TrimSpace(printed)) == 0 { // bd 0.44 prints nothing for a missing bead
		return beads.Bead{}, &out.Failure{Code: out.ExitNone, What: b.Name + " could not show " + id + ": no issue found."}
	}
	bead, err := beads.ParseShow(printed)
	if err != nil {
		return bead, b.unread(strings.Join(args, " "), err)
	}
	return bead, nil
}

// askDolt runs a program. With Dolt, it adds flag, unless this version of bd doesn't know it.
func (b *Beads) askDolt(ctx context.Context, flag, do string, args ...string) ([]byte, error) {
	if b.Dolt {
		printed, err := b.ask(ctx, brLook, do, append(slices.Clone(args), flag)...)
		if f, ok := errors.AsType[*out.Failure](err); !ok || !strings.Contains(f.What, "unknown flag") {
			return printed, err
		}
	}
	return b.ask(ctx, brLook, do, args...)
}

// Comment adds a comment to a bead, which changes .beads. Call it only at the user's request.
func (b *Beads) Comment(ctx context.Context, id, text string) error {
	if err := CheckBead(id); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(text) == "":
		return &out.Failure{What: "The comment is empty. Write a text."}
	case len(text) > BrText:
		return &out.Failure{What: "The comment is longer than 64 KB, the limit for a bead. Make it shorter."}
	case strings.ContainsRune(text, 0):
		return &out.Failure{What: "The comment contains a NUL byte, which br and bd reject. Remove it."}
	}
	args := []string{"comments", "add", id}
	if strings.HasPrefix(text, "-") { // else it would be a flag
		args = append(args, "--")
	}
	_, err := b.ask(ctx, brWrite, "add a comment to "+id, append(args, text)...)
	return err
}

// CheckBead returns an error unless id is a valid bead ID. No valid ID is a flag.
func CheckBead(id string) error {
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	if id == "" || strings.HasPrefix(id, "-") || strings.ContainsFunc(id, odd) {
		return out.Usage(out.Quoted(id)+" isn't a bead ID. List the beads.", "continuo beads")
	}
	return nil
}

// ask runs the program in the project's root. do names the action in errors, such as "show tea-41".
func (b *Beads) ask(ctx context.Context, limit time.Duration, do string, args ...string) ([]byte, error) {
	if b.Name == "" {
		what := "Neither br nor bd is installed. Install one of them."
		if b.Dolt {
			what = "bd isn't installed. Install it."
		}
		return nil, &out.Failure{What: what, Cause: host.ErrNoBr}
	}
	printed, err := b.host.Br(ctx, limit, b.program, b.root, args...)
	failure, ok := errors.AsType[*host.BrError](err)
	switch {
	case !ok:
		return printed, err
	case errors.Is(err, host.ErrSilent):
		what := b.Name + " could not " + do + ": it took longer than " + strconv.Itoa(int(limit.Seconds())) + " seconds and was ended."
		if limit == brWrite {
			what += " Check its changes before you try again."
		}
		return nil, &out.Failure{What: what, Cause: err}
	}
	return nil, brFailure(b.Name, do, failure)
}

// brFailure returns the message for a failed br.
func brFailure(name, do string, failure *host.BrError) *out.Failure {
	f := &out.Failure{Cause: failure.Err}
	message := failure.Message
	if strings.Contains(strings.ToUpper(failure.Code), "NOT_FOUND") || strings.Contains(message, "no issue found") || strings.Contains(message, "no issues found") {
		f.Code = out.ExitNone
	}
	if exit, ok := errors.AsType[*host.ExitError](failure.Err); ok {
		message = cmp.Or(message, "it ended with exit code "+strconv.Itoa(exit.ExitCode()))
	} else {
		message = out.Reason(failure.Err)
		if errors.Is(failure.Err, fs.ErrNotExist) {
			message = "the program or the folder is gone"
		}
	}
	f.What = name + " could not " + do + ": " + strings.TrimRight(message, ". ") + "."
	if failure.Hint != "" {
		f.What += " " + strings.Replace(out.Sentence(failure.Hint), "?.", "?", 1)
	}
	return f
}

// unread returns the error for unparseable output.
func (b *Beads) unread(args string, err error) *out.Failure {
	return &out.Failure{
		What:  "The output of " + b.Name + " could not be parsed: " + transcript.CleanLine(err.Error()) + ". Run it yourself.",
		Hints: []string{b.Name + " " + args}, Cause: err,
	}
}
