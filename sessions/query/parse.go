package query

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// SyntaxError is the error of Parse.
type SyntaxError struct {
	At      int    // byte offset in the search
	Problem string // a sentence
}

// Error implements error.
func (e *SyntaxError) Error() string { return e.Problem }

// Parse parses a search. Dates are in the time zone of now. The error is a *SyntaxError.
func Parse(text string, now time.Time) (*Query, error) {
	p := parser{text: text, now: now, q: &Query{Text: text}}
	for p.skipSpace(); p.at < len(text); p.skipSpace() {
		if err := p.term(); err != nil {
			return nil, err
		}
	}
	p.q.prepare()
	return p.q, nil
}

// prepare makes the finders of the query.
func (q *Query) prepare() {
	q.escape = newFinder([]byte(`\u`))
	for i := range q.Terms {
		t := &q.Terms[i]
		finders := t.words
		if t.re != nil {
			for _, l := range t.literals {
				finders = append(finders, newFinder(l))
			}
		}
		for _, f := range finders {
			q.finders = append(q.finders, f)
			if q.rarest == nil || f.rare > q.rarest.rare {
				q.rarest, q.phrase = f, nil
				if len(t.words) > 1 {
					q.phrase = t
				}
			}
		}
	}
}

// Words returns a query for the words of a text. No character of the text has a special meaning.
func Words(text string) *Query {
	q := &Query{Text: text}
	for _, w := range strings.Fields(text) {
		q.Terms = append(q.Terms, newText(w))
	}
	q.prepare()
	return q
}

type parser struct {
	text string
	at   int
	now  time.Time
	q    *Query
}

func (p *parser) skipSpace() {
	for p.at < len(p.text) {
		r, size := utf8.DecodeRuneInString(p.text[p.at:])
		if !unicode.IsSpace(r) {
			return
		}
		p.at += size
	}
}

// term parses one term or field.
func (p *parser) term() error {
	not := false
	if rest := p.text[p.at:]; len(rest) > 1 && rest[0] == '-' && !unicode.IsSpace(rune(rest[1])) {
		not = true
		p.at++
	}
	if name, value, ok := strings.Cut(p.word(), ":"); ok {
		if name = strings.ToLower(name); slices.Contains(FieldNames(), name) {
			return p.field(name, value, not)
		}
	}
	start := p.at
	var t Term
	switch p.text[p.at] {
	case '"':
		text, ok := p.until('"')
		if !ok {
			return &SyntaxError{start, `The quote isn't closed: add another ".`}
		}
		if strings.TrimSpace(text) == "" {
			return nil
		}
		t = newText(text)
	case '/':
		text, ok := p.until('/')
		if !ok { // a path such as /etc/hosts doesn't end with a slash
			p.at = start
			t = newText(p.take())
			break
		}
		var err error
		if t, err = newRegexp(text); err != nil {
			return &SyntaxError{start + 1, "The regular expression is wrong: " + problem(err) + "."}
		}
	default:
		t = newText(p.take())
	}
	if not {
		p.q.Not = append(p.q.Not, t)
	} else {
		p.q.Terms = append(p.q.Terms, t)
	}
	return nil
}

// problem returns the text of an error in a regular expression. The text doesn't repeat the whole expression.
func problem(err error) string {
	if se, ok := errors.AsType[*syntax.Error](err); ok {
		return fmt.Sprintf("%s: %s", se.Code, se.Expr)
	}
	return err.Error()
}

// word returns the text up to the next white space.
func (p *parser) word() string {
	rest := p.text[p.at:]
	if i := strings.IndexFunc(rest, unicode.IsSpace); i >= 0 {
		return rest[:i]
	}
	return rest
}

// take returns the next word and moves behind it.
func (p *parser) take() string {
	w := p.word()
	p.at += len(w)
	return w
}

