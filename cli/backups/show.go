package backups

import (
	"cmp"
	"context"
	"path/filepath"
	"slices"

	"github.com/charmbracelet/x/ansi"
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/show"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/tui/render"
)

// NewShowCmd returns the command continuo backup show.
func NewShowCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask Ask
	var width int
	cmd := &cobra.Command{
		Use:   "show NAME",
		Short: "Print a backup: its details, then its conversation",
		Long: `Print a backup: its details, then its conversation. The backup counts as reviewed. If a
session has several backups, the newest is printed.

Exit codes: 1 no line of the file is a record, 2 several backups match, 3 no backup
matches.`,
		Example:           `  continuo backup show 11:02`,
		ValidArgsFunction: completeNames(env, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if ask.Words = backupWords(args, env.Now()); !cmd.Flags().Changed("width") {
				width = o.Out.Width
			} else if width <= 0 {
				return out.Usage("--width takes a number of columns, 1 or more.", "continuo backup show --help")
			}
			if err := oneName(cmd, ask.Words); err != nil {
				return err
			}
			return showBackup(cmd.Context(), env, o, &ask, max(width, show.Narrow))
		},
	}
	find.AddProject(cmd, &ask.Project)
	cmd.Flags().IntVar(&width, "width", 0, "wrap at `N` columns (default the width of the terminal, or 80)")
	return cmd
}

// oneName checks that the command has one argument.
func oneName(cmd *cobra.Command, args []string) error {
	if len(args) == 1 && args[0] != "" {
		return nil
	}
	return out.Usage(cmd.Name()+" takes one backup: a file name or its first characters, a path, or a session ID.",
		"continuo backup list --all   lists them", cmd.CommandPath()+" --help")
}

// namedBackup returns the backup that the command's argument names.
func namedBackup(ctx context.Context, env *place.Env, ask *Ask, newest bool) (*Row, *Rows, error) {
	l, err := Read(ctx, env, ask)
	if err != nil {
		return nil, nil, err
	}
	b, err := One(env, l, askedBackups(ctx, env, l, ask), ask.Words[0], newest)
	return b, l, err
}

// askedBackups returns the backups that a name can refer to.
func askedBackups(ctx context.Context, env *place.Env, l *Rows, ask *Ask) []*Row {
	if ask.Project == "" {
		return l.Of(find.Scope{})
	}
	return l.Of(find.ScopeOf(ctx, env, l.Rows, find.Options{Project: ask.Project}))
}

// showBackup prints the facts about a backup and its conversation.
func showBackup(ctx context.Context, env *place.Env, o *out.Output, ask *Ask, width int) error {
	b, l, err := namedBackup(ctx, env, ask, true)
	if err != nil {
		return err
	}
	rememberShown(env, l)
	if err := b.Compare(ctx, false); err != nil {
		return err
	}
	marker := ""
	found, _ := backup.Find(ctx, b.Row.Workdir, env.Now().Location()) // if this fails, no marker is shown
	if i := slices.IndexFunc(found.Backups, func(f backup.Backup) bool { return f.Path == b.Row.Path }); i >= 0 {
		marker = found.Backups[i].Marker
	}
	sum := (&RecordedSums{}).Sum(b)
	if o.JSON {
		columns := append(backupColumns(env),
			out.Column[*Row]{Key: "marker", Value: func(*Row) any { return marker }}, // path, or ""
			// recorded SHA-256, or ""
			out.Column[*Row]{Key: "sum", Value: func(*Row) any { return sum }})
		if err := o.PrintJSON(out.Object(columns, b)); err != nil {
			return err
		}
	} else {
		o.Out.Print(backupHead(env, o, b, marker, sum, width))
	}
	row := b.Row
	if row.State != sessions.StateUnreadable {
		ses := sessions.Read(ctx, row.Path, env.Now())
		ses.ID, ses.Project, ses.Workdir, ses.Created, ses.Flags = row.ID, row.Project, row.Workdir, row.Created, row.Flags
		row.Session = ses
	}
	return show.Row(ctx, env, o, row, l.src, width)
}

// backupHead returns the facts about a backup. On a terminal, paths are cut.
func backupHead(env *place.Env, o *out.Output, b *Row, marker, sum string, width int) string {
	made := "not known"
	if b.Row.Dated() {
		made = b.Row.When().In(env.Now().Location()).Format("2006-01-02 15:04:05")
	}
	_, relation := b.relationText()
	named := "none: it is not pending"
	if marker != "" {
		named = out.CleanPath(filepath.Base(marker)) + ": it is pending"
	}
	live := [4]string{"live file", relation.Text}
	if b.Live != "" {
		live = [4]string{"live file", relation.Text + ": ", env.Tilde(b.Live)}
	}
	text := ""
	for _, fact := range [][4]string{ // label, words, a path, words
		{"made", made + b.madeWhy()},
		{"of", cmp.Or(out.CleanPath(b.Row.Of), "an unknown session") + " in ", env.Tilde(b.Row.Workdir)},
		live,
		{"marker", named},
		{"sum", cmp.Or(out.CleanPath(sum), "no sum was recorded")},
		{"file", "", env.Tilde(b.Row.Path), ", " + words.Size(b.Row.Bytes)},
	} {
		if room := width - writing.PlanAt - ansi.StringWidth(fact[1]+fact[3]); o.Out.Terminal {
			fact[2] = words.CutMiddle(fact[2], max(room, writing.PlanAt))
		}
		text += o.Out.Styles.Paint(render.Faint, render.Pad(fact[0], writing.PlanAt)) + fact[1] + fact[2] + fact[3] + "\n"
	}
	return text + "\n"
}

// madeWhy returns the reason as a phrase after the time, such as ", before a compaction".
func (b *Row) madeWhy() string {
	switch by := b.madeBy(); by {
	case "":
		return ""
	case "compact":
		return ", before a compaction"
	case reasonManual:
		return ", by continuo backup create"
	case ReasonMissed:
		return ", by continuo backup create --missed"
	default:
		return ", at the end of its session: " + by
	}
}
