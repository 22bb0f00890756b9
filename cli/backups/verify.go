package backups

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/tui/render"
)

// Verified is the result of verifying one backup.
type Verified struct {
	Verdict backup.Verdict
	Err     string
	Row     *Row
}

// NewVerifyCmd returns the command continuo backup verify.
func NewVerifyCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask Ask
	cmd := &cobra.Command{
		Use:   "verify [NAME...]",
		Short: "Check that backups are unchanged since they were copied",
		Long: `Read backups completely and check that each is unchanged since it was copied.
Without NAME, all backups of this project are checked. The results:

  ok-by-sum         it has the SHA-256 that was recorded when it was made
  ok-by-transcript  no sum was recorded; every byte is in the live transcript
  differs           no sum was recorded; the live transcript lacks part of it
  no-record         neither a recorded sum nor a transcript exists
  mismatch          its SHA-256 differs from the recorded one
  unreadable        it couldn't be read

Exit codes: 1 mismatch, 2 a backup couldn't be read, 3 no such backup.`,
		Example:           `  continuo backup verify`,
		ValidArgsFunction: completeNames(env, manyNames),
		RunE: func(cmd *cobra.Command, args []string) error {
			ask.Words = backupWords(args, env.Now())
			return verifyBackups(cmd.Context(), env, o, &ask)
		},
	}
	find.AddProject(cmd, &ask.Project)
	return cmd
}

// verifyBackups prints each result at once: 10 GB take a while.
func verifyBackups(ctx context.Context, env *place.Env, o *out.Output, ask *Ask) error {
	list, err := toVerify(ctx, env, ask)
	if err != nil {
		return err
	}
	var sums RecordedSums
	done := make([]*Verified, len(list))
	for i, b := range list {
		done[i] = &Verified{Row: b}
	}
	counts := map[backup.Verdict]int{}
	table := verdictTable(env)
	grid := table.Grid(o, done)
	for _, v := range done {
		v.Verdict, err = backup.Verify(ctx, v.Row.Row.Path, sums.Sum(v.Row), v.Row.Live)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			v.Err = out.Reason(err)
		}
		counts[v.Verdict]++
		grid.Print(v)
	}
	if o.JSON {
		if err := table.Print(o, done, ""); err != nil {
			return err
		}
	}
	sum := VerdictSum(len(list), counts)
	switch {
	case counts[backup.VerdictMismatch] > 0:
		return &out.Failure{Code: out.ExitNo, What: sum}
	case counts[backup.VerdictUnreadable] > 0:
		return &out.Failure{What: sum}
	case o.Out.Terminal && !o.JSON:
		o.Out.Print("\n" + o.Out.Wrapped(sum))
	case !o.JSON:
		o.Err.Print(sum + "\n")
	}
	return nil
}

// toVerify returns the selected backups, newest first.
func toVerify(ctx context.Context, env *place.Env, ask *Ask) ([]*Row, error) {
	l, err := Read(ctx, env, ask)
	if err != nil {
		return nil, err
	}
	if len(ask.Words) == 0 {
		s, err := ScopeOf(ctx, env, l, ask)
		if err != nil {
			return nil, err
		}
		return l.Of(s), nil
	}
	var list []*Row
	asked := askedBackups(ctx, env, l, ask)
	have := map[*Row]bool{}
	for _, word := range ask.Words {
		found := Named(env, asked, word)
		switch {
		case len(found) == 0:
			return nil, noSuchBackup(word, l.problem)
		case len(found) > 1 && !isSession(found, word):
			return nil, severalBackups(env, found, word)
		}
		for _, b := range found {
			if !have[b] {
				have[b] = true
				list = append(list, b)
			}
		}
	}
	return list, nil
}

// verdictTable describes the table of verdicts.
func verdictTable(env *place.Env) *out.Table[*Verified] {
	return &out.Table[*Verified]{
		Columns: []out.Column[*Verified]{
			{Key: "path", Value: func(v *Verified) any { return out.Path(v.Row.Row.Path) }},
			{Key: "verdict", Value: func(v *Verified) any { return string(v.Verdict) }},
			{Key: "error", Value: func(v *Verified) any { return v.Err }, Tab: func(v *Verified) string { return v.Err }},
			{Key: "made", Text: func(v *Verified) string { return words.Moment(env.Now(), v.Row.Row.When()) }},
			{Key: "session", Ink: render.Faint, Text: func(v *Verified) string { return v.Row.session() }},
			{Key: "project", Ink: render.Muted, Least: LeastName, Text: func(v *Verified) string { return place.ProjectName(&v.Row.Row) }},
			{Key: "words", Below: true, Least: 28, Cell: func(v *Verified) []render.Span {
				_, words := v.Words()
				return []render.Span{{Ink: render.Muted, Text: words}}
			}},
		},
		Piped: "verdict path error",
		Shown: "made session project words",
		Mark: func(v *Verified) render.Span {
			glyph, _ := v.Words()
			return glyph
		},
		Note: func(v *Verified) string {
			if v.Verdict == backup.VerdictMismatch || v.Verdict == backup.VerdictUnreadable {
				return v.Row.Row.Path
			}
			return ""
		},
	}
}

// Words returns the verdict in at most 19 cells, for a dialog of 80 columns. A read error may be longer.
func (v *Verified) Words() (glyph render.Span, words string) {
	bad := render.Span{Ink: render.BadBold, Text: "✗"}
	switch v.Verdict {
	case backup.VerdictSum:
		return render.Span{Ink: render.Good, Text: "✓"}, "checksum matches"
	case backup.VerdictTranscript:
		return render.Span{Ink: render.Good, Text: "✓"}, "in the transcript"
	case backup.VerdictDiffers:
		return render.Span{Ink: render.Warn, Text: "△"}, "transcript differs"
	case backup.VerdictMismatch:
		return bad, "checksum differs"
	case backup.VerdictUnreadable:
		return bad, "cannot be read: " + out.OneLine(v.Err)
	case backup.VerdictNoRecord:
	}
	return render.Span{Ink: render.Faint, Text: "·"}, "nothing to compare"
}

// VerdictSum counts the verdicts: "5 backups: 3 ok, 1 with nothing to compare, 1 changed since copied."
func VerdictSum(n int, counts map[backup.Verdict]int) string {
	if n == 0 {
		return "No backups here."
	}
	var parts []string
	add := func(n int, text string) {
		if n > 0 {
			parts = append(parts, words.Count(n)+" "+text)
		}
	}
	add(counts[backup.VerdictSum]+counts[backup.VerdictTranscript], "ok")
	add(counts[backup.VerdictDiffers], "different from the transcript")
	add(counts[backup.VerdictNoRecord], "with nothing to compare")
	add(counts[backup.VerdictMismatch], "changed since copied")
	add(counts[backup.VerdictUnreadable], "unreadable")
	return out.Count(n, "backup") + ": " + strings.Join(parts, ", ") + "."
}
