package find

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/family"
	"github.com/continuo-tui/continuo/tui/render"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// NewFamilyCmd returns the command continuo family.
func NewFamilyCmd(env *place.Env, o *out.Output) *cobra.Command {
	var latest bool
	cmd := &cobra.Command{
		Use:   "family SESSION",
		Short: "Print the forks and continuations of a session as a tree",
		Long: `Print the family of a session as a tree: the sessions that it comes from, and those
that come from it. A session comes from another one by a fork, a copy, a plan, a
summary, or /clear. On a terminal, the tree also has the sub-agents, hidden branches
and compactions of each session.

Claude Code doesn't record which session was cleared. continuo takes the session of
the same folder that was used last, at most a day before.

Exit codes: 2 several sessions match, 3 no session matches.`,
		Example: `  continuo family --latest
  continuo family 3f9ac1e0 --json`,
		ValidArgsFunction: CompleteSession(env),
		RunE: func(cmd *cobra.Command, args []string) error {
			arg, err := NewSessionArg(cmd, args, latest)
			if err != nil {
				return err
			}
			return printFamily(cmd.Context(), env, o, arg)
		},
	}
	AddLatest(cmd, &latest)
	return cmd
}

// printFamily prints the family of a session.
func printFamily(ctx context.Context, env *place.Env, o *out.Output, arg SessionArg) error {
	row, src, err := Session(ctx, env, arg)
	if err != nil {
		return err
	}
	rows, problem := src.List(ctx, false)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	list := family.Of(slices.Values(out.Pointers(rows)), &row)
	if list == nil { // the file is outside of the searched directories
		list = []family.Member{{Row: &row, ID: row.ID, Parent: -1}}
	}
	if o.Out.Terminal && !o.JSON {
		steps := family.Reader{
			Open: func(ctx context.Context, row sessions.Row) (family.Doc, error) { return src.Open(ctx, row) },
			Line: talk.TitleLine,
		}
		list = family.With(list, func(m *family.Member) []family.Step {
			if m.Row == nil {
				return nil
			}
			return steps.Steps(ctx, *m.Row)
		})
		o.Out.Print(familyText(list, row.Path, render.RowOptions{
			Width: max(min(o.Out.Width-out.ListMargin, out.ListMax), 1), Styles: o.Out.Styles, Now: env.Now(), Command: true,
		}))
	} else if err := familyTable(list, row.Path).Print(o, out.Pointers(list), ""); err != nil {
		return err
	}
	return Incomplete(problem, Scope{})
}

// familyText formats a family as in the browser.
func familyText(list []family.Member, path string, o render.RowOptions) string {
	if len(list) < 2 {
		return strings.Join(render.Wrap(render.Alone(list[0].Row), o.Width), "\n") + "\n"
	}
	lines := []string{render.FamilyHeader(list, o), ""}
	for i := range list {
		lines = append(lines, render.FamilyRow(list, i, path, false, o)...)
	}
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " ")
	}
	return strings.Join(lines, "\n") + "\n"
}

// familyTable describes a family for pipes and --json. Missing sessions have empty facts.
func familyTable(list []family.Member, path string) *out.Table[*family.Member] {
	type member = *family.Member
	row := func(m member) *sessions.Row {
		if m.Row == nil {
			return &sessions.Row{}
		}
		return m.Row.Described()
	}
	file := func(m member) string {
		if m.Row == nil {
			return ""
		}
		return m.Row.Path
	}
	return &out.Table[member]{Piped: "id relation parent shared messages when name", Columns: []out.Column[member]{
		{Key: "id", Value: func(m member) any { return out.Path(m.ID) }},
		{Key: "path", Value: func(m member) any { return out.Path(file(m)) }},
		{Key: "name", Value: func(m member) any { return row(m).Name }},
		{Key: "project", Value: func(m member) any { return row(m).Project }},
		{Key: "relation", Value: func(m member) any { return string(m.Relation) }},
		{Key: "parent", Value: func(m member) any {
			if m.Parent < 0 {
				return ""
			}
			return out.Path(list[m.Parent].ID)
		}},
		{Key: "shared", Value: func(m member) any { return m.At }},
		{Key: "byTime", Value: func(m member) any { return m.ByTime() }},
		{Key: "depth", Value: func(m member) any { return m.Depth }},
		{Key: "messages", Value: func(m member) any { return listMessages(row(m)) }},
		{Key: "lastMessage", Value: func(m member) any { return out.Time(row(m).Last) }},
		{Key: "selected", Value: func(m member) any { return m.Row != nil && file(m) == path }},
		{Key: "when", Tab: func(m member) string { return listWhen(row(m)) }},
	}}
}
