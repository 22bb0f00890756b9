package beads

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"time"
)

// issue is a line of issues.jsonl, or what br and bd print (fact sheet of spec 002).
type issue struct {
	ID          string    `json:"id"`
	Title       string    `json:"title"`
	Description string    `json:"description"`
	Status      string    `json:"status"`
	Priority    int       `json:"priority"`
	Type        string    `json:"issue_type"`
	Assignee    string    `json:"assignee"`
	Labels      []string  `json:"labels"`
	Created     string    `json:"created_at"`
	Updated     string    `json:"updated_at"`
	Closed      string    `json:"closed_at"`
	Defer       string    `json:"defer_until"`
	Ephemeral   bool      `json:"ephemeral"`
	Pinned      bool      `json:"pinned"`
	Template    bool      `json:"is_template"`
	Deps        []depend  `json:"dependencies"`
	Comments    []comment `json:"comments"`
}

// depend is a dependency: of a file the first two, of what `show` prints the others.
type depend struct {
	On       string `json:"depends_on_id"`
	Type     string `json:"type"`
	ID       string `json:"id"`
	ShowType string `json:"dependency_type"`
}

// comment has no id here: it is a number or a string, and nobody asks for it.
type comment struct {
	Author  string `json:"author"`
	Text    string `json:"text"`
	Created string `json:"created_at"`
}

// decode reads one bead. Without one bad says why; with one, what of it could not be read.
func decode(line []byte, file string, no int) (b *Bead, bad string) {
	var in issue
	err := json.Unmarshal(line, &in)
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok { // the other fields are there
		if wrong.Field == "" {
			return nil, "The line is no bead: it is no object."
		}
		bad = wrong.Field + " is a " + wrong.Value + ", and was left out."
	} else if err != nil {
		if bytes.HasPrefix(line, []byte("<<<<<<<")) || bytes.HasPrefix(line, []byte("=======")) || bytes.HasPrefix(line, []byte(">>>>>>>")) {
			return nil, "The line is left from a merge conflict."
		}
		return nil, "The line is no JSON: " + err.Error() + "."
	}
	if in.ID == "" {
		return nil, "The line is no bead: it has no id."
	}
	b, wrong := in.bead()
	b.File, b.Line = file, no
	return b, cmp.Or(bad, wrong)
}

// bead is the bead that was read. bad names a time that is none.
func (in *issue) bead() (b *Bead, bad string) {
	b = &Bead{
		ID: in.ID, Title: in.Title, Description: in.Description, Status: in.Status, Priority: in.Priority, Type: in.Type,
		Assignee: in.Assignee, Labels: in.Labels, Template: in.Template,
		Hidden: in.Pinned || in.Ephemeral || in.Template || strings.Contains(in.ID, "-wisp-"),
	}
	for _, t := range []struct {
		name, text string
		to         *time.Time
	}{
		{"created_at", in.Created, &b.Created},
		{"updated_at", in.Updated, &b.Updated},
		{"closed_at", in.Closed, &b.Closed},
		{"defer_until", in.Defer, &b.Defer},
	} {
		var ok bool
		if *t.to, ok = moment(t.text); !ok {
			bad = t.name + " is no time, and was left out."
		}
	}
	for _, d := range in.Deps {
		if on := cmp.Or(d.On, d.ID); on != "" {
			b.Deps = append(b.Deps, Dep{On: on, Type: cmp.Or(d.Type, d.ShowType)})
		}
	}
	for _, c := range in.Comments {
		at, _ := moment(c.Created)
		b.Comments = append(b.Comments, Comment{Author: c.Author, Text: c.Text, At: at})
	}
	slices.SortStableFunc(b.Comments, func(a, c Comment) int { return a.At.Compare(c.At) })
	for i := range b.Comments {
		b.take(&b.Comments[i])
	}
	return b, bad
}

// moment reads a time, "" as none. br and bd write RFC 3339 with nanoseconds, in UTC or with an offset; a day alone is
// its beginning in UTC.
func moment(text string) (time.Time, bool) {
	if text == "" {
		return time.Time{}, true
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, time.DateOnly} {
		if t, err := time.Parse(layout, text); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}
