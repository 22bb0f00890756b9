package filter

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Term is a word of a filter that narrows documents to a value of their front matter: status:blocked, tag:auth or
// #auth, branch:main, project:teahouse.
type Term struct{ Name, Value string }

// The names of terms.
const (
	ByStatus  = "status"
	ByTag     = "tag"
	ByBranch  = "branch"
	ByProject = "project"
)

// terms are the names that there are.
func terms() []string { return []string{ByStatus, ByTag, ByBranch, ByProject} }

// Facets are the values of a document that terms narrow to, in the form of facet.
type Facets struct {
	status, branch string
	project        []string // its name, and its folder
	tags           []string
}

// FacetsOf reads them of a row.
func FacetsOf(r *sessions.Row) *Facets {
	f := &Facets{status: facet(r.Status), branch: facet(r.Branch)}
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

// ParseTerm reads a word of a filter. One with a name that there is not is text.
func ParseTerm(word string) (t Term, ok bool) {
	if value, is := strings.CutPrefix(word, "#"); is {
		return Term{ByTag, facet(value)}, true
	}
	name, value, is := strings.Cut(word, ":")
	name = strings.ToLower(name)
	if !is || !slices.Contains(terms(), name) {
		return Term{}, false
	}
	return Term{name, facet(value)}, true
}

// Has reports whether a value begins with that of the term. While none is typed yet, every document has it.
func (f *Facets) Has(t Term) bool {
	return t.Value == "" || slices.ContainsFunc(f.Of(t.Name), func(v string) bool { return strings.HasPrefix(v, t.Value) })
}

// Of are the values by the name of a term.
func (f *Facets) Of(name string) []string {
	switch name {
	case ByStatus:
		return []string{f.status}
	case ByBranch:
		return []string{f.branch}
	case ByProject:
		return f.project
	}
	return f.tags
}

// Parse splits a filter into its terms and the text that is looked for.
func Parse(pattern string) (terms []Term, text string) {
	var words []string
	for _, word := range strings.Fields(pattern) {
		if t, ok := ParseTerm(word); ok {
			terms = append(terms, t)
		} else {
			words = append(words, word)
		}
	}
	return terms, strings.Join(words, " ")
}
