// Package query parses a search and matches it against texts.
//
// A search is a list of words. All must occur in a text, in any order and case. The words of a "phrase" must follow
// each other, separated by any white space. A /regexp/ has the syntax of Go. A word, phrase or regexp after a minus
// must not occur. A field, such as project:teahouse, is about a fact that the caller knows.
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
	After  time.Time // only times from this time on match; zero for no limit
	Before time.Time // only times before this time match; zero for no limit

	finders []*finder // finders of the literals
	rarest  *finder   // finder of the rarest literal, which is searched for first; nil if there is no literal
	escape  *finder   // finder of "\\u"
	phrase  *Term     // the phrase with the rarest literal; nil if there is none
}

// Field is a condition such as project:teahouse. Of several fields with one name, one must match.
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

// Literals returns texts that every match contains, in folded form.
func (q *Query) Literals() [][]byte {
	var list [][]byte
	for i := range q.Terms {
		list = append(list, q.Terms[i].literals...)
	}
	return list
}

// Has reports whether the query accepts one of the values for a field. The value must contain the field's text,
// ignoring case. Without such a field, the query accepts all values.
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

// Limits reports whether the query has a field with the given name.
func (q *Query) Limits(name string) bool {
	for _, f := range q.Fields {
		if f.Name == name {
			return true
		}
	}
	return false
}

// Words returns the words and phrases of the query in folded form, without regular expressions and fields.
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
