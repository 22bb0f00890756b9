package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// documentLimit is how much of a document is read: the largest seen is 178 KB.
const documentLimit = 16 << 20

// Doc is one opened transcript or document. It is safe for concurrent use.
type Doc struct {
	transcript *transcript.Transcript // nil for a document
	markdown   string
}

// Open opens the file of a row for reading: a document as markdown, anything else as a transcript. The
// error wraps that of the operating system, or transcript.ErrNotRegular.
func (c *Catalog) Open(ctx context.Context, row sessions.Row) (*Doc, error) {
	if row.Kind == sessions.KindDocument {
		text, err := readDocument(row.Path)
		return &Doc{markdown: text}, err
	}
	t, err := transcript.Open(ctx, row.Path)
	if err != nil {
		return nil, err
	}
	return &Doc{transcript: t}, nil
}

func readDocument(path string) (text string, err error) {
	f, info, err := transcript.OpenFile(path)
	if err != nil {
		return "", fmt.Errorf("open document: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var b strings.Builder
	if _, err := io.Copy(&b, io.LimitReader(f, documentLimit)); err != nil {
		return "", fmt.Errorf("read document %s: %w", path, err)
	}
	if left := info.Size() - int64(b.Len()); left > 0 {
		fmt.Fprintf(&b, "\n\n… %d bytes left out …\n", left)
	}
	return strings.ToValidUTF8(b.String(), "\uFFFD"), nil
}

// Outline lists the messages of every thread, main thread first, in reading order. Nothing is decoded.
func (d *Doc) Outline() []transcript.MessageRef {
	if d.transcript == nil {
		return nil
	}
	return d.transcript.Outline().Messages
}

// Threads lists the threads; MessageRef.Thread points into it.
func (d *Doc) Threads() []transcript.Thread {
	if d.transcript == nil {
		return nil
	}
	return d.transcript.Outline().Threads
}

// Messages decodes the messages [from, to) of the outline. The error is that of ctx; a message that could
// not be read any more says so itself.
func (d *Doc) Messages(ctx context.Context, from, to int) ([]transcript.Message, error) {
	if d.transcript == nil {
		return nil, nil
	}
	to = min(to, len(d.Outline()))
	out := make([]transcript.Message, 0, max(0, to-from))
	for i := max(0, from); i < to; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		out = append(out, d.transcript.Message(i))
	}
	return out, nil
}

// Counts accounts for every line of a transcript.
func (d *Doc) Counts() transcript.Counts {
	if d.transcript == nil {
		return transcript.Counts{}
	}
	return d.transcript.Outline().Counts
}

// Decoded counts the records that were decoded so far, for tests that guard the work.
func (d *Doc) Decoded() int {
	if d.transcript == nil {
		return 0
	}
	return d.transcript.Decoded()
}

// Markdown is the text of a document; a transcript has none.
func (d *Doc) Markdown() (string, bool) { return d.markdown, d.transcript == nil }

// Close lets the file go.
func (d *Doc) Close() error {
	if d.transcript == nil {
		return nil
	}
	return d.transcript.Close()
}
