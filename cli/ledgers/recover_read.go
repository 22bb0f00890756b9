package ledgers

import (
	"context"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// RecoverLedger reads a level of the ledger of a folder.
func RecoverLedger(ctx context.Context, env *place.Env, ask *RecoverAsk) (r recovery.Result, l survey.Ledger, err error) {
	l, err = place.LookLedger(ctx, env, ask.Dir, survey.LedgerHow{})
	if err != nil {
		return r, l, err
	}
	from := place.Recoverer(env, ask.ck)
	f := from.Facts(ctx, &l)
	from.Prompt(ctx, &l, &f, &ask.Ask)
	r, err = from.Recover(ctx, &l, f, ask.Ask)
	return r, l, err
}

// NothingRecovered returns the error for a missing or unreadable ledger.
func NothingRecovered(env *place.Env, o *out.Output, r *recovery.Result, l *survey.Ledger) error {
	if o.JSON {
		if err := o.PrintJSON(newRecoveredJSON(r)); err != nil {
			return err
		}
	}
	f := &out.Failure{
		Code: out.ExitNone, What: "There is nothing to recover from in " + env.Tilde(l.Project.Root) + ". " + strings.Join(r.Notes, " "),
		Hints: []string{"continuo project   says what is known of it"},
	}
	if l.Trouble != "" {
		f.Code, f.What = out.ExitFailed, l.Trouble
	}
	return f
}

// printRecovered prints the text on stdout and notes on stderr.
func printRecovered(o *out.Output, r *recovery.Result) error {
	if o.JSON {
		return o.PrintJSON(newRecoveredJSON(r))
	}
	text := r.Text
	if o.Out.Terminal {
		text = transcript.Clean(text)
	}
	o.Out.Exact(text)
	if o.Out.Terminal && text != "" && !strings.HasSuffix(text, "\n") {
		o.Out.Exact("\n")
	}
	if o.Out.Terminal && text != "" {
		o.Err.Print("\n")
	}
	sayRecovered(o, r, "")
	return nil
}

// sayRecovered prints the source, size and omissions of a recovery on stderr. done describes its use.
func sayRecovered(s *out.Output, r *recovery.Result, done string) {
	for _, note := range r.Notes {
		s.Err.Print(s.Err.Styles.Paint(render.Warn, "△") + " " + s.Err.Wrapped(out.OneLine(note)))
	}
	for line := range strings.Lines(s.Err.Wrapped(out.JoinSentences(done, recoveredWords(r)))) {
		s.Err.Print(s.Err.Styles.Paint(render.Muted, strings.TrimSuffix(line, "\n")) + "\n")
	}
}

// recoveredWords summarizes a recovery: "Level 1, 92 of 100 tokens, from NOTES.md. Left out: 11 decisions."
func recoveredWords(r *recovery.Result) string {
	text := "Level " + LevelName(r.Level) + ", " + strconv.Itoa(r.Tokens)
	if r.Budget > 0 {
		text += " of " + words.Counted(r.Budget, "token", "tokens")
	} else {
		text = "Level " + LevelName(r.Level) + ", " + words.Counted(r.Tokens, "token", "tokens")
	}
	if len(r.From) > 0 {
		text += ", from " + transcript.CleanLine(strings.Join(r.From, ", "))
	}
	return out.JoinSentences(text+".", ledgerlines.LeftOut(r))
}

// recoveredJSON is a recovery for programs.
type recoveredJSON struct {
	Level   recovery.Level  `json:"level"`
	Tokens  int             `json:"tokens"`
	Budget  int             `json:"budget"` // 0 for no limit
	Query   string          `json:"query"`
	Text    string          `json:"text"`
	LeftOut []leftJSON      `json:"leftOut"`
	From    []string        `json:"from"`
	Notes   []string        `json:"notes"`
	Parts   []recoveredPart `json:"parts"` // empty for level 3, whose text contains the lines
	Copied  bool            `json:"copied,omitempty"`
	File    string          `json:"file,omitempty"`
}

type leftJSON struct {
	What string `json:"what"`
	N    int    `json:"n"`
}

type recoveredPart struct {
	Name  string          `json:"name"`
	Note  string          `json:"note"`
	Lines []recoveredLine `json:"lines"`
}

type recoveredLine struct {
	Text   string        `json:"text"`
	When   *out.Time     `json:"when"`
	Match  [][2]int      `json:"match"` // byte ranges in text
	Ref    string        `json:"ref,omitempty"`
	Status ledger.Status `json:"status,omitempty"`
	Open   bool          `json:"open,omitempty"`
}

func newRecoveredJSON(r *recovery.Result) recoveredJSON {
	printed := recoveredJSON{
		Level: r.Level, Tokens: r.Tokens, Budget: r.Budget, Query: r.Query, Text: r.Text,
		LeftOut: []leftJSON{}, From: append([]string{}, r.From...), Notes: append([]string{}, r.Notes...), Parts: []recoveredPart{},
	}
	for _, l := range r.LeftOut {
		printed.LeftOut = append(printed.LeftOut, leftJSON(l))
	}
	if r.Level == recovery.All {
		return printed
	}
	for _, p := range r.Parts {
		part := recoveredPart{Name: p.Name, Note: p.Note, Lines: []recoveredLine{}}
		for _, l := range p.Lines {
			line := recoveredLine{Text: l.Text, Match: append([][2]int{}, l.Match...), Open: l.Open}
			if !l.When.IsZero() {
				at := out.Time(l.When)
				line.When = &at
			}
			if l.Ref != nil {
				line.Ref = l.Ref.String()
			}
			if l.Check != nil {
				line.Status = l.Check.Status
			}
			part.Lines = append(part.Lines, line)
		}
		printed.Parts = append(printed.Parts, part)
	}
	return printed
}
