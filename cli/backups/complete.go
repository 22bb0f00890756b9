package backups

import (
	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
)

// manyNames is the limit of completeNames for any number of backups.
const manyNames = 1 << 10

// completeNames completes NAME with the backups of all known projects, up to limit names.
func completeNames(env *place.Env, limit int) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		switch {
		case len(args) >= limit:
			return nil, cobra.ShellCompDirectiveNoFileComp
		case find.IsPathStart(typed):
			return nil, cobra.ShellCompDirectiveDefault
		}
		l, err := Read(cmd.Context(), env, nil)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var all []find.Candidate
		for i := range l.List {
			r := &l.List[i].Row
			all = append(all, find.Candidate{Word: r.ID, About: words.Moment(env.Now(), r.When()) + ", " + place.ProjectName(r)})
		}
		return find.Completions(all, typed), find.CandidatesOnly
	}
}
