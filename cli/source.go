package cli

import (
	"context"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/transcript"
)

// source is what the commands need of the catalogue.
type source interface {
	// List returns every row, newest first. The error joins what could not be read.
	List(ctx context.Context, quick bool) ([]sessions.Row, error)
	// Open opens the file of a row.
	Open(ctx context.Context, row sessions.Row) (sourceDoc, error)
}

// sourceDoc is what show needs of an opened file.
type sourceDoc interface {
	Outline() []transcript.MessageRef
	Threads() []transcript.Thread
	Messages(ctx context.Context, from, to int) ([]transcript.Message, error)
	Counts() transcript.Counts
	Markdown() (string, bool)
	Close() error
}

// opener makes the source of a command.
type opener func(catalog.Options) source

// openCatalog is the real opener.
func openCatalog(opts catalog.Options) source { return catalogSource{catalog.New(opts)} }

// catalogSource is a catalogue whose documents are looked at through the interface.
type catalogSource struct{ *catalog.Catalog }

// Open implements source.
func (c catalogSource) Open(ctx context.Context, row sessions.Row) (sourceDoc, error) {
	doc, err := c.Catalog.Open(ctx, row)
	if err != nil {
		return nil, err
	}
	return doc, nil
}
