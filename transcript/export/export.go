// Package export writes a conversation as Markdown, as an HTML page, as JSON, or as records of a transcript. A
// Redactor can mask secrets in each format.
//
// Messages are written one at a time. Two exports of the same conversation are identical: times are in UTC, and
// nothing depends on the clock. Texts in Markdown and HTML are clean (transcript.Clean). Texts in JSON and records
// are unchanged.
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

// The formats. Records writes JSONL; Write writes the other formats.
const (
	Markdown Format = "md"
	HTML     Format = "html"
	JSON     Format = "json"
	JSONL    Format = "jsonl"
)

// Session has the facts about the conversation at the start of an export.
type Session struct {
	ID, Title   string
	Dir, Branch string    // "" if unknown
	First, Last time.Time // times of the first and last message; zero if unknown
	Messages    int       // number of prompts and answers in all threads
	Tokens      transcript.Usage
	Counts      transcript.Counts
	From, To    int // numbers of the first and last exported message; 0 for all messages
}

// Item is one message of an export.
type Item struct {
	Number  int                // number of the message in the outline, from 1
	Thread  *transcript.Thread // set at the first message of a thread
	Message *transcript.Message
}

// page formats the parts of an export.
type page interface {
	head(s *Session) string
	thread(t *transcript.Thread) string
	message(number int, m *transcript.Message) string
	foot() string
}

// Write writes a conversation in any format but JSONL. It writes whole lines. It returns the first error of w or of
// the items.
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
