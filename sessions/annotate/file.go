package annotate

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/change"
)

const (
	version = 1
	// maxFile is the maximum size of the file in bytes. It is enough for about 200,000 sessions.
	maxFile = 64 << 20
)

// errTooLarge is returned if the file is larger than maxFile.
var errTooLarge = errors.New("more than 64 MB")

// file is the decoded annotations file: a JSON object with a version and an array of sessions, one session per line.
type file struct {
	entries map[Key]entry
	extra   map[string]json.RawMessage // unknown keys
}

// entry is one session in the file.
type entry struct {
	Note
	extra map[string]json.RawMessage
	line  int // line number in the file
}

// fileEntry is an entry in JSON.
type fileEntry struct {
	Dir      change.Verbatim `json:"dir"`
	Project  change.Verbatim `json:"project"`
	ID       change.Verbatim `json:"id"`
	Name     string          `json:"name,omitempty"`
	Starred  bool            `json:"starred,omitempty"`
	Archived bool            `json:"archived,omitempty"`
	Tags     []string        `json:"tags,omitempty"`
	Note     string          `json:"note,omitempty"`
	Changed  time.Time       `json:"changed"` // RFC 3339, UTC
}

// isOwn reports whether encoding/json decodes a key into a field of fileEntry.
func isOwn(key string) bool {
	return slices.ContainsFunc([]string{"dir", "project", "id", "name", "starred", "archived", "tags", "note", "changed"},
		func(own string) bool { return strings.EqualFold(key, own) })
}

// lineError is the error of decode.
type lineError struct {
	line int
	err  error
}

// Error implements error.
func (e *lineError) Error() string { return fmt.Sprintf("line %d: %v", e.line, e.err) }

// Unwrap returns the wrapped error.
func (e *lineError) Unwrap() error { return e.err }

// decode parses the text of a file. Blank text has no sessions. The error is a *lineError.
func decode(text []byte) (*file, error) {
	f := &file{entries: map[Key]entry{}, extra: map[string]json.RawMessage{}}
	if len(bytes.TrimSpace(text)) == 0 {
		return f, nil
	}
	lineAt := func(offset int64) int { return 1 + bytes.Count(text[:min(int(offset), len(text))], []byte{'\n'}) }
	if err := json.Unmarshal(text, &f.extra); err != nil || f.extra == nil {
		at := int64(0)
		if se, ok := errors.AsType[*json.SyntaxError](err); ok {
			at = se.Offset
		} else {
			err = errors.New("not a JSON object")
		}
		return nil, &lineError{lineAt(at), err}
	}
	var v int
	if err := json.Unmarshal(f.extra["version"], &v); err != nil || v < version {
		return nil, &lineError{1, errors.New("the version of the annotations file is missing or unknown")}
	}
	if v > version {
		return nil, &lineError{1, fmt.Errorf("version %d needs a newer continuo", v)}
	}
	delete(f.extra, "version")
	delete(f.extra, "sessions")
	// The text is valid JSON, so errors that need a syntax error are ignored.
	dec := json.NewDecoder(bytes.NewReader(text))
	_, _ = dec.Token() // the opening brace
	for dec.More() {
		key, _ := dec.Token()
		var skip json.RawMessage
		if key != "sessions" {
			_ = dec.Decode(&skip)
			continue
		}
		if open, _ := dec.Token(); open != json.Delim('[') {
			return nil, &lineError{lineAt(dec.InputOffset()), errors.New("sessions isn't a list")}
		}
		for dec.More() {
			var raw json.RawMessage
			_ = dec.Decode(&raw)
			line := lineAt(dec.InputOffset() - int64(len(raw)))
			if err := f.add(raw, line); err != nil {
				return nil, &lineError{line, err}
			}
		}
		_, _ = dec.Token() // the closing bracket
	}
	return f, nil
}

// add parses one session.
func (f *file) add(raw json.RawMessage, line int) error {
	var in fileEntry
	if err := json.Unmarshal(raw, &in); err != nil {
		if te, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			return fmt.Errorf("%s can't be a %s", cmp.Or(te.Field, "a session"), te.Value)
		}
		return err
	}
	k := Key{string(in.Dir), string(in.Project), string(in.ID)}
	if !k.valid() {
		return errors.New("dir, project or id is missing or invalid")
	}
	if have, ok := f.entries[k]; ok {
		return fmt.Errorf("the session is also on line %d", have.line)
	}
	for _, t := range in.Tags {
		if clean, ok := Tag(t); !ok || clean != t {
			return fmt.Errorf("tag %q must be one lower-case word without commas", t)
		}
	}
	e := entry{line: line, Note: Note{in.Name, in.Starred, in.Archived, in.Tags, in.Note, in.Changed.UTC()}.clean()}
	if err := json.Unmarshal(raw, &e.extra); err != nil {
		return err
	}
	maps.DeleteFunc(e.extra, func(key string, _ json.RawMessage) bool { return isOwn(key) })
	f.entries[k] = e
	return nil
}

// put sets the entry of a session. It deletes an empty entry without unknown keys.
func (f *file) put(k Key, e entry) {
	if e.Empty() && len(e.extra) == 0 {
		delete(f.entries, k)
		return
	}
	f.entries[k] = e
}

// notes returns the notes that aren't empty.
func (f *file) notes() map[Key]Note {
	m := make(map[Key]Note, len(f.entries))
	for k, e := range f.entries {
		if !e.Empty() {
			m[k] = e.Note
		}
	}
	return m
}

// encode returns the file as JSON, sorted by key. The error is errTooLarge or an error of encoding/json.
func (f *file) encode() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"version\": %d,\n", version)
	for _, name := range slices.Sorted(maps.Keys(f.extra)) {
		key, err := json.Marshal(name)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "  %s: %s,\n", key, f.extra[name])
	}
	b.WriteString(`  "sessions": [`)
	keys := slices.SortedFunc(maps.Keys(f.entries), func(a, b Key) int {
		return cmp.Or(cmp.Compare(a.Dir, b.Dir), cmp.Compare(a.Project, b.Project), cmp.Compare(a.ID, b.ID))
	})
	for i, k := range keys {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString("\n    ")
		if err := f.entries[k].encode(&b, k); err != nil {
			return nil, err
		}
	}
	b.WriteString("\n  ]\n}\n")
	if b.Len() > maxFile {
		return nil, errTooLarge
	}
	return b.Bytes(), nil
}

// encode appends one session as one line of JSON. Unknown keys come after known keys.
func (e entry) encode(b *bytes.Buffer, k Key) error {
	own, err := json.Marshal(fileEntry{
		change.Verbatim(k.Dir), change.Verbatim(k.Project), change.Verbatim(k.ID), e.Name, e.Starred, e.Archived, e.Tags, e.Text, e.Changed.UTC(),
	})
	if err != nil {
		return err
	}
	if len(e.extra) > 0 {
		extra, err := json.Marshal(e.extra)
		if err != nil {
			return err
		}
		own = append(append(own[:len(own)-1], ','), extra[1:]...)
	}
	b.Write(own)
	return nil
}
