package cli

import (
	"context"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/tui/render"
)

const helpBackupVerify = `
continuo backup verify [NAME] reads backups whole and says whether each still is what was copied; without NAME all of
this project.

  --project PATH            those of another project
  --json                    one array: {"path":…,"verdict":…,"error":…}

A verdict is one of these:
  ok-by-sum                 it has the SHA-256 that was recorded when it was made
  ok-by-transcript          no sum was recorded, and every byte of it is in the live transcript
  differs                   no sum was recorded, and its transcript does not have all of it
  no-record                 there is neither, so nobody can tell
  mismatch                  it has another sum than was recorded
  unreadable                it could not be read

The sums lie beside the backups: sha256sum -c .sums in .claude/memory/raw says the same. A session id stands for all of
its backups. Into a pipe a row is one line with tabs between: verdict, path, why.

Exit: 1 on a mismatch · 2 when one could not be read · 3 when there is no such backup.
`

// verified is what was found out about a backup.
type verified struct {
	Path    string         `json:"path"`
	Verdict backup.Verdict `json:"verdict"`
	Error   string         `json:"error"` // why it could not be read
	row     *backupRow
}

func newBackupVerifyCmd(env *Env, o *out.Output) *cobra.Command {
	var ask backupAsk
	cmd := &cobra.Command{
		Use: "verify",
		RunE: func(cmd *cobra.Command, args []string) error {
			ask.words = backupWords(args, env.now())
			return verifyBackups(cmd.Context(), env, o, &ask)
		},
	}
	addProject(cmd, &ask)
	return cmd
}

// verifyBackups verifies and prints one after the other: 10 GB take a while.
func verifyBackups(ctx context.Context, env *Env, o *out.Output, ask *backupAsk) error {
	list, err := toVerify(ctx, env, ask)
	if err != nil {
		return err
	}
	var sums recordedSums
	done := make([]verified, len(list))
	counts := map[backup.Verdict]int{}
	grid := newVerdictGrid(o, list)
	for i, b := range list {
		v := verified{Path: b.row.Path, row: b}
		v.Verdict, err = backup.Verify(ctx, b.row.Path, sums.sum(b), b.live)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			v.Error = out.Reason(err)
		}
		counts[v.Verdict]++
		if done[i] = v; !o.JSON {
			o.Out.Print(verdictLine(env, o, &v, grid))
		}
	}
	if o.JSON {
		if err := o.PrintArray(len(done), func(i int) any { return done[i] }); err != nil {
			return err
		}
	}
	sum := verdictSum(len(list), counts)
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

// toVerify are the backups that are asked for, newest first.
func toVerify(ctx context.Context, env *Env, ask *backupAsk) ([]*backupRow, error) {
	l, err := readBackups(ctx, env, ask)
	if err != nil {
		return nil, err
	}
	if len(ask.words) == 0 {
		s, err := backupScope(ctx, env, l, ask)
		if err != nil {
			return nil, err
		}
		return l.of(s), nil
	}
	var list []*backupRow
	asked := askedBackups(ctx, env, l, ask)
	have := map[*backupRow]bool{}
	for _, word := range ask.words {
		found := backupsNamed(env, asked, word)
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

// verdictGrid has the columns of verify in cells. words is where the verdict begins, 0 for a line of its own.
type verdictGrid struct{ width, when, project, words int }

func newVerdictGrid(s *out.Output, list []*backupRow) verdictGrid {
	const wordsLeast = 28 // they may wrap
	longest := 0
	for _, b := range list {
		longest = max(longest, ansi.StringWidth(projectName(&b.row)))
	}
	g := verdictGrid{width: s.Out.Page(), when: backupWhen}
	at := func() int { return backupWhenAt + g.when + backupSession }
	if g.width-at()-longest-2 < wordsLeast {
		g.when = backupWhenLess
	}
	if g.width-at() < wordsLeast+2*leastName {
		g.project = max(min(longest, g.width-at()), 0)
		return g
	}
	g.project = min(longest, g.width-at()-2-wordsLeast)
	g.words = at() + g.project + 2
	return g
}

// verdictLine is what was found out about one backup.
func verdictLine(env *Env, o *out.Output, v *verified, g verdictGrid) string {
	if !o.Out.Terminal {
		return string(v.Verdict) + "\t" + out.CleanPath(v.Path) + "\t" + out.OrUnknown(strings.ReplaceAll(out.OneLine(v.Error), "\t", " ")) + "\n"
	}
	glyph, words := v.words()
	row := v.row
	at := backupWhenAt + g.when
	l := render.NewLine(o.Out.Styles, g.width).Spans(glyph).To(backupWhenAt).PutUntil(render.Text, render.Moment(env.now(), row.row.When()), at-1).
		To(at).PutUntil(render.Faint, row.session(), at+backupSession-1)
	at += backupSession
	l.To(at).PutUntil(render.Muted, projectName(&row.row), at+g.project)
	var text strings.Builder
	put := func(l *render.Line) { text.WriteString(strings.TrimRight(l.String(), " ") + "\n") }
	at = g.words
	if at == 0 {
		put(l)
		at, l = backupWhenAt, nil
	}
	for _, line := range render.Wrap(words, max(g.width-at, planAt)) {
		if l == nil {
			l = render.NewLine(o.Out.Styles, g.width)
		}
		put(l.To(at).Put(render.Muted, line))
		l = nil
	}
	if v.Verdict == backup.VerdictMismatch || v.Verdict == backup.VerdictUnreadable {
		text.WriteString(render.Pad("", backupWhenAt) + render.CutMiddle(out.CleanPath(v.Path), g.width-backupWhenAt) + "\n")
	}
	return text.String()
}

// words are a verdict for a person. With the time, a project of 11 cells and the size they fit a line of a dialog in 80
// columns, which leaves 19 cells; why a file cannot be read does not.
func (v *verified) words() (glyph render.Span, words string) {
	bad := render.Span{Ink: render.BadBold, Text: "✗"}
	switch v.Verdict {
	case backup.VerdictSum:
		return render.Span{Ink: render.Good, Text: "✓"}, "sum as recorded"
	case backup.VerdictTranscript:
		return render.Span{Ink: render.Good, Text: "✓"}, "whole in transcript"
	case backup.VerdictDiffers:
		return render.Span{Ink: render.Warn, Text: "△"}, "transcript differs"
	case backup.VerdictMismatch:
		return bad, "not what was copied"
	case backup.VerdictUnreadable:
		return bad, "cannot be read: " + out.OneLine(v.Error)
	case backup.VerdictNoRecord:
	}
	return render.Span{Ink: render.Faint, Text: "·"}, "without a record"
}

// verdictSum counts: "5 backups: 3 ok, 1 without a record, 1 is not what was copied."
func verdictSum(n int, counts map[backup.Verdict]int) string {
	if n == 0 {
		return "No backups here."
	}
	var parts []string
	add := func(n int, words string) {
		if n > 0 {
			parts = append(parts, render.Count(n)+" "+words)
		}
	}
	add(counts[backup.VerdictSum]+counts[backup.VerdictTranscript], "ok")
	add(counts[backup.VerdictDiffers], "other than the transcript")
	add(counts[backup.VerdictNoRecord], "without a record")
	add(counts[backup.VerdictMismatch], "not what was copied")
	add(counts[backup.VerdictUnreadable], "not readable")
	return out.Count(n, "backup") + ": " + strings.Join(parts, ", ") + "."
}