// until returns the text between the delimiter at the current offset and the closing delimiter, and moves behind it.
// A phrase ends at the next quote. A regular expression ends at the next slash before white space or the end, unless
// a backslash precedes it. Backslashes stay.
func (p *parser) until(mark byte) (text string, ok bool) {
	for i := p.at + 1; i < len(p.text); i++ {
		switch {
		case mark == '/' && p.text[i] == '\\':
			i++
		case p.text[i] == mark && p.ends(i+1):
			text = p.text[p.at+1 : i]
			p.at = i + 1
			return text, true
		case mark == '"' && p.text[i] == mark: // a quote inside a word
			text = p.text[p.at+1 : i]
			p.at = i + 1
			return text, true
		}
	}
	return "", false
}

// ends reports whether the offset i is at white space or at the end of the text.
func (p *parser) ends(i int) bool {
	r, _ := utf8.DecodeRuneInString(p.text[i:])
	return i == len(p.text) || unicode.IsSpace(r)
}

// field parses a field. The value may be in quotes.
func (p *parser) field(name, value string, not bool) error {
	start := p.at + len(name) + 1
	if strings.HasPrefix(value, `"`) {
		p.at = start
		text, ok := p.until('"')
		if !ok {
			return &SyntaxError{start, `The quote isn't closed: add another ".`}
		}
		value = text
	} else {
		p.take()
	}
	if value == "" {
		return &SyntaxError{start, fmt.Sprintf("%s: has no value: %s.", name, hint(name))}
	}
	switch name {
	case After, Before:
		return p.date(name, value, start, not)
	case Is:
		if !slices.Contains(IsValues(), strings.ToLower(value)) {
			return &SyntaxError{start, fmt.Sprintf("is:%s isn't known: %s.", value, hint(name))}
		}
	}
	p.q.Fields = append(p.q.Fields, Field{name, string(AppendFold(nil, []byte(value))), not})
	return nil
}

// hint returns advice on how to write a field.
func hint(name string) string {
	switch name {
	case Is:
		return "write is:live, is:backup, is:subagent, is:starred, is:archived or is:hidden-from-picker"
	case After, Before:
		return "write a date (2026-10-31, 2026-10), yesterday, or an age (3w, 12h)"
	}
	return "write " + name + ":NAME"
}

// date parses the value of after: or before:.
func (p *parser) date(name, value string, start int, not bool) error {
	at, err := parseDate(value, p.now)
	switch {
	case not:
		other := Before
		if name == Before {
			other = After
		}
		return &SyntaxError{start - len(name) - 2, fmt.Sprintf("-%s:%s isn't known: write %s:%s.", name, value, other, value)}
	case err != nil:
		return &SyntaxError{start, fmt.Sprintf("%q isn't a time: %s.", value, hint(name))}
	case name == After:
		p.q.After = at
	default:
		p.q.Before = at
	}
	return nil
}

// errDate is returned for a text that isn't a date or an age.
var errDate = errors.New("not a date")

// parseDate parses a date or an age. A day, month or year gives its beginning. An age such as 3w gives the time three
// weeks before now.
func parseDate(value string, now time.Time) (time.Time, error) {
	day := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	switch strings.ToLower(value) {
	case "today":
		return day, nil
	case "yesterday":
		return day.AddDate(0, 0, -1), nil
	}
	for _, form := range []string{"2006-01-02", "2006-01", "2006"} {
		if at, err := time.ParseInLocation(form, value, now.Location()); err == nil {
			return at, nil
		}
	}
	i := strings.IndexFunc(value, func(r rune) bool { return r < '0' || r > '9' })
	if i <= 0 || i > 5 {
		return time.Time{}, errDate
	}
	n := 0
	for _, c := range value[:i] {
		n = 10*n + int(c-'0')
	}
	switch value[i:] {
	case "m":
		return now.Add(-time.Duration(n) * time.Minute), nil
	case "h":
		return now.Add(-time.Duration(n) * time.Hour), nil
	case "d":
		return now.AddDate(0, 0, -n), nil
	case "w":
		return now.AddDate(0, 0, -7*n), nil
	case "mo":
		return now.AddDate(0, -n, 0), nil
	case "y":
		return now.AddDate(-n, 0, 0), nil
	}
	return time.Time{}, errDate
}
