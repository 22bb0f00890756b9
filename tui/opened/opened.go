// Package opened has open conversations and documents, and the sections of a document, for all screens.
package opened

import (
	"context"
	"errors"
	"sync"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/render/talk"
)

// Doc is an open transcript or document. Callers must not call its methods concurrently.
type Doc interface {
	// Outline lists the messages of all threads in reading order, or the sections of a document. The main thread is
	// first.
	Outline() []transcript.MessageRef
	// Threads lists the threads. MessageRef.Thread is an index into this list.
	Threads() []transcript.Thread
	// Messages decodes the messages [from, to) of the outline.
	Messages(ctx context.Context, from, to int) ([]transcript.Message, error)
	// Follow reads appended data, and reports whether the outline has changed. For a rewritten file, the error is
	// transcript.ErrRewritten. The old messages can still be read.
	Follow(ctx context.Context) (bool, error)
	Close() error
}

// File makes a Doc safe for concurrent use, by running one method at a time.
type File struct {
	mu      sync.Mutex
	doc     Doc
	version int // version of the outline; Follow increments it
}

// New returns a File for a Doc. Then only the File may use the Doc.
func New(doc Doc) *File { return &File{doc: doc} }

// Messages decodes the messages [from, to) of a version of the outline. For an older version, the error is ErrOlder.
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

// Album is a Doc that has images.
type Album interface {
	// Image returns image n in a block of a message. The message may be from an earlier outline. Image doesn't check
	// the kind of the data.
	Image(ctx context.Context, ref transcript.MessageRef, block, n int) ([]byte, error)
}

// Image returns image number n in a block of a message; see Album.
func (f *File) Image(ctx context.Context, ref transcript.MessageRef, block, n int) ([]byte, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if a, ok := f.doc.(Album); ok {
		return a.Image(ctx, ref, block, n)
	}
	return nil, transcript.ErrNoImage
}

// Sifter is a Doc that can list the messages in [from, to) that may contain a text. It doesn't decode them.
type Sifter interface {
	Sift(ctx context.Context, from, to int, contains func(line []byte) bool) ([]int, error)
}

// Named is a Doc that finds messages by a prefix of their ID, or of the ID of one of their records.
type Named interface {
	MessagesNamed(prefix string) []int
}

// Recorded is a Doc that returns the UUIDs of its last records.
type Recorded interface {
	LastRecords() []string
}

// LastRecords returns the UUIDs of a Doc's last records, or nil.
func LastRecords(doc Doc) []string {
	if d, ok := doc.(Recorded); ok {
		return d.LastRecords()
	}
	return nil
}

// End is the end of the conversation that a reader shows.
type End struct {
	Version int         // version of the outline
	Records []string    // UUIDs of the last records; see LastRecords
	After   talk.Ending // how the last message ends
}

// Named returns the indexes of the messages whose ID starts with prefix. The error may be ErrOlder.
func (f *File) Named(version int, prefix string) ([]int, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if version != f.version {
		return nil, ErrOlder
	}
	if d, ok := f.doc.(Named); ok {
		return d.MessagesNamed(prefix), nil
	}
	return nil, nil
}

// Search calls on for each message in [from, to) that may contain a text. contains reports whether a record may contain
// it. The error may be ErrOlder or ctx.Err().
func (f *File) Search(ctx context.Context, version, from, to int, contains func(line []byte) bool, on func(i int, m *transcript.Message)) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if version != f.version {
		return ErrOlder
	}
	list := []int{}
	if s, ok := f.doc.(Sifter); ok {
		var err error
		if list, err = s.Sift(ctx, from, to, contains); err != nil {
			return err
		}
	} else {
		for i := from; i < to; i++ {
			list = append(list, i)
		}
	}
	for len(list) > 0 {
		n := 1 // consecutive messages are decoded in one call
		for n < len(list) && list[n] == list[0]+n {
			n++
		}
		msgs, err := f.doc.Messages(ctx, list[0], list[0]+n)
		if err != nil {
			return err
		}
		for i := range msgs {
			on(list[0]+i, &msgs[i])
		}
		list = list[n:]
	}
	return nil
}

// ErrOlder means that the indexes of messages belong to an older version of the outline.
var ErrOlder = errors.New("older outline")

// Grown is a changed outline and its version.
type Grown struct {
	Version int
	Refs    []transcript.MessageRef
	Threads []transcript.Thread
	Last    []string // see LastRecords
}

// Follow reads appended data. It returns nil if the outline hasn't changed. The error is from the Doc or ctx.
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
	return &Grown{Version: f.version, Refs: f.doc.Outline(), Threads: f.doc.Threads(), Last: LastRecords(f.doc)}, err
}

// Close closes the document.
func (f *File) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.doc.Close()
}

// MainEnd returns the index of the last message of the main thread, or the last index.
func MainEnd(refs []transcript.MessageRef, threads []transcript.Thread) int {
	for i := len(refs) - 1; i >= 0; i-- {
		if t := refs[i].Thread; t >= 0 && t < len(threads) && threads[t].Kind == transcript.Main {
			return i
		}
	}
	return len(refs) - 1
}
