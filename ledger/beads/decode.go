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

// issue is a line of issues.jsonl or of the output of br or bd.
type issue struct {
	id, title, description, status, kind, assignee string
	created, updated, closed, deferred             string
	priority                                       int
	ephemeral, pinned, template                    bool
	labels                                         []string
	deps                                           []Dep
	comments                                       []Comment
}

// wrongType is the error for a value of the wrong type.
type wrongType struct{ field string }

func (e *wrongType) Error() string { return e.field + " has the wrong type" }

// take decodes a field. It ignores unknown fields.
func (in *issue) take(key, value []byte) error {
	err := in.field(string(key), value)
	if errors.Is(err, errType) {
		return &wrongType{string(key)}
	}
	return err
}

func (in *issue) field(key string, value []byte) error {
	switch key {
	case "id":
		return take(value, &in.id)
	case "title":
		return take(value, &in.title)
	case "description":
		return take(value, &in.description)
	case "status":
		return take(value, &in.status)
	case "issue_type":
		return take(value, &in.kind)
	case "assignee":
		return take(value, &in.assignee)
	case "created_at":
		return take(value, &in.created)
	case "updated_at":
		return take(value, &in.updated)
	case "closed_at":
		return take(value, &in.closed)
	case "defer_until":
		return take(value, &in.deferred)
	case "priority":
		return unmarshal(value, &in.priority)
	case "ephemeral":
		return unmarshal(value, &in.ephemeral)
	case "pinned":
		return unmarshal(value, &in.pinned)
	case "is_template":
		return unmarshal(value, &in.template)
	case "labels":
		return each(value, func(value []byte) error {
			var s string
			err := take(value, &s)
			if err == nil {
				in.labels = append(in.labels, s)
			}
			return err
		})
	case "dependencies":
		return each(value, in.dep)
	case "comments":
		return each(value, in.comment)
	}
	return nil
}

// dep decodes a dependency. A file and the output of `show` have different keys.
func (in *issue) dep(value []byte) error {
	var on, kind, id, showKind string
	err := walk(value, func(key, value []byte) error {
		switch string(key) {
		case "depends_on_id":
			return take(value, &on)
		case "type":
			return take(value, &kind)
		case "id":
			return take(value, &id)
		case "dependency_type":
			return take(value, &showKind)
		}
		return nil
	})
	if d := (Dep{On: cmp.Or(on, id), Type: cmp.Or(kind, showKind)}); d.On != "" {
		in.deps = append(in.deps, d)
	}
	return inner(err)
}

// comment decodes a comment. It ignores the ID, which may be a number or a string.
func (in *issue) comment(value []byte) error {
	var c Comment
	var created string
	err := walk(value, func(key, value []byte) error {
		switch string(key) {
		case "author":
			return take(value, &c.Author)
		case "text":
			return take(value, &c.Text)
		case "created_at":
			return take(value, &created)
		}
		return nil
	})
	c.At, _ = moment(created)
	if c.Text != "" {
		in.comments = append(in.comments, c)
	}
	return inner(err)
}

// inner returns errType if a list element isn't an object.
func inner(err error) error {
	if errors.Is(err, errNoObject) {
		return errType
	}
	return err
}

// take decodes a string into to. null doesn't change to.
func take(value []byte, to *string) error {
	if len(value) > 0 && value[0] == '"' {
		s, ok := text(value)
		if !ok {
			return errNoJSON
		}
		*to = s
		return nil
	}
	return unmarshal(value, to)
}

// unmarshal decodes a short value.
func unmarshal(value []byte, to any) error {
	err := json.Unmarshal(value, to)
	switch _, typed := errors.AsType[*json.UnmarshalTypeError](err); {
	case typed:
		return errType
	case err != nil:
		return errNoJSON
	}
	return nil
}

// decode decodes a bead from a line of JSON. b is nil if the line isn't a bead. bad is the reason, or names a field
// that was left out.
func decode(line []byte, file string, no int) (b *Bead, bad string) {
	var in issue
	err := walk(line, in.take)
	wrong, partly := errors.AsType[*wrongType](err)
	switch {
	case partly:
		bad = wrong.field + " has the wrong type and was left out."
	case errors.Is(err, errNoObject):
		return nil, "The line isn't a bead: it isn't a JSON object."
	case err != nil && isConflict(line):
		return nil, "The line is left from a merge conflict."
	case err != nil:
		return nil, "The line isn't JSON."
	}
	if in.id == "" {
		return nil, "The line isn't a bead: it has no ID."
	}
	b, late := in.bead()
	b.File, b.Line = file, no
	return b, cmp.Or(bad, late)
}

// isConflict reports whether a line is a marker of a merge conflict of git.
func isConflict(line []byte) bool {
	return slices.ContainsFunc([]string{"<<<<<<<", "|||||||", "=======", ">>>>>>>"}, func(mark string) bool {
		return bytes.HasPrefix(line, []byte(mark))
	})
}

// bead converts the decoded fields. bad names an invalid time, or is "".
func (in *issue) bead() (b *Bead, bad string) {
	b = &Bead{
		ID: in.id, Title: in.title, Description: in.description, Status: in.status, Priority: in.priority, Type: in.kind,
		Assignee: in.assignee, Labels: in.labels, Deps: in.deps, Comments: in.comments, Template: in.template,
		Hidden: in.pinned || in.ephemeral || in.template || strings.Contains(in.id, "-wisp-"),
	}
	for _, t := range []struct {
		name, text string
		to         *time.Time
	}{
		{"created_at", in.created, &b.Created},
		{"updated_at", in.updated, &b.Updated},
		{"closed_at", in.closed, &b.Closed},
		{"defer_until", in.deferred, &b.Defer},
	} {
		var ok bool
		if *t.to, ok = moment(t.text); !ok {
			bad = t.name + " isn't a time and was left out."
		}
	}
	slices.SortStableFunc(b.Comments, func(a, c Comment) int { return a.At.Compare(c.At) })
	for i := range b.Comments {
		b.take(&b.Comments[i])
	}
	return b, bad
}

// moment parses a time in RFC 3339. A date is the start of the day in UTC. "" is the zero time.
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
