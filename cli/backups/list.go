package backups

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/writing"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/tui/render"
)

// NewListCmd returns the command continuo backup list.
func NewListCmd(env *place.Env, o *out.Output) *cobra.Command {
	var ask Ask
	var all, trash bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List backups that are pending or not reviewed",
		Long: `List the raw backups of every known project, newest first: those that are pending, and
those that you haven't reviewed. The column "live file" says whether the transcript of
the session is identical, has grown since, was rewritten since, or is gone. Only the
first and last 64 KB are compared. Without a terminal, every backup is listed.

Exit code 2: part of the list couldn't be read.`,
		Example: `  continuo backup list --all
  continuo backup list --trash`,
		Args: find.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if trash {
				return listTrash(cmd.Context(), env, o, &ask)
			}
			return listBackups(cmd.Context(), env, o, &ask, all)
		},
	}
	cmd.Flags().StringVar(&ask.Project, "project", "", "list only the backups of projects at or below `PATH`")
	find.CompleteFolder(cmd, "project")
	cmd.Flags().BoolVar(&all, "all", false, "list reviewed backups too")
	cmd.Flags().BoolVar(&trash, "trash", false, "list the trash of the projects")
	return cmd
}

// listBackups prints the backups.
func listBackups(ctx context.Context, env *place.Env, o *out.Output, ask *Ask, all bool) error {
	l, err := Read(ctx, env, ask)
	if err != nil {
		return err
	}
	rememberShown(env, l)
	where := find.Scope{}
	if ask.Project != "" {
		where = find.ScopeOf(ctx, env, l.Rows, find.Options{Project: ask.Project})
	}
	list := l.Of(where)
	shown := list
	if o.Out.Terminal && !o.JSON && !all {
		shown = nil
		for _, b := range list {
			if b.Group != backupSeen {
				shown = append(shown, b)
			}
		}
	}
	if err := compareAll(ctx, shown, false); err != nil {
		return err
	}
	ReadTitles(ctx, env, shown)
	sum := backupsSum(list)
	if o.Out.Terminal && !o.JSON {
		slices.SortStableFunc(shown, func(a, b *Row) int {
			return slices.Index(backupGroups(), a.Group) - slices.Index(backupGroups(), b.Group)
		})
		sum = hiddenBackups(len(list)-len(shown)) + sum
	}
	table := backupsTable(env)
	if len(list) > 0 {
		table.Empty = ""
	}
	if err := table.Print(o, shown, sum); err != nil {
		return err
	}
	return find.Incomplete(l.problem, where)
}

// backupsSum returns a count and a size, such as "46 backups, 78 MB."
func backupsSum(list []*Row) string {
	var bytes int64
	for _, b := range list {
		bytes += b.Row.Bytes
	}
	return out.Count(len(list), "backup") + ", " + words.Size(bytes) + "."
}

// hiddenBackups says how to list the n reviewed backups. For 0, it returns "".
func hiddenBackups(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 reviewed backup is hidden: --all shows it. "
	}
	return words.Count(n) + " reviewed backups are hidden: --all shows them. "
}

// backupsTable describes the table of backups.
func backupsTable(env *place.Env) *out.Table[*Row] {
	return &out.Table[*Row]{
		Columns: backupColumns(env),
		Piped:   "name group made madeBy workdir relation bytes session path title",
		Shown:   "made title madeBy project relation bytes session",
		Mark: func(b *Row) render.Span {
			switch {
			case b.fault != "":
				return render.Span{Ink: render.BadBold, Text: "✗"}
			case b.Group == backupPending:
				return render.Span{Ink: render.Urgent, Text: "!"}
			case b.Group == backupSeen:
				return render.Span{Text: " "}
			}
			return render.Span{Ink: render.Faint, Text: "·"}
		},
		Group: func(b *Row) string {
			switch b.Group {
			case backupPending:
				return "Pending"
			case backupUnseen:
				return "Not reviewed"
			case backupSeen:
			}
			return "Reviewed"
		},
		Empty: "No backups. In projects with the hooks of continuo init, each session is backed up when it ends or is compacted.",
	}
}

// backupColumns returns the columns of a backup, in the order of the JSON.
func backupColumns(env *place.Env) []out.Column[*Row] {
	live := func(b *Row) any {
		if b.Live == "" {
			return nil // no transcript, or an unknown session
		}
		return b.Live
	}
	return []out.Column[*Row]{
		{Key: "name", Value: func(b *Row) any { return out.Path(b.Row.ID) }}, // file name without .jsonl
		{Key: "path", Value: func(b *Row) any { return out.Path(b.Row.Path) }},
		{Key: "title", Head: "session", Least: 16, Max: 40, Value: func(b *Row) any { return render.Plain(b.Row.OfTitle) }}, // "" if unknown
		{
			Key: "project", Head: "project", Ink: render.Muted, Least: 9, Max: writing.PlanName, Leave: 3,
			Value: func(b *Row) any { return b.Row.Project }, Text: func(b *Row) string { return place.ProjectName(&b.Row) },
		},
		// Folder of the memory
		{Key: "workdir", Value: func(b *Row) any { return out.Path(b.Row.Workdir) }},
		{Key: "group", Value: func(b *Row) any { return string(b.Group) }},
		{
			Key: "made", Head: "when", Value: func(b *Row) any { return out.Time(b.Row.When()) },
			Tab: func(b *Row) string {
				if !b.Row.Dated() {
					return ""
				}
				return out.When(b.Row.When())
			},
			Text: func(b *Row) string { return words.Moment(env.Now(), b.Row.When()) },
		},
		{Key: "modified", Value: func(b *Row) any { return out.Time(b.Row.Modified) }},
		{Key: "madeBy", Head: "made by", Ink: render.Muted, Leave: 1, Value: func(b *Row) any { return b.madeBy() }},
		{
			Key: "session", Head: "id", Ink: render.Faint, Leave: 4,
			Value: func(b *Row) any { return out.Path(b.Row.Of) }, Text: (*Row).session,
		},
		{
			Key: "bytes", Head: "size", Ink: render.Muted, Right: true, Leave: 2,
			Value: func(b *Row) any { return b.Row.Bytes }, Text: func(b *Row) string { return words.Size(b.Row.Bytes) },
		},
		{Key: "live", Value: live},
		{ // same, grown, rewritten or gone; "" if unknown
			Key: "relation", Head: "live file", Least: 17, Leave: 5, Value: func(b *Row) any { return string(b.relation) },
			Tab: func(b *Row) string { return cmp.Or(strings.ReplaceAll(b.fault, " ", "-"), string(b.relation)) },
			Cell: func(b *Row) []render.Span {
				mark, words := b.relationText()
				return []render.Span{mark, {Text: " "}, words}
			},
		},
		{Key: "fault", Value: func(b *Row) any { return b.fault }},
		{Key: "reason", Value: func(b *Row) any { return b.Row.Reason }}, // why the backup can't be read
	}
}
