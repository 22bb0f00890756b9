package ledgers

import (
	"context"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/entries"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions/survey"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/ledgerlines"
)

// Recover makes a recovery from the ledger of a folder.
func Recover(ctx context.Context, env *place.Env, ask *RecoverAsk) (r recovery.Result, l survey.Ledger, err error) {
	l, err = place.LookLedger(ctx, env, ask.Dir, survey.LedgerHow{})
	if err != nil {
		return r, l, err
	}
	from := place.Recoverer(env, ask.ck)
	f := from.Facts(ctx, &l)
	from.Prompt(ctx, &l, &f, &ask.Ask)
	if r, err = from.Recover(ctx, &l, f, ask.Ask); err != nil {
		return r, l, err
	}
	l.Missing = entries.Missing(ctx, env, &l)
	MentionMissing(&r, &l)
	return r, l, nil
}

// MentionMissing adds a remark for each missing part of the ledger.
func MentionMissing(r *recovery.Result, l *survey.Ledger) {
	for _, part := range l.Missing {
		r.Notes = append(r.Notes, part+" continuo heal restores it.")
	}
}

// NothingRecovered returns the error for an empty ledger or an unreadable NOTES.md.
func NothingRecovered(env *place.Env, o *out.Output, r *recovery.Result, l *survey.Ledger) error {
	if o.JSON {
		if err := o.PrintJSON(recoveredRecord(r)); err != nil {
			return err
		}
	}
	f := &out.Failure{
		Code: out.ExitNone, What: "There is nothing to recover from in " + env.Tilde(l.Project.Root) + ". " + strings.Join(r.Notes, " "),
		Hints: []string{"continuo project   shows the state of the project"},
	}
	if len(l.Missing) > 0 {
		f.Hints = append([]string{healHint}, f.Hints...)
	}
	if l.Trouble != "" {
		f.Code, f.What = out.ExitFailed, l.Trouble
	}
	return f
}

// printRecovered prints the recovery to stdout, and its size to stderr. A terminal shows tables in columns.
func printRecovered(o *out.Output, r *recovery.Result) error {
	if o.JSON {
		return o.PrintJSON(recoveredRecord(r))
	}
	text := r.Text
	if o.Out.Terminal {
		text = ledgerlines.Tables(transcript.Clean(text), o.Out.Width)
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

// sayRecovered prints the level, the size, the sources and the omissions to stderr. done says where the recovery
// was written, and is printed first.
func sayRecovered(s *out.Output, r *recovery.Result, done string) {
	for _, note := range r.Notes {
		s.Err.Print(s.Err.Styles.Paint(render.Warn, "△") + " " + s.Err.Wrapped(out.OneLine(note)))
	}
	for line := range strings.Lines(s.Err.Wrapped(out.JoinSentences(done, recoveredWords(r)))) {
		s.Err.Print(s.Err.Styles.Paint(render.Muted, strings.TrimSuffix(line, "\n")) + "\n")
	}
}

// recoveredWords summarises a recovery: "Level 1, 92 of 100 tokens, from NOTES.md. Left out: 11 decisions."
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

// recoveredRecord describes a recovery for programs. A budget of 0 is no limit. At level 3, the field parts is
// empty: the field text has all lines. The field mark has the letters of a line's stores, such as NB. The field
// match has byte ranges.
func recoveredRecord(r *recovery.Result) *out.Record {
	printed := out.NewRecord().Set("level", r.Level).Set("tokens", r.Tokens).Set("budget", r.Budget).Set("query", r.Query).Set("text", r.Text)
	left := printed.List("leftOut")
	for _, l := range r.LeftOut {
		left.Add().Set("what", l.What).Set("n", l.N)
	}
	parts := printed.Set("from", out.OrEmpty(r.From)).Set("notes", out.OrEmpty(r.Notes)).List("parts")
	if r.Level == recovery.All {
		return printed
	}
	for _, p := range r.Parts {
		lines := parts.Add().Set("name", p.Name).Set("note", p.Note).List("lines")
		for _, l := range p.Lines {
			line := lines.Add().Set("mark", l.Mark()).Set("text", l.Text).Set("when", out.Time(l.When)).Set("match", out.OrEmpty(l.Match))
			if l.Ref != nil {
				line.Set("ref", l.Ref.String())
			}
			if l.Check != nil && l.Check.Status != "" {
				line.Set("status", l.Check.Status)
			}
			if l.Open {
				line.Set("open", true)
			}
			if l.Old {
				line.Set("superseded", true)
			}
		}
	}
	return printed
}
