package catalog

import (
	"context"
	"fmt"
	"maps"
	"os"
	"sync"

	"github.com/continuo-tui/continuo/ledger/snapshot"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// Doc is one open transcript or document. It is safe for concurrent use. All results come from one state of the file,
// until Follow reads a newer one.
type Doc struct {
	tails  *tails
	tail   *tail // nil for a document; other Docs may share the tail
	closed sync.Once

	path      string // path of a document
	drift     func(ctx context.Context, dir string, s *snapshot.Snapshot) snapshot.Drift
	following sync.Mutex
	seen      os.FileInfo // file info of the document at the last read; guarded by following

	mu  sync.RWMutex
	now state
}

// state is the contents of a Doc. It is immutable; Follow replaces it.
type state struct {
	messages []transcript.MessageRef
	threads  []transcript.Thread
	counts   transcript.Counts
	records  int
	text     string   // text of a document
	sections []string // texts of the sections of a document
}

// Open opens the file of a row. A document is split into sections of markdown. The error wraps a system error or
// transcript.ErrNotRegular.
func (c *Catalog) Open(ctx context.Context, row sessions.Row) (*Doc, error) {
	d := &Doc{tails: &c.tails, path: row.Path, drift: c.drift}
	if row.Kind == sessions.KindDocument {
		text, info, err := d.readDocument(ctx)
		if err != nil {
			return nil, err
		}
		d.seen, d.now = info, documentState(text)
		return d, nil
	}
	t, err := c.tails.open(ctx, row.Path)
	if err != nil {
		return nil, err
	}
	d.tail = t
	d.advance()
	select {
	case c.aimed <- struct{}{}:
	default:
	}
	return d, nil
}

// Follow reads new lines of a transcript, or a rewritten document. For new text, it returns true, and outline,
// threads and counts are new.
//
// The error is transcript.ErrRewritten if the transcript was replaced or truncated, or if its earlier lines changed.
// Later calls return the same error, but the old messages stay readable. A deleted file is no error. Other errors are
// read errors and ctx.Err().
func (d *Doc) Follow(ctx context.Context) (grown bool, err error) {
	if d.tail == nil {
		return d.read(ctx)
	}
	if err = d.tails.catchUp(ctx, d.tail); err != nil {
		err = fmt.Errorf("follow transcript %s: %w", d.tail.path, err)
	}
	return d.advance(), err
}

// advance updates the state of the Doc from the tail. It reports whether the state changed.
func (d *Doc) advance() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	grown := false
	d.tail.View(func(o *transcript.Outline) {
		was, now := d.now.counts, o.Counts
		grown = d.now.threads == nil || d.now.records != len(o.Records) || was.Unparsed != now.Unparsed ||
			was.NotObjects != now.NotObjects || was.Torn != now.Torn || was.Bad != now.Bad
		if !grown {
			return
		}
		now.Types = maps.Clone(now.Types)
		d.now = state{messages: o.Messages, threads: o.Threads, counts: now, records: len(o.Records)}
	})
	return grown
}

func (d *Doc) state() state {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.now
}

// Outline returns the messages of all threads in reading order, main thread first. For a document, it returns the
// sections. It doesn't decode messages.
func (d *Doc) Outline() []transcript.MessageRef { return d.state().messages }

// Threads returns the threads. MessageRef.Thread is an index into the result.
func (d *Doc) Threads() []transcript.Thread { return d.state().threads }

// Messages decodes the messages [from, to) of the outline. The error is ctx.Err(). The Err of an unreadable message
// has the reason.
func (d *Doc) Messages(ctx context.Context, from, to int) ([]transcript.Message, error) {
	now := d.state()
	from, to = max(0, from), min(to, len(now.messages))
	out := make([]transcript.Message, 0, max(0, to-from))
	for i := from; i < to; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		ref := &now.messages[i]
		if d.tail == nil {
			out = append(out, sectionMessage(now.sections[i]))
		} else {
			out = append(out, d.tail.Decode(ref, now.threads[ref.Thread].Name))
		}
	}
	return out, nil
}

// Image returns the n-th image in a block of a message; see transcript.Transcript.Image.
func (d *Doc) Image(ctx context.Context, ref transcript.MessageRef, block, n int) ([]byte, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if d.tail == nil {
		return nil, transcript.ErrNoImage
	}
	return d.tail.Image(&ref, block, n)
}

// Sift returns the indexes in [from, to) of the messages that can match a search; see transcript.Transcript.May. The
// error is ctx.Err().
func (d *Doc) Sift(ctx context.Context, from, to int, contains func(line []byte) bool) ([]int, error) {
	now := d.state()
	var list []int
	var buf []byte
	for i := max(0, from); i < min(to, len(now.messages)); i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if d.tail == nil || d.tail.May(&now.messages[i], contains, &buf) {
			list = append(list, i)
		}
	}
	return list, nil
}

// MessageAt returns the index of the message with the record at a byte offset. It returns false without one.
func (d *Doc) MessageAt(offset int64) (int, bool) {
	if d.tail == nil {
		return 0, false
	}
	n, ok := 0, false
	d.tail.View(func(o *transcript.Outline) { n, ok = o.RecordAt(offset) })
	if !ok {
		return 0, false
	}
	return transcript.MessageWith(d.state().messages, n)
}

// MessagesNamed returns the indexes of the messages whose ID, or the ID of one of their records, begins with prefix.
// A document has none.
func (d *Doc) MessagesNamed(prefix string) (list []int) {
	if d.tail == nil {
		return nil
	}
	messages := d.state().messages
	d.tail.View(func(o *transcript.Outline) { list = o.Named(messages, prefix) })
	return list
}

// recordsNamed is the number of UUIDs that LastRecords returns. keeper.Join compares them with 256 messages of a
// stream, and most messages have one to three records.
const recordsNamed = 1024

// LastRecords returns the UUIDs of the last records of a transcript, or nil for a document.
func (d *Doc) LastRecords() (uuids []string) {
	if d.tail == nil {
		return nil
	}
	n := d.state().records
	d.tail.View(func(o *transcript.Outline) {
		for _, r := range o.Records[max(n-recordsNamed, 0):n] {
			if r.UUID != 0 {
				uuids = append(uuids, o.Name(r.UUID))
			}
		}
	})
	return uuids
}

// Counts returns how many lines of each kind a transcript has.
func (d *Doc) Counts() transcript.Counts { return d.state().counts }

// Transcript returns the open transcript, or nil for a document. Another Doc's Follow may add messages.
func (d *Doc) Transcript() *transcript.Transcript {
	if d.tail == nil {
		return nil
	}
	return d.tail.Transcript
}

// Decoded returns the number of records that were decoded so far, for tests.
func (d *Doc) Decoded() int {
	if d.tail == nil {
		return 0
	}
	return d.tail.Decoded()
}

// Markdown returns the text of a document. ok is false for a transcript.
func (d *Doc) Markdown() (string, bool) { return d.state().text, d.tail == nil }

// Close releases the file.
func (d *Doc) Close() (err error) {
	d.closed.Do(func() {
		if d.tail != nil {
			err = d.tails.done(d.tail)
		}
	})
	return err
}
