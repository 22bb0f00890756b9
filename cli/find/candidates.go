package find

import (
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render"
)

// CandidatesOnly makes a shell offer only the candidates, in their order.
const CandidatesOnly = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder

// SessionCandidates is the maximum number of completed sessions. The newest are offered.
const SessionCandidates = 200

// AboutMax is the maximum width of the title after an ID, in cells.
const AboutMax = 60

// Candidate is a completion and its description.
type Candidate struct{ Word, About string }

// Completions returns up to SessionCandidates candidates that start with the typed text. It leaves out names
// with special characters of a shell: anyone may have created such a file.
func Completions(all []Candidate, typed string) []cobra.Completion {
	var found []cobra.Completion
	seen := map[string]bool{}
	for _, c := range all {
		if seen[c.Word] || !strings.HasPrefix(c.Word, typed) || !IsPlainWord(c.Word) {
			continue
		}
		seen[c.Word] = true
		found = append(found, cobra.CompletionWithDesc(c.Word, words.Cut(transcript.CleanLine(c.About), AboutMax)))
		if len(found) == SessionCandidates {
			break
		}
	}
	return found
}

// CompleteSession completes the SESSION of a command.
func CompleteSession(env *place.Env) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if len(args) > 0 || cmd.Flags().Changed("latest") {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return SessionsFor(cmd.Context(), env, typed)
	}
}

// SessionsFor completes session IDs, newest first, with the titles. It ignores errors. If no ID matches, the
// shell completes file names.
func SessionsFor(ctx context.Context, env *place.Env, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	if IsPathStart(typed) {
		return nil, cobra.ShellCompDirectiveDefault
	}
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	rows, _ := env.Open(opts).List(ctx, true)
	var all []Candidate
	for i := range rows {
		if r := &rows[i]; r.Kind == sessions.KindSession && !r.Quiet() {
			all = append(all, Candidate{Word: r.ID, About: render.Title(r)})
		}
	}
	return Completions(all, typed), cobra.ShellCompDirectiveKeepOrder
}

// CompleteFlag completes the value of a flag.
func CompleteFlag[T ~string](cmd *cobra.Command, flag string, words ...T) {
	list := make([]cobra.Completion, len(words))
	for i, w := range words {
		list[i] = cobra.Completion(w)
	}
	// fails without such a flag
	_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(list, CandidatesOnly))
}

// CompleteFolder completes the value of a flag with folders.
func CompleteFolder(cmd *cobra.Command, flag string) {
	_ = cmd.MarkFlagDirname(flag) // fails without such a flag
}

// completeList completes the last word of a comma-separated list.
func completeList[T ~string](cmd *cobra.Command, flag string, words ...T) {
	complete := func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		given := strings.Split(typed, ",")
		given = given[:len(given)-1]
		var found []cobra.Completion
		for _, w := range words {
			if !slices.Contains(given, string(w)) {
				found = append(found, strings.Join(append(given[:len(given):len(given)], string(w)), ","))
			}
		}
		if slices.ContainsFunc(given, func(g string) bool { return !slices.Contains(words, T(g)) }) {
			found = nil
		}
		return found, CandidatesOnly
	}
	_ = cmd.RegisterFlagCompletionFunc(flag, complete) // fails without such a flag
}

// IsPathStart reports whether a typed word can only be a path.
func IsPathStart(typed string) bool {
	return strings.ContainsAny(typed, `/\`) || strings.HasPrefix(typed, ".") || strings.HasPrefix(typed, "~")
}

// IsPlainWord reports whether a word isn't a flag, and has no character that a shell interprets.
func IsPlainWord(s string) bool {
	return s != "" && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	})
}
