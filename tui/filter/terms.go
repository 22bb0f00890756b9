package filter

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Term limits a filter to documents with a value in their front matter, such as status:blocked, #auth, branch:main or
// project:teahouse.
type Term struct{ Name, Value string }

// The names of terms.
const (
	ByStatus  = "status"
	ByTag     = "tag"
	ByBranch  = "branch"
	ByProject = "project"
)

func terms() []string { return []string{ByStatus, ByTag, ByBranch, ByProject} }

// Facets has the normalized values of a document that terms are compared with.
type Facets struct {
	status, branch string
	project        []string // the name and the directory of the project
	tags           []string
}

// FacetsOf returns the facets of a row.
func FacetsOf(r *sessions.Row) *Facets {
	f := &Facets{status: facet(r.Status), branch: facet(r.Branch)}
	folder := facet(r.Project)
	f.project = []string{folder[strings.LastIndex(folder, "/")+1:], folder}
	for _, t := range r.Tags {
		f.tags = append(f.tags, facet(t))
	}
	return f
}

// facet normalizes a value: in_progress becomes in-progress.
func facet(s string) string {
	return strings.NewReplacer("_", "-", " ", "-", `\`, "/").Replace(strings.ToLower(transcript.CleanLine(s)))
}

// ParseTerm parses one word of a filter. ok is false if the word isn't a term.
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

// Has reports whether a value of a document starts with the value of the term. A term without a value matches every
// document.
func (f *Facets) Has(t Term) bool {
	return t.Value == "" || slices.ContainsFunc(f.Of(t.Name), func(v string) bool { return strings.HasPrefix(v, t.Value) })
}

// Of returns the values that a term of this name is compared with.
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

// Parse splits a filter into terms and text.
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

// Words returns the words of a filter to mark in other texts, in lower case. It leaves out terms and single letters.
func Words(pattern string, kind sessions.Kind) []string {
	if kind == sessions.KindDocument {
		_, pattern = Parse(pattern)
	}
	words := strings.Fields(strings.ToLower(pattern))
	return slices.DeleteFunc(words, func(w string) bool { return utf8.RuneCountInString(w) < 2 })
}
