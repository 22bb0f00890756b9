package out

import (
	"slices"
	"strings"
)

// Record describes one object for all three forms of output. With --json, it prints an object whose fields are in the
// order of the calls of Set. In a pipe, it prints tab-separated lines, one for each call of Line. On a terminal, it
// prints the page that the caller passes to Print.
type Record struct {
	fields []field
	lines  *strings.Builder // shared with nested records
}

// field is a value and its key.
type field struct {
	key   string
	value any
	piped bool // only for a pipe, not in JSON
}

// NewRecord returns an empty record.
func NewRecord() *Record { return &Record{lines: &strings.Builder{}} }

// Set sets a field. The value is a Record, a List, or a value as in a Column. Setting a key again doesn't change the
// order of the fields.
func (r *Record) Set(key string, value any) *Record { return r.put(field{key, value, false}) }

// Tab sets a field for lines in a pipe. JSON doesn't have the field.
func (r *Record) Tab(key string, value any) *Record { return r.put(field{key, value, true}) }

func (r *Record) put(f field) *Record {
	if i := r.place(f.key); i >= 0 {
		r.fields[i].value = f.value
		return r
	}
	r.fields = append(r.fields, f)
	return r
}

// place returns the index of the field that has a key; -1 if there is none.
func (r *Record) place(key string) int {
	return slices.IndexFunc(r.fields, func(f field) bool { return f.key == key })
}

// In sets a field to a new record. In JSON, the record is an object.
func (r *Record) In(key string) *Record {
	in := &Record{lines: r.lines}
	r.Set(key, in)
	return in
}

// List sets a field to a new list of records. In JSON, the list is an array.
func (r *Record) List(key string) *List {
	l := &List{lines: r.lines}
	r.Set(key, l)
	return l
}

// Line adds a line for a pipe: name, unless it is "", and then the values of the fields in keys. The keys are separated
// by blanks.
func (r *Record) Line(name, keys string) {
	words := strings.Fields(name)
	for key := range strings.FieldsSeq(keys) {
		words = append(words, OrUnknown(tabText(r.fields[r.place(key)].value)))
	}
	r.lines.WriteString(strings.Join(words, "\t") + "\n")
}

// Lines adds a line for each text. Each line starts with name.
func (r *Record) Lines(name string, texts []string) {
	for _, text := range texts {
		r.Fact(name, text)
	}
}

// Fact adds a line for a pipe with a name and values that aren't fields.
func (r *Record) Fact(name string, values ...string) {
	r.lines.WriteString(Tabbed(append([]string{name}, values...)...))
}

// Tabs returns all lines for a pipe, including those of nested records.
func (r *Record) Tabs() string { return r.lines.String() }

// Print prints the record as JSON, as lines, or as the text that page returns for a terminal.
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

// Line adds a line for each record of the list; see Record.Line.
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
