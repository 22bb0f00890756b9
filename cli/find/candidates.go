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

// PlainCandidates are those that begin with what was typed, each once, as many as a shell lists. A name that a shell
// would take apart is left out: anyone may have made the file.
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

// SessionCandidates is how many sessions are offered at most, the newest.
const SessionCandidates = 200

// AboutMax is how many cells a title has beside an id.
const AboutMax = 60

// Candidate is a word that can stand at the cursor, and what it is.
type Candidate struct{ Word, About string }

// SessionsFor offers the ids that begin with what was typed, with their titles, newest first. What cannot be listed
// is not offered, and neither is an id that a shell would take apart: it is the name of a file that anyone may have
// made. A SESSION can be a file as well, so the shell goes on with those where no id fits.
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

// IsPlainWord reports whether a word means itself in every shell and is no flag.
func IsPlainWord(s string) bool {
	return s != "" && s[0] != '-' && !strings.ContainsFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("._-", r)
	})
}
