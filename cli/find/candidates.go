package find

import (
	"context"
	"strings"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/tui/render"
)

// PlainCandidates returns the candidates with the typed prefix, without duplicates, up to SessionCandidates. It
// leaves out names with shell characters, because anyone may have created the file.
func PlainCandidates(all []Candidate, typed string) []Candidate {
	var found []Candidate
	seen := map[string]bool{}
	for _, c := range all {
		if seen[c.Word] || !strings.HasPrefix(c.Word, typed) || !IsPlainWord(c.Word) {
			continue
		}
		seen[c.Word] = true
		c.About = words.Cut(c.About, AboutMax)
		if found = append(found, c); len(found) == SessionCandidates {
			break
		}
	}
	return found
}

// SessionCandidates is the maximum number of completions; the newest sessions are kept.
const SessionCandidates = 200

// AboutMax is the maximum width in cells of a title after an ID.
const AboutMax = 60

// Candidate is a completion with its description.
type Candidate struct{ Word, About string }

// SessionsFor completes session IDs, newest first, with titles as descriptions. It ignores errors and leaves out IDs
// with shell characters, because an ID is a file name that anyone may have created. If no ID matches, the shell
// completes file names, because SESSION can be a path.
func SessionsFor(ctx context.Context, env *place.Env, typed string) ([]Candidate, cobra.ShellCompDirective) {
	if strings.ContainsAny(typed, `/\`) || strings.HasPrefix(typed, ".") || strings.HasPrefix(typed, "~") {
		return nil, cobra.ShellCompDirectiveDefault
	}
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return nil, cobra.ShellCompDirectiveDefault
	}
	rows, _ := env.Open(opts).List(ctx, true)
	var found []Candidate
	seen := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		if r.Kind != sessions.KindSession || r.Quiet() || seen[r.ID] || !strings.HasPrefix(r.ID, typed) || !IsPlainWord(r.ID) {
			continue
		}
		seen[r.ID] = true
		found = append(found, Candidate{Word: r.ID, About: words.Cut(render.Title(r), AboutMax)})
		if len(found) == SessionCandidates {
			break
		}
	}
	return found, cobra.ShellCompDirectiveKeepOrder
}

// IsPlainWord reports whether no shell interprets the word and it isn't a flag.
func IsPlainWord(s string) bool {
	return s != "" && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	})
}
