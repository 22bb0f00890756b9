package mcp

import (
	"encoding/json"
	"errors"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/show"
	"github.com/continuo-tui/continuo/internal/words"
)

const (
	limitDefault = 20
	limitMost    = 100
	// pageBytes is the size of a page, in bytes of JSON. Claude Code accepts 25,000 tokens.
	pageBytes = 50_000
	// textMost is the maximum size of a text in a value that is longer than a page, in bytes. If necessary,
	// texts are cut further.
	textMost = 40_000
	// If texts are cut to N bytes, lists are cut to N/listMost elements.
	listMost = 50
)

// page collects the values of one call. It is also the command's stdout and stderr, and drops that output.
type page struct {
	from, limit int
	seen        int // values from the command
	values      []json.RawMessage
	bytes       int
	next        int // index of the value after the page; 0 on the last page
	counts      any // counts of lines from show --json, or nil
}

var errFull = errors.New("page is full")

// take adds a value. When the page is full, it stops the command with an error.
func (p *page) take(o *out.Output, v any) error {
	if c, ok := v.(show.CountsJSON); ok {
		p.counts = c
		return nil
	}
	i := p.seen
	p.seen++
	if i < p.from || p.next > 0 {
		return nil
	}
	text, err := out.EncodeJSON(v)
	if err != nil {
		return err
	}
	if len(p.values) == p.limit || len(p.values) > 0 && p.bytes+len(text) > pageBytes {
		p.next, o.Out.Failed = i, errFull
		return nil
	}
	for most := textMost; len(text) > pageBytes && most > listMost; most /= 4 {
		if text, err = shorten(text, most); err != nil {
			return err
		}
	}
	p.values, p.bytes = append(p.values, json.RawMessage(text)), p.bytes+len(text)
	return nil
}

// value returns the result of the call. If key is "", this is the command's single value.
func (p *page) value(key string) any {
	if key == "" {
		return p.values[0]
	}
	r := out.NewRecord().Set(key, out.OrEmpty(p.values))
	if p.next > 0 {
		r.Set("next", p.next)
	}
	if p.counts != nil {
		r.Set("counts", p.counts)
	}
	return r
}

// Write implements io.Writer.
func (p *page) Write(b []byte) (int, error) { return len(b), nil }

// shorten cuts the texts in a JSON value to most bytes, and the lists to most/listMost elements.
func shorten(text string, most int) (string, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return "", err
	}
	return out.EncodeJSON(cut(v, most))
}

func cut(v any, most int) any {
	switch v := v.(type) {
	case string:
		if left := len(v) - most; left > 0 {
			return strings.ToValidUTF8(v[:most], "") + "… " + words.Size(int64(left)) + " more"
		}
	case []any:
		if left := len(v) - most/listMost; left > 0 {
			v = append(v[:most/listMost], "… "+words.Count(left)+" more")
		}
		for i := range v {
			v[i] = cut(v[i], most)
		}
		return v
	case map[string]any:
		for key := range v {
			v[key] = cut(v[key], most)
		}
	}
	return v
}
