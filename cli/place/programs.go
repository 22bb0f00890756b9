package place

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
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger/beads"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/transcript"
)

// The limits for br.
const (
	BrLook  = 5 * time.Second  // usually, br answers in 20 ms
	brWrite = 20 * time.Second // br writes its database, and the whole file issues.jsonl
	BrText  = 64 << 10         // maximum bytes of a comment; Linux limits an argument to 128 KB
)

// BrReady returns the ready beads of a project in the order of br. Only continuo start uses it. Other commands
// read issues.jsonl. An error is an *out.Failure. If no program is installed, it wraps host.ErrNoBr.
func BrReady(ctx context.Context, h host.Host, root string) ([]beads.Bead, error) {
	out, err := AskBr(ctx, h, BrLook, root, "list the ready beads", "ready", "--json")
	if err != nil {
		return nil, err
	}
	list, err := beads.ParseReady(out)
	if err != nil {
		return nil, brUnread(h, "ready --json", err)
	}
	return list, nil
}

// BrShow returns one bead as br shows it. If there is no such bead, the exit code of the error is ExitNone.
func BrShow(ctx context.Context, h host.Host, root, id string) (beads.Bead, error) {
	if err := CheckBead(id); err != nil {
		return beads.Bead{}, err
	}
	out, err := AskBr(ctx, h, BrLook, root, "show "+id, "show", id, "--json")
	if err != nil {
		return beads.Bead{}, err
	}
	b, err := beads.ParseShow(out)
	if err != nil {
		return b, brUnread(h, "show "+id+" --json", err)
	}
	return b, nil
}

// BrComment adds a comment to a bead. This writes to .beads, so call it only if the user has asked for it.
func BrComment(ctx context.Context, h host.Host, root, id, text string) error {
	if err := CheckBead(id); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(text) == "":
		return &out.Failure{What: "The comment is empty. Write a text."}
	case len(text) > BrText:
		return &out.Failure{What: "The comment is longer than 64 KB, the limit of br. Make it shorter."}
	case strings.ContainsRune(text, 0):
		return &out.Failure{What: "The comment contains a NUL byte, which br rejects. Remove it."}
	}
	args := []string{"comments", "add", id}
	if strings.HasPrefix(text, "-") { // with --, br can't take the text for a flag
		args = append(args, "--")
	}
	_, err := AskBr(ctx, h, brWrite, root, "add a comment to "+id, append(args, text)...)
	return err
}

// CheckBead returns an error if id isn't the ID of a bead. So br can't take it for a flag.
func CheckBead(id string) error {
	odd := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }
	if id == "" || strings.HasPrefix(id, "-") || strings.ContainsFunc(id, odd) {
		return out.Usage(out.Quoted(id)+" isn't a bead ID. List the beads.", "continuo beads")
	}
	return nil
}

// AskBr runs br in the root of a project. It returns the output of br. In errors, do says what br should do, such
// as "show tea-41".
func AskBr(ctx context.Context, h host.Host, limit time.Duration, root, do string, args ...string) ([]byte, error) {
	printed, err := h.Br(ctx, limit, root, args...)
	failure, ok := errors.AsType[*host.BrError](err)
	switch {
	case errors.Is(err, host.ErrNoBr):
		return nil, &out.Failure{What: "Neither br nor bd is installed. Install beads_rust, which provides br.", Cause: err}
	case !ok:
		return printed, err
	case errors.Is(err, host.ErrSilent):
		what := h.BrName() + " could not " + do + ": it took longer than " + strconv.Itoa(int(limit.Seconds())) + " seconds and was ended."
		if limit == brWrite {
			what += " Check its changes before you try again."
		}
		return nil, &out.Failure{What: what, Cause: err}
	}
	return nil, brFailure(h.BrName(), do, failure)
}

// brFailure returns the error for a br that failed. It has the reason in the words of br or of the system.
func brFailure(name, do string, failure *host.BrError) *out.Failure {
	f := &out.Failure{Cause: failure.Err}
	message := failure.Message
	if strings.Contains(strings.ToUpper(failure.Code), "NOT_FOUND") {
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

// brUnread returns the error for an output that could not be parsed.
func brUnread(h host.Host, args string, err error) *out.Failure {
	return &out.Failure{
		What:  "The output of " + h.BrName() + " could not be parsed: " + transcript.CleanLine(err.Error()) + ". Run it yourself.",
		Hints: []string{h.BrName() + " " + args}, Cause: err,
	}
}

// SearchCK searches the directory of a NOTES.md with ck. The paths of the hits are relative to root. The text of
// the error is a sentence.
func SearchCK(ctx context.Context, h host.Host, dir, root, query string) ([]recovery.Hit, error) {
	query = strings.TrimLeft(query, "- ") // so ck can't take the query for a flag
	if query == "" {
		return nil, errors.New("ck was not run: the query has no words")
	}
	out, reported, err := h.Ck(ctx, dir, root, query)
	hits := ckParse(out, root)
	switch {
	case errors.Is(err, host.ErrNoProgram):
		return nil, errors.New("ck is not installed")
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, host.ErrSilent):
		return nil, errors.New("ck took longer than 20 seconds and was ended")
	case len(hits) > 0:
		return hits, nil
	case err == nil:
		return nil, errors.New("ck found nothing")
	}
	return nil, errors.New("ck failed: " + strings.TrimRight(cmp.Or(reported, "it gave no reason"), "."))
}

// ckParse parses the output of ck --jsonl, in which the best hits are first. A line is
// {"path","span":{"line_start","line_end"},"snippet","score"}. It skips lines that are invalid.
func ckParse(out []byte, root string) []recovery.Hit {
	var hits []recovery.Hit
	for line := range bytes.Lines(out) {
		var h struct {
			Path string `json:"path"`
			Span struct {
				From int `json:"line_start"`
				To   int `json:"line_end"`
			} `json:"span"`
			Snippet string  `json:"snippet"`
			Score   float64 `json:"score"`
		}
		if json.Unmarshal(line, &h) != nil || h.Path == "" {
			continue
		}
		path := h.Path
		if rel, err := filepath.Rel(root, path); err == nil && filepath.IsAbs(path) {
			path = rel
		}
		hits = append(hits, recovery.Hit{
			File: filepath.ToSlash(filepath.Clean(path)), From: h.Span.From, To: max(h.Span.From, h.Span.To), Text: h.Snippet, Similarity: h.Score,
		})
	}
	return hits
}

// GitSaid returns the first line of an error message of git.
func GitSaid(err error) string {
	exit, ok := errors.AsType[*host.ExitError](err)
	if !ok {
		return out.Reason(err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
	first, _, _ = strings.Cut(first, " (or any of") // shorten "not a git repository (or any of ...)"
	if first = transcript.CleanLine(strings.TrimPrefix(first, "fatal: ")); first == "" {
		return exit.Error()
	}
	return strings.TrimSuffix(first, ".")
}
