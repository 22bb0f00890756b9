package tui

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// term is a word of a filter that narrows documents to a value of their front matter: status:blocked, tag:auth or
// #auth, branch:main, project:teahouse.
type term struct{ name, value string }

// The names of terms.
const (
	byStatus  = "status"
	byTag     = "tag"
	byBranch  = "branch"
	byProject = "project"
)

func termsKnown() []string { return []string{byStatus, byTag, byBranch, byProject} }

// facets are the values of a document that terms narrow to, in the form of facet.
type facets struct {
	status, branch string
	project        []string // its name, and its folder
	tags           []string
}

func facetsOf(r *sessions.Row) *facets {
	f := &facets{status: facet(r.Status), branch: facet(r.Branch)}
	folder := facet(r.Project)
	f.project = []string{folder[strings.LastIndex(folder, "/")+1:], folder}
	for _, t := range r.Tags {
		f.tags = append(f.tags, facet(t))
	}
	return f
}

// facet is a value as it is compared: a status is written in-progress, in_progress or in progress.
func facet(s string) string {
	return strings.NewReplacer("_", "-", " ", "-", `\`, "/").Replace(strings.ToLower(transcript.CleanLine(s)))
}

// parseTerm reads a word of a filter. One with a name that there is not is text.
func parseTerm(word string) (t term, ok bool) {
	if value, is := strings.CutPrefix(word, "#"); is {
		return term{byTag, facet(value)}, true
	}
	name, value, is := strings.Cut(word, ":")
	name = strings.ToLower(name)
	if !is || !slices.Contains(termsKnown(), name) {
		return term{}, false
	}
	return term{name, facet(value)}, true
}

// has reports whether a value begins with that of the term. While none is typed yet, every document has it.
func (f *facets) has(t term) bool {
	return t.value == "" || slices.ContainsFunc(f.of(t.name), func(v string) bool { return strings.HasPrefix(v, t.value) })
}

// of are the values by the name of a term.
func (f *facets) of(name string) []string {
	switch name {
	case byStatus:
		return []string{f.status}
	case byBranch:
		return []string{f.branch}
	case byProject:
		return f.project
	}
	return f.tags
}

// parseFilter splits a filter into its terms and the text that is looked for.
func parseFilter(pattern string) (terms []term, text string) {
	var words []string
	for _, word := range strings.Fields(pattern) {
		if t, ok := parseTerm(word); ok {
			terms = append(terms, t)
		} else {
			words = append(words, word)
		}
	}
	return terms, strings.Join(words, " ")
}
