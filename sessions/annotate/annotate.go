// Package annotate stores the user's notes on sessions: names, stars, archive marks, tags and texts. It writes a file
// of continuo, never a transcript.
package annotate

import (
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Key identifies a session.
type Key struct {
	Dir     string // Claude config dir
	Project string // name of the directory in projects/
	ID      string
}

// KeyOf returns the key for the path of a transcript, <dir>/projects/<project>/<id>.jsonl. It returns false for any
// other path.
func KeyOf(path string) (Key, bool) {
	id, ok := strings.CutSuffix(filepath.Base(path), ".jsonl")
	project := filepath.Dir(path)
	projects := filepath.Dir(project)
	k := Key{filepath.Dir(projects), filepath.Base(project), id}
	return k, ok && filepath.Base(projects) == "projects" && k.valid()
}

// valid reports whether the key can be the key of a transcript.
func (k Key) valid() bool {
	isName := func(s string) bool {
		return s != "" && s != "." && s != ".." && !strings.ContainsAny(s, "/\x00") && !strings.ContainsRune(s, filepath.Separator)
	}
	return filepath.IsAbs(k.Dir) && isName(k.Project) && isName(k.ID)
}

// Note is what the user wrote about a session. The zero value is an empty note.
type Note struct {
	Name              string // one clean line; shown instead of the title
	Starred, Archived bool
	Tags              []string // sorted; see Tag
	Text              string   // clean; may have several lines
	Changed           time.Time
}

// Empty reports whether the note is empty.
func (n Note) Empty() bool {
	return n.Name == "" && !n.Starred && !n.Archived && len(n.Tags) == 0 && n.Text == ""
}

// same reports whether two notes are equal. It doesn't compare Changed.
func (n Note) same(o Note) bool {
	return n.Name == o.Name && n.Starred == o.Starred && n.Archived == o.Archived && slices.Equal(n.Tags, o.Tags) && n.Text == o.Text
}

// clean returns the note without control characters, invalid tags and duplicate tags.
func (n Note) clean() Note {
	n.Name, n.Text = transcript.CleanLine(n.Name), strings.TrimSpace(transcript.Clean(n.Text))
	var tags []string
	for _, t := range n.Tags {
		if t, ok := Tag(t); ok {
			tags = append(tags, t)
		}
	}
	slices.Sort(tags)
	n.Tags = slices.Compact(tags)
	return n
}

// SetFields copies a note into the row of its session. It returns true if the row changed. An empty note clears the
// fields.
func (n Note) SetFields(r *sessions.Row) (changed bool) {
	was := Note{Starred: r.Starred, Archived: r.Archived, Tags: r.Tags, Text: r.Note}
	if r.Renamed {
		was.Name = r.Name
		r.Name, r.Recorded, r.Renamed = r.Recorded, "", false
	}
	if n.Name != "" {
		r.Name, r.Recorded, r.Renamed = n.Name, r.Name, true
	}
	r.Starred, r.Archived, r.Tags, r.Note = n.Starred, n.Archived, n.Tags, n.Text
	return !n.same(was)
}

// Tag makes a tag from typed text: "#Release" becomes "release". ok is false if the result is empty or contains a
// comma or a space.
func Tag(typed string) (tag string, ok bool) {
	tag = strings.TrimPrefix(strings.ToLower(transcript.CleanLine(typed)), "#")
	return tag, tag != "" && !strings.ContainsFunc(tag, func(r rune) bool { return r == ',' || unicode.IsSpace(r) })
}

// Edit is a change to a note. A nil field leaves its part of the note unchanged.
type Edit struct {
	Name, Text        *string // an empty text removes the name or the text
	Starred, Archived *bool
	Tag, Untag        []string // tags to add and to remove; invalid tags are ignored
}

// Empty reports whether the edit has no changes.
func (e Edit) Empty() bool {
	return e.Name == nil && e.Text == nil && e.Starred == nil && e.Archived == nil && len(e.Tag)+len(e.Untag) == 0
}

// Apply returns the note with the changes. It doesn't update Changed.
func (e Edit) Apply(n Note) Note {
	set(&n.Name, e.Name)
	set(&n.Text, e.Text)
	set(&n.Starred, e.Starred)
	set(&n.Archived, e.Archived)
	n.Tags = append(slices.Clone(n.Tags), e.Tag...)
	n = n.clean()
	for _, typed := range e.Untag {
		if t, ok := Tag(typed); ok {
			n.Tags = slices.DeleteFunc(n.Tags, func(have string) bool { return have == t })
		}
	}
	if len(n.Tags) == 0 {
		n.Tags = nil
	}
	return n
}

func set[T any](field, to *T) {
	if to != nil {
		*field = *to
	}
}
