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
	quoteRunes = 160     // of a line that is quoted because no quote was given
	codeMost   = 4 << 20 // bytes of a file of code, as of ledger.Checker
)

// ground looks up the evidence in the code and says what is not so. What is typed is written as the spec wants it, and
// gets the quote of its line where it has none. It also holds a handoff to the ratio of the config. The error is that of
// ctx.
func (n *Noting) ground(ctx context.Context, env *place.Env, places []string) ([]string, error) {
	var wrong []string
	for _, typed := range places {
		ref, quote, ok := parsePlace(typed)
		if !ok {
			wrong = append(wrong, "evidence: "+out.Quoted(typed)+" names no file. Write src/a.go:12 | quote.")
			continue
		}
		n.Entry.Evidence = append(n.Entry.Evidence, notes.Evidence{Ref: ref, Quote: quote})
	}
	look := n.project.NewChecker()
	for i := range n.Entry.Evidence {
		if why := n.groundOne(ctx, env, look, &n.Entry.Evidence[i]); why != "" {
			wrong = append(wrong, "evidence: "+why)
		}
	}
	if why := n.ratio(); why != "" {
		wrong = append(wrong, why)
	}
	return wrong, ctx.Err()
}

// parsePlace reads evidence as it is typed: path:line, with the quote behind it or behind a bar, or `quote` [path:line] as
// NOTES.md has it.
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

// unquoted is a quote without the backticks around it.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 2 && s[0] == '`' && s[len(s)-1] == '`' && strings.Count(s, "`") == 2 {
		s = s[1 : len(s)-1]
	}
	return s
}

// groundOne looks up one place; "" it is as it says.
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
			return name + " is a blank line. Name one with code."
		}
		stored := harmlessQuote(e.Quote)
		if stored == e.Quote || stored != "" && look.Check(ctx, ref, stored).Status == ledger.Holds {
			e.Quote = stored
			return ""
		}
		return name + " has control characters in what is quoted, which are not written. Quote a part of the line without them."
	case ledger.Moved:
		return fmt.Sprintf("%s does not have the quote: it is at line %d. Write %s:%d.", name, c.At, path, c.At)
	case ledger.NoQuote:
		says := words.Cut(transcript.CleanLine(n.codeLine(ctx, ref)), NoteCells)
		return name + " does not have “" + words.Cut(transcript.CleanLine(e.Quote), NoteCells) + "”. It says “" + says + "”."
	case ledger.NoLine:
		return name + " is not there: the file has " + out.Count(c.Lines, "line") + "."
	case ledger.NoFile:
		if c.To != "" {
			return name + " is not there. Is it " + transcript.CleanLine(c.To) + " by now?"
		}
		return name + " is not there."
	case ledger.Outside:
		return name + " leads out of the project."
	default:
		return name + " cannot be looked up: " + transcript.CleanLine(c.Problem) + "."
	}
}

// harmlessQuote is a quote without what no file of notes gets: control characters and broken bytes.
func harmlessQuote(quote string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r != '\t' && unicode.IsControl(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(quote, "\uFFFD")))
}

// rooted is a place as it is below the root. What is typed is below the root, or below the current folder.
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

// codeLine is the line that a place names, as it is quoted; "" it is blank, or cannot be read.
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

// quoteOf is a line of code as it is quoted: without the blanks around it, and not all of a long one.
func quoteOf(line string) string {
	runes := []rune(strings.TrimSpace(line))
	return strings.TrimSpace(string(runes[:min(len(runes), quoteRunes)]))
}

// ratio says what is wrong with the ratio of a handoff: the spec wants that of the config at least.
func (n *Noting) ratio() string {
	if n.Entry.Kind != notes.EntryHandoff || n.Entry.Ratio == "" {
		return ""
	}
	least := n.project.Config.Grounding.Threshold
	ratio, err := strconv.ParseFloat(n.Entry.Ratio, 64)
	if err != nil || ratio < 0 || ratio > 1 || ratio >= least {
		return "" // what is no ratio at all, the check of its form says
	}
	return "grounding_ratio: " + n.Entry.Ratio + " is below " + strconv.FormatFloat(least, 'f', -1, 64) + ", so the work is not to be handed on yet. Ground its claims first."
}
