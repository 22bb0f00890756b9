package out

import (
	"slices"
	"strings"
)

// Record describes one object. With --json, its fields are in the order of the calls of Set. In a pipe, each
// call of Line is a tab-separated line. On a terminal, the caller's page is printed.
type Record struct {
	fields []field
	lines  *strings.Builder // shared with nested records
}

// field is a value and its key.
type field struct {
	key   string
	value any
	piped bool // not in JSON
}

// NewRecord returns an empty record.
func NewRecord() *Record { return &Record{lines: &strings.Builder{}} }

// Set sets a field to a Record, a List, or a value as in a Column. Setting a key again keeps the order.
func (r *Record) Set(key string, value any) *Record { return r.put(field{key, value, false}) }

// Tab sets a field that only lines in a pipe use.
func (r *Record) Tab(key string, value any) *Record { return r.put(field{key, value, true}) }

func (r *Record) put(f field) *Record {
	if i := r.place(f.key); i >= 0 {
		r.fields[i].value = f.value
		return r
	}
	r.fields = append(r.fields, f)
	return r
}

// place returns the index of a key's field, or -1.
func (r *Record) place(key string) int {
	return slices.IndexFunc(r.fields, func(f field) bool { return f.key == key })
}

// In sets a field to a new record, an object in JSON.
func (r *Record) In(key string) *Record {
	in := &Record{lines: r.lines}
	r.Set(key, in)
	return in
}

// List sets a field to a new list of records, an array in JSON.
func (r *Record) List(key string) *List {
	l := &List{lines: r.lines}
	r.Set(key, l)
	return l
}

// Line adds a line for a pipe: name, unless it is "", and the fields with the given keys. Blanks separate the
// keys.
func (r *Record) Line(name, keys string) {
	words := strings.Fields(name)
	for key := range strings.FieldsSeq(keys) {
		words = append(words, OrUnknown(tabText(r.fields[r.place(key)].value)))
	}
	r.lines.WriteString(strings.Join(words, "\t") + "\n")
}

// Lines adds a line for each text, beginning with name.
func (r *Record) Lines(name string, texts []string) {
	for _, text := range texts {
		r.Fact(name, text)
	}
}

// Fact adds a line for a pipe: a name and any values.
func (r *Record) Fact(name string, values ...string) {
	r.lines.WriteString(Tabbed(append([]string{name}, values...)...))
}

// Tabs returns all lines for a pipe, also of nested records.
func (r *Record) Tabs() string { return r.lines.String() }

// Print prints the record as JSON, as lines, or as the page for a terminal.
func (r *Record) Print(o *Output, page func() string) error {
	switch {
	case o.JSON:
		text, err := r.appendJSON(nil)
		if err != nil {
			return err
		}
		o.Out.Exact(string(text) + "\n")
	case o.Out.Terminal:
		o.Out.Print(page())
	default:
		o.Out.Print(r.Tabs())
	}
	return nil
}

// MarshalJSON implements json.Marshaler.
func (r *Record) MarshalJSON() ([]byte, error) { return r.appendJSON(nil) }

func (r *Record) appendJSON(b []byte) (_ []byte, err error) {
	b = append(b, '{')
	comma := ""
	for i := range r.fields {
		f := &r.fields[i]
		if f.piped {
			continue
		}
		b = append(b, comma+`"`+f.key+`":`...)
		if b, err = appendJSON(b, f.value); err != nil {
			return nil, err
		}
		comma = ","
	}
	return append(b, '}'), nil
}

// List is a list of records with the same fields.
type List struct {
	records []*Record
	lines   *strings.Builder
}

// Add appends a new record.
func (l *List) Add() *Record {
	r := &Record{lines: l.lines}
	l.records = append(l.records, r)
	return r
}

// Line adds a line for each record; see Record.Line.
func (l *List) Line(name, keys string) {
	for _, r := range l.records {
		r.Line(name, keys)
	}
}

func (l *List) appendJSON(b []byte) (_ []byte, err error) {
	b = append(b, '[')
	for i, r := range l.records {
		if i > 0 {
			b = append(b, ',')
		}
		if b, err = r.appendJSON(b); err != nil {
			return nil, err
		}
	}
	return append(b, ']'), nil
}
