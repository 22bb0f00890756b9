package out

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/tui/render"
)

// Table describes rows: columns on a terminal, tab-separated lines in a pipe, or an array of objects with
// --json.
type Table[T any] struct {
	Columns []Column[T] // columns with a Value are JSON keys, in this order
	Piped   string      // keys of the columns in a pipe, separated by blanks
	Shown   string      // keys of the columns on a terminal
	Mark    func(T) render.Span
	Group   func(T) string // heading above a group of rows, or ""
	Note    func(T) string // a path below a row, or ""
	Title   string         // first line on a terminal, or ""
	Empty   string         // sentence for a terminal without rows
}

// Column is one fact about a row. Without Tab, Text and Cell, Value supplies the text.
type Column[T any] struct {
	Key string
	// Value returns the value for programs: a string, Path, Time, number, bool or list. If Value is nil, the
	// column isn't in JSON.
	Value func(T) any
	Has   func(T) bool          // whether JSON has the key; nil means always
	Tab   func(T) string        // text for a pipe
	Text  func(T) string        // text for a terminal
	Ink   render.Ink            // ink of Text
	Cell  func(T) []render.Span // replaces Text and Ink

	Head  string // heading of the column
	Right bool
	Max   int  // maximum width in cells; 0 means no limit
	Least int  // the text may be cut to this width; 0 means never
	Fill  bool // gets all spare cells
	Leave int  // columns that don't fit are dropped in this order, from 1; 0 means never
	// The column is dropped if the Fill column would be narrower than Room. 0 means Least of the Fill column.
	Room  int
	Below bool // for the last column: it wraps or, if it doesn't fit, moves to a separate line
}

// Print prints the rows. sum is a sentence about all rows: below them on a terminal, else on stderr.
func (t *Table[T]) Print(o *Output, rows []T, sum string) error {
	switch {
	case o.JSON:
		return t.json(o, rows)
	case o.Out.Terminal:
		o.Out.Print(t.draw(o.Out, rows, sum))
	default:
		for i := range rows {
			o.Out.Print(t.Tabs(rows[i]))
		}
		if sum != "" {
			o.Err.Print(sum + "\n")
		}
	}
	return nil
}

// json prints the rows as an array, one object on each line.
func (t *Table[T]) json(o *Output, rows []T) error {
	return o.printArray(len(rows), func(i int) any { return Object(t.Columns, rows[i]) })
}

// Object returns a row as a JSON object with the columns as keys.
func Object[T any](columns []Column[T], row T) any { return object[T]{columns, row} }

// object is a row as a JSON object.
type object[T any] struct {
	columns []Column[T]
	row     T
}

// MarshalJSON implements json.Marshaler.
func (j object[T]) MarshalJSON() ([]byte, error) { return j.appendJSON(nil) }

func (j object[T]) appendJSON(b []byte) (_ []byte, err error) {
	b = append(b, '{')
	comma := ""
	for i := range j.columns {
		c := &j.columns[i]
		if c.Value == nil || c.Has != nil && !c.Has(j.row) {
			continue
		}
		b = append(b, comma+`"`+c.Key+`":`...)
		if b, err = appendJSON(b, c.Value(j.row)); err != nil {
			return nil, err
		}
		comma = ","
	}
	return append(b, '}'), nil
}

// Tabs returns a row for a pipe: the columns in Piped, and a newline.
func (t *Table[T]) Tabs(row T) string {
	var words []string
	for _, i := range t.named(t.Piped) {
		words = append(words, OrUnknown(strings.ReplaceAll(t.Columns[i].tab(row), "\t", " ")))
	}
	return strings.Join(words, "\t") + "\n"
}

// Put sets a field to the rows: an array in JSON. In a pipe, each row is a line that begins with name.
func (t *Table[T]) Put(r *Record, key, name string, rows []T) {
	list := make([]any, len(rows))
	for i, row := range rows {
		list[i] = Object(t.Columns, row)
		r.lines.WriteString(name + "\t" + t.Tabs(row))
	}
	r.Set(key, list)
}

// named returns the indexes of the columns with keys.
func (t *Table[T]) named(keys string) []int {
	var list []int
	for key := range strings.FieldsSeq(keys) {
		list = append(list, slices.IndexFunc(t.Columns, func(c Column[T]) bool { return c.Key == key }))
	}
	return list
}

// tab formats a value for a pipe, without control characters.
func (c *Column[T]) tab(row T) string {
	if c.Tab != nil {
		return OneLine(c.Tab(row))
	}
	return tabText(c.Value(row))
}

// cell formats a value for a terminal.
func (c *Column[T]) cell(row T) []render.Span {
	if c.Cell != nil {
		return c.Cell(row)
	}
	text := c.Text
	if text == nil {
		text = c.tab
	}
	return []render.Span{{Ink: c.Ink, Text: OneLine(text(row))}}
}

// Pointers returns pointers to the rows, for a Table of pointers.
func Pointers[T any](rows []T) []*T {
	list := make([]*T, len(rows))
	for i := range rows {
		list[i] = &rows[i]
	}
	return list
}
