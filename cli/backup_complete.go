package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
)

// backupArgument completes the arguments of the backup commands.
func backupArgument(ctx context.Context, env *place.Env, cmd *cobra.Command, typed string) ([]find.Candidate, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	at, name := cmd.Flags().NArg(), cmd.Name()
	switch {
	case at > 0 && !backupCommandOf(name).several, name == "list", name == "prune":
		return nil, none
	case name == "create":
		return find.SessionsFor(ctx, env, typed)
	case name != "undo" && (strings.ContainsAny(typed, `/\`) || strings.HasPrefix(typed, ".") || strings.HasPrefix(typed, "~")):
		return nil, cobra.ShellCompDirectiveDefault // a path
	}
	l, err := backups.ReadBackups(ctx, env, nil)
	if err != nil {
		return nil, none
	}
	if name == "undo" {
		return entriesFor(ctx, env, l, typed), none | cobra.ShellCompDirectiveKeepOrder
	}
	var all []find.Candidate
	for i := range l.List {
		r := &l.List[i].Row
		all = append(all, find.Candidate{Word: r.ID, About: words.Moment(env.Now(), r.When()) + ", " + place.ProjectName(r)})
	}
	return find.PlainCandidates(all, typed), none | cobra.ShellCompDirectiveKeepOrder
}

// entriesFor completes the IDs of trash entries.
func entriesFor(ctx context.Context, env *place.Env, l *backups.Rows, typed string) []find.Candidate {
	list, _, _ := backups.ReadTrash(ctx, backups.MemoryFolders(ctx, env, l, find.Scope{})) // unreadable folders have no completions
	all := make([]find.Candidate, len(list))
	for i := range list {
		all[i] = find.Candidate{Word: list[i].Deed.ID, About: list[i].What() + " of " + place.BaseName(list[i].Project)}
	}
	return find.PlainCandidates(all, typed)
}
