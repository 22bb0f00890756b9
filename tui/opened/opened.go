// Package opened has what the screens share that read: an opened conversation or document, and the sections of a document.
package opened

import (
	"context"
	"errors"
	"sync"

	"github.com/continuo-tui/continuo/transcript"
)

// Doc is one opened transcript or document. Its methods are called one at a time.
type Doc interface {
	// Outline lists the messages of every thread, main thread first, in reading order; the sections of a document.
	Outline() []transcript.MessageRef
	// Threads lists the threads; MessageRef.Thread points into it.
	Threads() []transcript.Thread
	// Messages decodes the messages [from, to) of the outline.
	Messages(ctx context.Context, from, to int) ([]transcript.Message, error)
	// Follow takes in what was appended and reports whether the outline is another one now. The error is
	// transcript.ErrRewritten when the file is no longer the one that was opened; what was read stays readable.
	Follow(ctx context.Context) (bool, error)
	Close() error
}

// File is an open Doc whose methods are called one at a time, wherever they are called from.
type File struct {
	mu      sync.Mutex
	doc     Doc
	version int // of its outline: it grows with each Follow that found more
}

// New is a File of a Doc that nobody else calls.
func New(doc Doc) *File { return &File{doc: doc} }

// Messages decodes [from, to) of an outline. When that is not the outline of the document any more, its numbers
// mean other messages: the error is ErrOlder then.
func (f *File) Messages(ctx context.Context, version, from, to int) ([]transcript.Message, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if version != f.version {
		return nil, ErrOlder
	}
	return f.doc.Messages(ctx, from, to)
}

// ErrOlder says that the outline has grown since the question was asked.
var ErrOlder = errors.New("older outline")

// Grown is what an outline has become. Its version is that of the outline.
type Grown struct {
	Version int
	Refs    []transcript.MessageRef
	Threads []transcript.Thread
}

// Follow takes in what was appended; nil when nothing was. It does nothing when ctx has ended. The error is that of Doc.
func (f *File) Follow(ctx context.Context) (*Grown, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	grown, err := f.doc.Follow(ctx)
	if !grown {
		return nil, err
	}
	f.version++
	return &Grown{Version: f.version, Refs: f.doc.Outline(), Threads: f.doc.Threads()}, err
}

// Close lets the document go.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.doc.Close()
}

// MainEnd is the last message of the main thread, the last of all when there is none.
func MainEnd(refs []transcript.MessageRef, threads []transcript.Thread) int {
	for i := len(refs) - 1; i >= 0; i-- {
		if t := refs[i].Thread; t >= 0 && t < len(threads) && threads[t].Kind == transcript.Main {
			return i
		}
	}
	return len(refs) - 1
}
