package out

import (
	"slices"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/tui/render"
)

// Table describes rows once for all three forms: columns in a terminal, a row a line with tabs between in a pipe, and
// one array of objects with --json.
type Table[T any] struct {
	Columns []Column[T] // columns with a value are the keys of an object, in this order
	Piped   string      // the keys of the columns in a pipe, in order, with blanks between
	Shown   string      // the same in a terminal
	Mark    func(T) render.Span
	Group   func(T) string // the heading above a group of rows; "" none
	Note    func(T) string // a path on a line of its own below a row; "" none
	Title   string         // the first line in a terminal; "" none
	Empty   string         // one sentence in a terminal when there are no rows
}

// Column is one fact of a row. Fields that are not set follow from Value.
type Column[T any] struct {
	Key   string
	Value func(T) any           // for programs: a string, Path, Time, number, bool or list; nil is not in JSON
	Has   func(T) bool          // reports whether an object has the key; nil: each has
	Tab   func(T) string        // in a pipe
	Text  func(T) string        // in a terminal
	Ink   render.Ink            // of Text
	Cell  func(T) []render.Span // in place of Text and Ink

	Head  string // above the column
	Right bool   // numbers stand at the right
	Max   int    // cells; 0 no limit
	Least int    // cells that it can be cut to; 0 it is never cut
	Fill  bool   // it takes the cells that are left
	Leave int    // 1 is the first to leave where there is no room; 0 stays
	Room  int    // cells of the filling column below which this one leaves; 0 is its Least
	Below bool   // wraps, and has a line of its own where there is no room; only for the last column
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

// json prints the rows as an array, an object a line.
func (t *Table[T]) json(o *Output, rows []T) error {
	return o.printArray(len(rows), func(i int) any { return Object(t.Columns, rows[i]) })
}

// Object returns a row as a value that becomes an object of JSON with the keys of the columns.
func Object[T any](columns []Column[T], row T) any { return object[T]{columns, row} }

// object is a row that becomes an object of JSON.
type object[T any] struct {
	columns []Column[T]
	row     T
}

// MarshalJSON implements json.Marshaler.
func (j object[T]) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for i := range j.columns {
		c := &j.columns[i]
		if c.Value == nil || c.Has != nil && !c.Has(j.row) {
			continue
		}
		value, err := EncodeJSON(c.Value(j.row))
		if err != nil {
			return nil, err
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, c.Key), ':')
		b = append(b, value...)
	}
	return append(b, '}'), nil
}

// Tabs returns a row for programs: the columns of Piped with tabs between, and a newline.
func (t *Table[T]) Tabs(row T) string {
	var words []string
	for _, i := range t.named(t.Piped) {
		words = append(words, OrUnknown(strings.ReplaceAll(t.Columns[i].tab(row), "\t", " ")))
	}
	return strings.Join(words, "\t") + "\n"
}

// Put sets a field of a record to rows, an array of objects. In a pipe a row is a line that begins with name.
func (t *Table[T]) Put(r *Record, key, name string, rows []T) {
	list := make([]any, len(rows))
	for i, row := range rows {
		list[i] = Object(t.Columns, row)
		r.lines.WriteString(name + "\t" + t.Tabs(row))
	}
	r.Set(key, list)
}

// named returns the places of the columns with these keys.
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
