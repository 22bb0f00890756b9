package task

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"
)

// Index is the index of the checkpoints, json/checkpoint-index.json.
type Index struct {
	Entries []Entry // in the order of the file

	Problems []Problem
	object   object
	text     []byte // nil if there is no file
}

// Entry is a checkpoint in the index.
type Entry struct {
	ID      string
	At      time.Time
	Sum     string // SHA-256 of the file in hex
	Missing bool   // the file is missing; a rebuild keeps the entry

	object object
}

func parseIndex(text []byte) Index {
	x := Index{text: text}
	var err error
	if x.object, err = parseObject(text); err != nil {
		x.object = object{}
		x.Problems = []Problem{{"", err.Error()}}
		return x
	}
	f := &fields{x.object, "", &x.Problems}
	f.objects("checkpoints", func(o *fields) {
		x.Entries = append(x.Entries, Entry{
			o.text("checkpoint_id", required), o.time("timestamp", required), o.text("sha256", required), o.flag("missing", optional), o.object,
		})
	})
	return x
}

// There reports whether the file exists.
func (x *Index) There() bool { return x.text != nil }

// find returns the entry of a checkpoint, or nil.
func (x *Index) find(id string) *Entry {
	i := slices.IndexFunc(x.Entries, func(e Entry) bool { return e.ID == id })
	if i < 0 {
		return nil
	}
	return &x.Entries[i]
}

// entry returns the index entry of a checkpoint, with the unknown keys of the old entry.
func (c *Checkpoint) entry(old *Entry) Entry {
	o := object{}
	if old != nil {
		o = old.object.clone()
		o.drop("missing") // the file is back
	}
	o.set("checkpoint_id", c.ID)
	o.set("session_id", c.Session)
	o.set("timestamp", stamp(c.At))
	o.set("gate", c.Gate)
	o.set("step", c.Step)
	o.set("type", c.Type)
	o.set("summary", c.Summary)
	o.set("path", c.Path())
	o.set("sha256", c.Sum)
	return Entry{ID: c.ID, At: c.At, Sum: c.Sum, object: o}
}

// rebuilt returns the text of the index for the checkpoints of a task. Entries of missing files are kept and marked.
// If keepSums is true, Verify still reports changed files.
func (t *Task) rebuilt(keepSums bool) []byte {
	var entries []Entry
	for _, c := range t.Checkpoints {
		if c.ID != c.Name || !isID(c.ID) {
			continue // Verify names the file
		}
		old := t.Index.find(c.ID)
		if keepSums && old != nil && !old.Missing && old.Sum != c.Sum {
			entries = append(entries, *old)
			continue
		}
		entries = append(entries, c.entry(old))
	}
	for _, e := range t.Index.Entries {
		if t.named(e.ID) == nil && isID(e.ID) && !e.At.IsZero() && e.Sum != "" {
			e.object = e.object.clone()
			e.object.set("missing", true)
			entries = append(entries, e)
		}
	}
	slices.SortStableFunc(entries, func(a, b Entry) int { return inOrder(a.At, a.ID, b.At, b.ID) })
	all, prev, last := []object{}, "", ""
	for _, e := range entries {
		o := e.object.clone()
		o.set("prev", orNull(prev))
		all, prev, last = append(all, o), e.ID, stamp(e.At)
	}
	o := t.Index.object.clone()
	o.set("version", 1)
	o.set("task_slug", t.Slug)
	o.set("updated_at", orNull(last))
	o.set("checkpoints", all)
	return indexFile(o)
}

// named returns the checkpoint with a file name.
func (t *Task) named(name string) *Checkpoint {
	i := slices.IndexFunc(t.Checkpoints, func(c *Checkpoint) bool { return c.Name == name })
	if i < 0 {
		return nil
	}
	return t.Checkpoints[i]
}

// indexFile returns the text of the index. git can merge it, because each checkpoint has its own line.
func indexFile(o object) []byte {
	var b bytes.Buffer
	b.WriteString("{")
	for i, key := range o.keys {
		if i > 0 {
			b.WriteString(",")
		}
		b.WriteString("\n  ")
		b.Write(encode(key))
		b.WriteString(": ")
		var list []json.RawMessage
		if key != "checkpoints" || json.Unmarshal(o.values[key], &list) != nil || len(list) == 0 {
			b.Write(o.values[key])
			continue
		}
		b.WriteString("[")
		for j, e := range list {
			if j > 0 {
				b.WriteString(",")
			}
			b.WriteString("\n    ")
			b.Write(e)
		}
		b.WriteString("\n  ]")
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}
