package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

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
  no-record                 there is neither, so nobody can tell
  mismatch                  it has another sum than was recorded
  unreadable                it could not be read

The sums lie beside the backups: sha256sum -c .sums in .claude/memory/raw says the same. A NAME of a session stands for
all of its backups. Into a pipe a row is one line with tabs between: verdict, path, why.

Exit: 1 on a mismatch · 2 when one could not be read · 3 when there is no such backup.
`

// verified is what was found out about a backup.
type verified struct {
	Path    string         `json:"path"`
	Verdict backup.Verdict `json:"verdict"`
	Error   string         `json:"error"` // why it could not be read
	row     *backupRow
}

func newBackupVerifyCmd(d *deps, g *globals) *cobra.Command {
	var ask backupAsk
	cmd := &cobra.Command{
		Use: "verify",
		RunE: func(cmd *cobra.Command, args []string) error {
			ask.words = args
			return d.verifyBackups(cmd.Context(), g, &ask)
		},
	}
	addProject(cmd, &ask)
	return cmd
}

// verifyBackups verifies and prints one after the other: 10 GB take a while.
func (d *deps) verifyBackups(ctx context.Context, g *globals, ask *backupAsk) error {
	list, err := d.toVerify(ctx, g, ask)
	if err != nil {
		return err
	}
	var sums recordedSums
	done := make([]verified, len(list))
	counts := map[backup.Verdict]int{}
	for i, b := range list {
		v := verified{Path: b.row.Path, row: b}
		v.Verdict, err = backup.Verify(ctx, b.row.Path, sums.sum(b), b.live)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			v.Error = reason(err)
		}
		counts[v.Verdict]++
		if done[i] = v; !g.json {
			d.out.print(d.verdictLine(&v))
		}
	}
	if g.json {
		if err := d.printArray(len(done), func(i int) any { return done[i] }); err != nil {
			return err
		}
	}
	sum := verdictSum(len(list), counts)
	switch {
	case counts[backup.VerdictMismatch] > 0:
		return &failure{code: ExitNo, what: sum}
	case counts[backup.VerdictUnreadable] > 0:
		return &failure{what: sum}
	case d.out.terminal && !g.json:
		d.out.print("\n" + sum + "\n")
	case !g.json:
		d.err.print(sum + "\n")
	}
	return nil
}

// toVerify are the backups that are asked for, newest first.
func (d *deps) toVerify(ctx context.Context, g *globals, ask *backupAsk) ([]*backupRow, error) {
	l, err := d.backups(ctx, g, d.folders(ask)...)
	if err != nil {
		return nil, err
	}
	if len(ask.words) == 0 {
		s, err := d.here(ctx, l, ask)
		if err != nil {
			return nil, err
		}
		return l.of(s), nil
	}
	var list []*backupRow
	asked := d.asked(ctx, l, ask)
	have := map[*backupRow]bool{}
	for _, word := range ask.words {
		found := d.named(asked, word)
		if len(found) == 0 {
			return nil, noSuchBackup(word, l.problem)
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

// verdictLine is what was found out about one backup.
func (d *deps) verdictLine(v *verified) string {
	if !d.out.terminal {
		return string(v.Verdict) + "\t" + cleanPath(v.Path) + "\t" + orUnknown(strings.ReplaceAll(oneLine(v.Error), "\t", " ")) + "\n"
	}
	const whenAt, nameAt, wordsAt = 2, 21, 32
	glyph, words := render.Span{Ink: render.Good, Text: "✓"}, "has its recorded sum"
	switch v.Verdict {
	case backup.VerdictSum:
	case backup.VerdictTranscript:
		words = "no sum was recorded; all of it is in the live transcript"
	case backup.VerdictNoRecord:
		glyph, words = render.Span{Ink: render.Faint, Text: "·"}, "no record: nothing to compare it with"
	case backup.VerdictMismatch:
		glyph, words = render.Span{Ink: render.BadBold, Text: "✗"}, "is not what was copied: it has another sum"
	case backup.VerdictUnreadable:
		glyph, words = render.Span{Ink: render.BadBold, Text: "✗"}, "cannot be read: "+oneLine(v.Error)
	}
	width := max(min(d.out.width-listMargin, listMax), wordsAt)
	l := render.NewLine(d.out.styles, width).Spans(glyph).To(whenAt).PutUntil(render.Text, render.Moment(d.now(), v.row.row.When()), nameAt-1)
	l.To(nameAt).PutUntil(render.Muted, projectName(&v.row.row), wordsAt-1).To(wordsAt).Put(render.Muted, words)
	text := strings.TrimRight(l.String(), " ") + "\n"
	if v.Verdict == backup.VerdictMismatch || v.Verdict == backup.VerdictUnreadable {
		text += render.Pad("", nameAt) + cleanPath(v.Path) + "\n"
	}
	return text
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
	add(counts[backup.VerdictNoRecord], "without a record")
	add(counts[backup.VerdictMismatch], "not what was copied")
	add(counts[backup.VerdictUnreadable], "not readable")
	return count(n, "backup") + ": " + strings.Join(parts, ", ") + "."
}
