// Package query parses a search and matches it against texts.
//
// A search is a list of words. All of them must occur in a text, anywhere, in any order, and in upper or lower case.
// The words of a "phrase" in quotes must follow each other, separated by any white space. A /regexp/ has the syntax of
// Go. A term with a minus before it must not occur in the text. A field, such as project:teahouse, restricts the texts
// by facts that only the caller knows.
package query

import (
	"strings"
	"time"
)

// Query is a parsed search.
type Query struct {
	Text   string    // as typed
	Terms  []Term    // terms that must match
	Not    []Term    // terms that must not match
	Fields []Field   // all fields except dates
	After  time.Time // only times from this time on match; zero means no limit
	Before time.Time // only times before this time match; zero means no limit

	finders []*finder // finders of the literals
	rarest  *finder   // finder of the rarest literal, which is searched for first; nil if none
	escape  *finder   // finder of "\\u"
	phrase  *Term     // the phrase that contains the rarest literal; nil if none
}

// Field restricts a search by a fact. If several fields have the same name, one of them must match. Fields with
// different names must all match.
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
	Unpicked = "hidden-from-picker" // the /resume list of Claude Code doesn't show the session
)

// FieldNames returns the names of all fields.
func FieldNames() []string {
	return []string{Project, Branch, Model, Tag, Tool, Role, File, Is, After, Before}
}

// IsValues returns the values of the field Is.
func IsValues() []string { return []string{Live, Backup, Subagent, Starred, Archived, Unpicked} }

// Span is a range of bytes.
type Span struct{ Start, End int }

// Empty reports whether the query has no terms, fields and dates.
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

// Has reports whether the fields with a name allow one of the values. A field allows a value that contains the value of
// the field, ignoring case. Has also returns true if the query has no field with that name.
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

// Limits reports whether the query has a field with a name.
func (q *Query) Limits(name string) bool {
	for _, f := range q.Fields {
		if f.Name == name {
			return true
		}
	}
	return false
}

// Words returns the folded words and phrases of the query. It leaves out regular expressions and fields.
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
