// Package query parses a search and matches it against texts.
//
// A search is a list of words: all of them must occur in a text, anywhere and in any order, in any case. A "phrase" in
// quotes must occur as it is, where any white space matches any other. A /regexp/ has Go's syntax. A minus excludes the
// texts in which the term after it occurs. A field such as project:teahouse limits the texts by facts that only the
// caller knows.
package query

import (
	"strings"
	"time"
)

// Query is a parsed search.
type Query struct {
	Text   string    // as typed
	Terms  []Term    // all of them match
	Not    []Term    // none of them matches
	Fields []Field   // except dates
	After  time.Time // the first time that matches; zero is no limit
	Before time.Time // the first later time that doesn't match; zero is no limit

	finders []*finder // of the literals
	rarest  *finder   // of the literal that is looked for first; nil if there is none
	escape  *finder   // of "\\u"
	phrase  *Term     // the phrase that has this literal; nil if it is in no phrase
}

// Field limits a search by a fact. Fields of one name are alternatives; fields of different names must all hold.
type Field struct {
	Name, Value string // Value is folded
	Not         bool
}

// The names of fields.
const (
	Project = "project"
	Branch  = "branch"
	Model   = "model"
	Tag     = "tag"
	Tool    = "tool"
	Role    = "role"
	File    = "file"
	Is      = "is"
	After   = "after"
	Before  = "before"
)

// The values of the field Is.
const (
	Live     = "live"
	Backup   = "backup"
	Subagent = "subagent"
	Starred  = "starred"
	Archived = "archived"
	Unpicked = "hidden-from-picker" // Claude Code's own list doesn't show it
)

// FieldNames returns the names of all fields.
func FieldNames() []string {
	return []string{Project, Branch, Model, Tag, Tool, Role, File, Is, After, Before}
}

// IsValues returns the values of the field Is.
func IsValues() []string { return []string{Live, Backup, Subagent, Starred, Archived, Unpicked} }

// Span is a range of bytes.
type Span struct{ Start, End int }

// Empty reports whether the query has nothing to look for.
func (q *Query) Empty() bool {
	return len(q.Terms)+len(q.Not)+len(q.Fields) == 0 && q.After.IsZero() && q.Before.IsZero()
}

// Literals returns strings that every matching text contains after folding.
func (q *Query) Literals() [][]byte {
	var list [][]byte
	for i := range q.Terms {
		list = append(list, q.Terms[i].literals...)
	}
	return list
}

// Has reports whether the fields of a name allow a value, which need not be folded. A value matches a field if it
// contains the field's value. It also returns true if the query has no field of that name.
func (q *Query) Has(name string, values ...string) bool {
	allowed, limited := false, false
	for _, f := range q.Fields {
		if f.Name != name {
			continue
		}
		found := false
		for _, v := range values {
			found = found || contains(v, f.Value)
		}
		switch {
		case f.Not && found:
			return false
		case !f.Not:
			limited, allowed = true, allowed || found
		}
	}
	return allowed || !limited
}

// Limits reports whether the query has a field of a name.
func (q *Query) Limits(name string) bool {
	for _, f := range q.Fields {
		if f.Name == name {
			return true
		}
	}
	return false
}

// Words returns the words and phrases of the query, folded. Regular expressions and fields aren't in it.
func (q *Query) Words() []string {
	var list []string
	for i := range q.Terms {
		var words []string
		for _, w := range q.Terms[i].words {
			words = append(words, string(w.literal))
		}
		if words != nil {
			list = append(list, strings.Join(words, " "))
		}
	}
	return list
}
