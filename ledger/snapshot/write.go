package snapshot

import (
	"bytes"
	"encoding/json"
	"time"
)

// Text returns the snapshot in the format of spec 004: JSON on one line, times in UTC with Z. Unknown keys come last.
func (s *Snapshot) Text() ([]byte, error) {
	tasks, blocks := []json.RawMessage{}, []json.RawMessage{}
	for i := range s.Tasks {
		text, err := s.Tasks[i].text()
		if err != nil {
			return nil, err
		}
		tasks = append(tasks, text)
	}
	for i := range s.Blocks {
		text, err := s.Blocks[i].text()
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, text)
	}
	meta := []field{
		{"version", version, s.metadata.find("version") < 0},
		{"created", stamp(s.Created), !s.Created.IsZero()},
		{"updated", stamp(s.Updated), true},
		{"git_branch", orNull(s.Branch), true},
		{"git_commit", orNull(s.Commit), true},
	}
	metadata, err := write(meta, s.metadata)
	if err != nil {
		return nil, err
	}
	top := []field{{"metadata", json.RawMessage(metadata), true}, {"tasks", tasks, true}}
	if len(blocks) > 0 {
		top = append(top, field{"context_blocks", blocks, true})
	}
	return write(top, s.top)
}

func (t *Task) text() ([]byte, error) {
	list := []field{{"id", t.ID, true}, {"title", t.Title, true}, {"status", t.Status, true}}
	some := func(key, value string) {
		if value != "" {
			list = append(list, field{key, value, true})
		}
	}
	some("priority", t.Priority)
	some("category", t.Category)
	some("created", stamp(t.Created))
	list = append(list, field{"completed", orNull(stamp(t.Completed)), !t.Completed.IsZero()},
		field{"consolidated", t.Consolidated, t.Consolidated}, field{"consolidated_count", t.Count, t.Count != 0})
	some("context", t.Context)
	if len(t.Files) > 0 {
		list = append(list, field{"files", t.Files, true})
	}
	return write(list, t.other)
}

func (b *Block) text() ([]byte, error) {
	list := []field{{"title", b.Title, true}, {"content", b.Content, b.Content != ""}, {"updated", orNull(stamp(b.Updated)), !b.Updated.IsZero()}}
	if len(b.Related) > 0 {
		list = append(list, field{"related_tasks", b.Related, true})
	}
	return write(list, b.other)
}

// field is a member of the schema. If known is false, the value of the file has the wrong type and is kept.
type field struct {
	key   string
	value any
	known bool
}

// write returns a JSON object with the members of the schema, followed by other.
func write(fields []field, other object) ([]byte, error) {
	var all object
	for _, f := range fields {
		value, err := encode(f.value)
		if err != nil {
			return nil, err
		}
		if i := other.find(f.key); i >= 0 && !f.known {
			value = other[i].value
		}
		all.put(f.key, value)
	}
	for _, m := range other {
		if all.find(m.key) < 0 {
			all.put(m.key, m.value)
		}
	}
	var b bytes.Buffer
	for i, m := range all {
		b.WriteByte("{,"[min(i, 1)])
		for k, v := range []any{m.key, m.value} {
			text, err := encode(v)
			if err != nil {
				return nil, err
			}
			if k == 1 {
				b.WriteByte(':')
			}
			b.Write(text)
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode returns a value as JSON in one line. It doesn't escape <, > and &.
func encode(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n"), err
}

// stamp returns a time in the form of the spec; "" for the zero time.
func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05Z")
}

func orNull(s string) any {
	if s == "" {
		return nil
	}
	return s
}
