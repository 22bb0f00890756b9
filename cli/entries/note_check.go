package entries

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/notes"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	quoteRunes = 160     // maximum length of an added quote, in characters
	codeMost   = 4 << 20 // maximum size of a source file, in bytes; as in ledger.Checker
)

// ground checks the evidence against the code, and returns the problems. It puts typed evidence into the
// standard form. For a handoff, it also checks the grounding ratio. It returns an error only if ctx ends.
func (n *Noting) ground(ctx context.Context, env *place.Env, places []string) ([]string, error) {
	var wrong []string
	field, example := "evidence: ", " names no file. Write a file, a line and a quote, such as src/a.go:12 | quote."
	if n.Entry.Kind == notes.EntryReference {
		field, example = "identifier: ", " names no file. Write a file and a line, such as src/a.go:12."
	}
	for _, typed := range places {
		ref, quote, ok := parsePlace(typed)
		if !ok {
			wrong = append(wrong, field+out.Quoted(typed)+example)
			continue
		}
		n.Entry.Evidence = append(n.Entry.Evidence, notes.Evidence{Ref: ref, Quote: quote})
	}
	look := n.project.NewChecker()
	for i := range n.Entry.Evidence {
		if why := n.groundOne(ctx, env, look, &n.Entry.Evidence[i]); why != "" {
			wrong = append(wrong, field+why)
		}
	}
	if why := n.ratio(); why != "" {
		wrong = append(wrong, why)
	}
	return wrong, ctx.Err()
}

// parsePlace parses typed evidence: path:line and a quote, or `quote` [path:line].
func parsePlace(typed string) (ref ledger.Ref, quote string, ok bool) {
	s := strings.TrimSpace(typed)
	if ref, ok = ledger.ParseRef(s); ok {
		return ref, "", true
	}
	left, right, bar := strings.Cut(s, "|")
	if ref, ok = ledger.ParseRef(left); ok && bar {
		return ref, unquoted(right), true
	}
	if at := strings.IndexAny(s, " \t"); at > 0 {
		if ref, ok = ledger.ParseRef(s[:at]); ok {
			return ref, unquoted(s[at:]), true
		}
	}
	if at := strings.LastIndexByte(s, '['); at > 0 && s[0] == '`' {
		if ref, ok = ledger.ParseRef(s[at:]); ok {
			return ref, unquoted(s[:at]), true
		}
	}
	return ref, "", false
}

// unquoted removes backticks around a quote.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 2 && s[0] == '`' && s[len(s)-1] == '`' && strings.Count(s, "`") == 2 {
		s = s[1 : len(s)-1]
	}
	return s
}

// groundOne checks one piece of evidence, and returns the problem or "".
func (n *Noting) groundOne(ctx context.Context, env *place.Env, look *ledger.Checker, e *notes.Evidence) string {
	name := transcript.CleanLine(e.Ref.Raw)
	ref, ok := n.rooted(env, e.Ref)
	if !ok {
		return name + " leads out of the project."
	}
	e.Ref = ref
	path := transcript.CleanLine(ref.Path)
	switch {
	case ref.From == 0:
		return name + " names no line. Write " + path + ":12."
	case strings.Contains(e.Quote, "\n"):
		return name + " has a quote of several lines. Quote one."
	}
	switch c := look.Check(ctx, ref, e.Quote); c.Status {
	case ledger.Holds:
		if e.Quote == "" {
			e.Quote = n.codeLine(ctx, ref)
		}
		if e.Quote == "" {
			return name + " is a blank line. Name a line that has code."
		}
		stored := harmlessQuote(e.Quote)
		if stored == e.Quote || stored != "" && look.Check(ctx, ref, stored).Status == ledger.Holds {
			e.Quote = stored
			return ""
		}
		return name + " has control characters in the quoted text. Quote a part of the line without them."
	case ledger.Moved:
		return fmt.Sprintf("%s does not have the quote: the quote is at line %d. Write %s:%d.", name, c.At, path, c.At)
	case ledger.NoQuote:
		says := words.Cut(transcript.CleanLine(n.codeLine(ctx, ref)), NoteCells)
		return name + " does not have “" + words.Cut(transcript.CleanLine(e.Quote), NoteCells) + "”. It says “" + says + "”."
	case ledger.NoLine:
		return name + " does not exist: the file has " + out.Count(c.Lines, "line") + "."
	case ledger.NoFile:
		if c.To != "" {
			return name + " does not exist. Did you mean " + transcript.CleanLine(c.To) + "?"
		}
		return name + " does not exist."
	case ledger.Outside:
		return name + " leads out of the project."
	default:
		return name + " cannot be looked up: " + transcript.CleanLine(c.Problem) + "."
	}
}

// harmlessQuote removes control characters and invalid bytes.
func harmlessQuote(quote string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(quote, "\uFFFD")))
}

// rooted returns a reference relative to the root. A typed path is relative to the root or to the current
// folder. It returns false for a path outside of the project.
func (n *Noting) rooted(env *place.Env, ref ledger.Ref) (ledger.Ref, bool) {
	root := n.project.Root
	path := filepath.FromSlash(ref.Path)
	switch ref.Form {
	case ledger.FormHard:
	case ledger.FormHome:
		path = place.ExpandHome(path, env.Home)
	case ledger.FormRelative:
		here := filepath.Join(env.Dir, path)
		path = filepath.Join(root, path)
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && env.Dir != "" && place.Within(place.RealPath(here), place.RealPath(root)) {
			if _, err := os.Stat(here); err == nil {
				path = here
			}
		}
	case ledger.FormRooted:
		path = filepath.Join(root, path)
	}
	below, err := filepath.Rel(root, path)
	if err != nil || !filepath.IsLocal(below) {
		if below, err = filepath.Rel(place.RealPath(root), place.RealPath(path)); err != nil || !filepath.IsLocal(below) {
			return ref, false
		}
	}
	ref.Path, ref.Form = filepath.ToSlash(below), ledger.FormRooted
	ref.Raw = ref.String()
	return ref, true
}

// codeLine returns the line that ref names as a quote; "" if it is blank or unreadable.
func (n *Noting) codeLine(ctx context.Context, ref ledger.Ref) string {
	text, _, err := ledger.ReadText(ctx, n.project.Root, filepath.FromSlash(ref.Path), codeMost)
	if err != nil {
		return ""
	}
	number := 0
	for line := range strings.Lines(string(text)) {
		if number++; number == ref.From {
			return quoteOf(line)
		}
	}
	return ""
}

// quoteOf shortens a line of code for a quote.
func quoteOf(line string) string {
	runes := []rune(strings.TrimSpace(line))
	return strings.TrimSpace(string(runes[:min(len(runes), quoteRunes)]))
}

// ratio returns a problem if a handoff's grounding ratio is below the limit.
func (n *Noting) ratio() string {
	if n.Entry.Kind != notes.EntryHandoff || n.Entry.Ratio == "" {
		return ""
	}
	least := n.project.Config.Grounding.Threshold
	ratio, err := strconv.ParseFloat(n.Entry.Ratio, 64)
	if err != nil || ratio < 0 || ratio > 1 || ratio >= least {
		return "" // the check of the form reports this
	}
	return "grounding_ratio: " + n.Entry.Ratio + " is below " + strconv.FormatFloat(least, 'f', -1, 64) + ". Ground more claims before the handoff."
}
