// Package export writes a conversation for people and programs outside of continuo: as markdown, as one HTML page, as
// JSON, or as its records. A Redactor masks secrets in each of them.
//
// Messages are written one at a time, so the memory doesn't depend on the length of the conversation. The same
// conversation gives the same bytes: times are in UTC, and nothing depends on the clock. Texts in markdown and HTML are
// clean (transcript.Clean); JSON and records keep them unchanged.
package export

import (
	"fmt"
	"io"
	"iter"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Format is the format of an export.
type Format string

// The formats. Records writes JSONL, Write the others.
const (
	Markdown Format = "md"
	HTML     Format = "html"
	JSON     Format = "json"
	JSONL    Format = "jsonl"
)

// Session describes the conversation at the head of an export.
type Session struct {
	ID, Title   string
	Dir, Branch string    // "" unknown
	First, Last time.Time // times of the first and last message with a time; zero unknown
	Messages    int       // prompts and answers of all threads
	Tokens      transcript.Usage
	Counts      transcript.Counts
	From, To    int // numbers of the first and last message exported; 0: all of them
}

// Item is one message of an export.
type Item struct {
	Number  int                // number of the message in the outline, from 1
	Thread  *transcript.Thread // set if the message is the first one of its thread in this export
	Message *transcript.Message
}

// page formats the parts of an export.
type page interface {
	head(s *Session) string
	thread(t *transcript.Thread) string
	message(number int, m *transcript.Message) string
	foot() string
}

// Write writes a conversation in a format other than JSONL. Each call of w.Write has whole lines. The error is the
// first one of w or of the items.
func Write(w io.Writer, f Format, s *Session, items iter.Seq2[Item, error]) error {
	var p page
	switch f {
	case HTML:
		p = newHTMLPage()
	case JSON:
		p = &jsonPage{}
	case Markdown, JSONL:
		p = &markdownPage{}
	}
	put := func(text string) error {
		if text == "" {
			return nil
		}
		if _, err := io.WriteString(w, text); err != nil {
			return fmt.Errorf("write export: %w", err)
		}
		return nil
	}
	if err := put(p.head(s)); err != nil {
		return err
	}
	for item, err := range items {
		if err != nil {
			return err
		}
		if item.Thread != nil {
			if err := put(p.thread(item.Thread)); err != nil {
				return err
			}
		}
		if err := put(p.message(item.Number, item.Message)); err != nil {
			return err
		}
	}
	return put(p.foot())
}
