package setup

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/tailscale/hujson"
)

// splice replaces a range of bytes with a text.
type splice struct {
	from, to int
	with     string
}

// apply makes edits and parses the result. Edits don't overlap.
func (s *settings) apply(edits ...splice) (*settings, error) {
	slices.SortStableFunc(edits, func(a, b splice) int { return a.from - b.from })
	var b bytes.Buffer
	b.WriteString(s.mark)
	at := 0
	for _, e := range edits {
		b.Write(s.text[at:e.from])
		b.WriteString(e.with)
		at = e.to
	}
	b.Write(s.text[at:])
	next, err := parseSettings(b.Bytes())
	if err == nil {
		next.nl, next.unit, next.gap, next.flat = s.nl, s.unit, s.gap, s.flat // keep the style, even if the file is empty now
	}
	return next, err
}

// bytes returns the whole file.
func (s *settings) bytes() []byte { return append([]byte(s.mark), s.text...) }

// field is a key with a value: a string, an int, a []string, a []field or a []any.
type field struct {
	name  string
	value any
}

// written returns a value as JSON, on one line if flat is true, otherwise with the given indentation.
func (s *settings) written(v any, flat bool, indent string) string {
	within := func(parts []string, open, shut string) string {
		if flat {
			return open + strings.Join(parts, ","+s.gap) + shut
		}
		deeper := s.nl + indent + s.unit
		return open + deeper + strings.Join(parts, ","+deeper) + s.nl + indent + shut
	}
	var parts []string
	switch v := v.(type) {
	case []field:
		for _, f := range v {
			parts = append(parts, s.named(f, flat, indent+s.unit))
		}
		return within(parts, "{", "}")
	case []any:
		for _, e := range v {
			parts = append(parts, s.written(e, flat, indent+s.unit))
		}
		return within(parts, "[", "]")
	case []string:
		gap := s.gap
		if !flat {
			gap = " "
		}
		for _, e := range v {
			parts = append(parts, quotedJSON(e))
		}
		return "[" + strings.Join(parts, ","+gap) + "]"
	case int:
		return strconv.Itoa(v)
	case string:
		return quotedJSON(v)
	}
	return "null"
}

// named returns a key and its value as JSON.
func (s *settings) named(f field, flat bool, indent string) string {
	gap := " "
	if flat {
		gap = s.gap
	}
	return quotedJSON(f.name) + ":" + gap + s.written(f.value, flat, indent)
}

// quotedJSON returns a JSON string without escapes for <, > and &.
func quotedJSON(text string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(text) // never fails for a string
	return strings.TrimSuffix(b.String(), "\n")
}

// child is a member of an object or an element of a list, by its position in the text.
type child struct {
	start, end int          // offsets, without white space and comments
	before     hujson.Extra // text from the previous bracket or comma to the child
	after      hujson.Extra // text from the child to the next comma
	comma      bool         // a comma follows
}

// childrenOf returns the children of an object or list, and the text before its closing bracket.
func childrenOf(v *hujson.Value) (kids []child, rest hujson.Extra) {
	switch c := v.Value.(type) {
	case *hujson.Object:
		for i := range c.Members {
			m := &c.Members[i]
			kids = append(kids, child{m.Name.StartOffset, m.Value.EndOffset, m.Name.BeforeExtra, m.Value.AfterExtra, true})
		}
		rest = c.AfterExtra
	case *hujson.Array:
		for i := range c.Elements {
			e := &c.Elements[i]
			kids = append(kids, child{e.StartOffset, e.EndOffset, e.BeforeExtra, e.AfterExtra, true})
		}
		rest = c.AfterExtra
	}
	if n := len(kids); n > 0 {
		kids[n-1].comma = kids[n-1].after != nil // the parser marks a trailing comma in this way
	}
	return kids, rest
}

// inner returns the text between the brackets of a value.
func (s *settings) inner(v *hujson.Value) string {
	return string(s.text[v.StartOffset+1 : v.EndOffset-1])
}

// indentAt returns the indentation of the line that contains an offset.
func (s *settings) indentAt(offset int) string {
	line := s.text[bytes.LastIndexByte(s.text[:offset], '\n')+1:]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// appendTo adds an element at the end of an object or list, formatted like the others.
func (s *settings) appendTo(v *hujson.Value, write func(flat bool, indent string) string) []splice {
	kids, _ := childrenOf(v)
	inner, base := s.inner(v), s.indentAt(v.StartOffset)
	start := v.StartOffset + 1
	if len(kids) == 0 {
		kept := strings.TrimRight(inner, blanks) // "" or a comment
		if s.flat {
			return []splice{{start, v.EndOffset - 1, kept + write(true, "")}}
		}
		indent := base + s.unit
		return []splice{{start, v.EndOffset - 1, kept + s.nl + indent + write(false, indent) + s.nl + base}}
	}
	last := kids[len(kids)-1]
	at := start + len(strings.TrimRight(inner, blanks)) // behind a comment on the last line
	comma := ""
	if last.comma {
		comma = ","
	}
	var edits []splice
	if comma == "" {
		edits = append(edits, splice{last.end, last.end, ","})
	}
	if !strings.Contains(inner, "\n") {
		gap := s.gap
		if len(kids) > 1 {
			gap = oneBlank(last.before)
		}
		return append(edits, splice{at, at, gap + write(true, "") + comma})
	}
	indent := base + s.unit
	if before := string(kids[0].before); strings.Contains(before, "\n") {
		indent = before[len(strings.TrimRight(before, " \t")):]
	}
	return append(edits, splice{at, at, s.nl + indent + write(false, indent) + comma})
}

// cut removes a child of an object or list, with the white space before it and one comma. Comments stay. empty is the
// text between the brackets if no child is left.
func (s *settings) cut(v *hujson.Value, i int, empty string) []splice {
	kids, rest := childrenOf(v)
	k := kids[i]
	before := strings.TrimRight(string(k.before), blanks)
	from, to := k.start-(len(k.before)-len(before)), k.end
	if len(kids) == 1 && blank(k.after) && blank(rest) && before == strings.TrimRight(empty, blanks) {
		return []splice{{v.StartOffset + 1, v.EndOffset - 1, empty}}
	}
	var edits []splice
	switch {
	case k.comma:
		comma := k.end + len(k.after)
		if blank(k.after) {
			to = comma + 1
		} else {
			edits = append(edits, splice{comma, comma + 1, ""})
		}
	case i > 0:
		comma := kids[i-1].end + len(kids[i-1].after)
		edits = append(edits, splice{comma, comma + 1, ""})
	}
	if endsInLine(before) && !bytes.HasPrefix(bytes.TrimLeft(s.text[to:], " \t\r"), []byte("\n")) {
		from = k.start // otherwise the next text would be part of the comment
	}
	return append(edits, splice{from, to, ""})
}

// endsInLine reports whether a text between values ends in a line comment (//).
func endsInLine(extra string) bool {
	for {
		at := strings.IndexByte(extra, '/')
		if at < 0 || at+1 == len(extra) {
			return false
		}
		end := "\n"
		if extra[at+1] == '*' {
			end = "*/"
		}
		_, rest, closed := strings.Cut(extra[at+2:], end)
		if !closed {
			return end == "\n"
		}
		extra = rest
	}
}

// blank reports whether a text has only white space.
func blank(extra hujson.Extra) bool { return len(bytes.Trim(extra, blanks)) == 0 }
