package out

import (
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/tui/render"
)

// Table describes rows for all three forms of output: columns in a terminal, tab-separated lines in a pipe, and an
// array of objects with --json.
type Table[T any] struct {
	Columns []Column[T] // columns with a Value are the keys of a JSON object, in this order
	Piped   string      // keys of the columns in a pipe, in order, space-separated
	Shown   string      // keys of the columns in a terminal
	Mark    func(T) render.Span
	Group   func(T) string // heading above a group of rows; "" for none
	Note    func(T) string // a path on a line of its own below a row; "" for none
	Title   string         // first line in a terminal; "" for none
	Empty   string         // sentence in a terminal if there are no rows
}

// Column is one fact of a row. Unset functions are derived from Value.
type Column[T any] struct {
	Key   string
	Value func(T) any           // for programs: a string, Path, Time, number, bool or list; nil: not in JSON
	Has   func(T) bool          // reports whether a JSON object has the key; nil: always
	Tab   func(T) string        // text in a pipe
	Text  func(T) string        // text in a terminal
	Ink   render.Ink            // ink of Text
	Cell  func(T) []render.Span // used in place of Text and Ink

	Head  string // heading of the column
	Right bool   // align right
	Max   int    // maximum width in cells; 0: no limit
	Least int    // minimum width in cells when cut; 0: never cut
	Fill  bool   // uses the remaining width
	Leave int    // order in which columns are dropped if they don't fit, 1 first; 0: never
	Room  int    // the column is dropped if it leaves the Fill column fewer cells than this; 0: fewer than its Least
	Below bool   // wraps, and moves to a line of its own if it doesn't fit; only for the last column
}

// Print prints the rows. sum is a sentence about all of them: below the rows in a terminal, on stderr in a pipe.
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

// json prints the rows as an array, one object per line.
func (t *Table[T]) json(o *Output, rows []T) error {
	return o.printArray(len(rows), func(i int) any { return Object(t.Columns, rows[i]) })
}

// Object returns a row as a value that is encoded as a JSON object with the keys of the columns.
func Object[T any](columns []Column[T], row T) any { return object[T]{columns, row} }

// object is a row that is encoded as a JSON object.
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

// Tabs returns a row for programs: the columns of Piped, tab-separated, with a newline at the end.
func (t *Table[T]) Tabs(row T) string {
	var words []string
	for _, i := range t.named(t.Piped) {
		words = append(words, OrUnknown(strings.ReplaceAll(t.Columns[i].tab(row), "\t", " ")))
	}
	return strings.Join(words, "\t") + "\n"
}

// Put sets a field of a record to the rows: an array of objects in JSON, and in a pipe one line per row that begins
// with name.
func (t *Table[T]) Put(r *Record, key, name string, rows []T) {
	list := make([]any, len(rows))
	for i, row := range rows {
		list[i] = Object(t.Columns, row)
		r.lines.WriteString(name + "\t" + t.Tabs(row))
	}
	r.Set(key, list)
}

// named returns the indexes of the columns with the given keys.
func (t *Table[T]) named(keys string) []int {
	var list []int
	for key := range strings.FieldsSeq(keys) {
		list = append(list, slices.IndexFunc(t.Columns, func(c Column[T]) bool { return c.Key == key }))
	}
	return list
}

// tab returns a value for a pipe, cleaned.
func (c *Column[T]) tab(row T) string {
	if c.Tab != nil {
		return OneLine(c.Tab(row))
	}
	return tabText(c.Value(row))
}

// cell returns a value for a terminal.
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

// Pointers returns pointers to the rows, for a Table whose rows are large or have pointer methods.
func Pointers[T any](rows []T) []*T {
	list := make([]*T, len(rows))
	for i := range rows {
		list[i] = &rows[i]
	}
	return list
}
