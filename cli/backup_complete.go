package cli

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/internal/words"
)

// backupArgument completes the arguments of the commands of backup.
func backupArgument(ctx context.Context, env *Env, cmd *cobra.Command, typed string) ([]candidate, cobra.ShellCompDirective) {
	const none = cobra.ShellCompDirectiveNoFileComp
	at, name := cmd.Flags().NArg(), cmd.Name()
	switch {
	case at > 0 && !backupCommandOf(name).several, name == "list", name == "prune":
		return nil, none
	case name == "create":
		return sessionsFor(ctx, env, typed)
	case name != "undo" && (strings.ContainsAny(typed, `/\`) || strings.HasPrefix(typed, ".") || strings.HasPrefix(typed, "~")):
		return nil, cobra.ShellCompDirectiveDefault // a path
	}
	l, err := readBackups(ctx, env, nil)
	if err != nil {
		return nil, none
	}
	if name == "undo" {
		return entriesFor(ctx, env, l, typed), none | cobra.ShellCompDirectiveKeepOrder
	}
	var all []candidate
	for i := range l.list {
		r := &l.list[i].row
		all = append(all, candidate{word: r.ID, about: words.Moment(env.now(), r.When()) + ", " + projectName(r)})
	}
	return plainCandidates(all, typed), none | cobra.ShellCompDirectiveKeepOrder
}

// entriesFor offers what can be taken back.
func entriesFor(ctx context.Context, env *Env, l *backupRows, typed string) []candidate {
	list, _, _ := readTrash(ctx, memoryFolders(ctx, env, l, scope{})) // what cannot be read is not offered
	all := make([]candidate, len(list))
	for i := range list {
		all[i] = candidate{word: list[i].deed.ID, about: list[i].what() + " of " + baseName(list[i].project)}
	}
	return plainCandidates(all, typed)
}

// plainCandidates are those that begin with what was typed, each once, as many as a shell lists. A name that a shell
// would take apart is left out: anyone may have made the file.
func plainCandidates(all []candidate, typed string) []candidate {
	var found []candidate
	seen := map[string]bool{}
	for _, c := range all {
		if seen[c.word] || !strings.HasPrefix(c.word, typed) || !isPlainWord(c.word) {
			continue
		}
		seen[c.word] = true
		c.about = words.Cut(c.about, aboutMax)
		if found = append(found, c); len(found) == sessionCandidates {
			break
		}
	}
	return found
}
