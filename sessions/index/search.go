package index

import (
	"cmp"
	"context"
	"slices"
	"sort"
	"sync/atomic"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/query"
)

// Search calls on for each message that matches the terms of a query, in files that admit accepts. The caller must
// check the fields and dates of the query. Blocks in which words may begin with the typed words come first, then the
// others, each newest first. Two goroutines call admit and on, so calls can overlap. If on returns false, Search
// ends, perhaps after one more call.
//
// The error is ctx.Err(), or ErrDamaged if messages may be missing. After ErrDamaged, call Update and search again.
func (x *Index) Search(ctx context.Context, q *query.Query, admit func(*File) bool, on func(*Message) bool) error {
	v := x.snapshot()
	s := search{q: q, view: v, admit: admit, on: on}
	blocks, err := s.choose(ctx)
	if err == nil {
		err = s.run(ctx, blocks)
	}
	if err != nil && ctx.Err() == nil {
		x.damage()
	}
	return cmp.Or(ctx.Err(), err)
}

// search is one search.
type search struct {
	q     *query.Query
	view  *view
	admit func(*File) bool
	on    func(*Message) bool
	stop  atomic.Bool
}

// choose returns the blocks that may have a match, in search order.
func (s *search) choose(ctx context.Context) ([]*block, error) {
	sieve := newSieve(s.q.Literals())
	type candidate struct {
		*block
		admitted, asTyped bool
	}
	list, errs := make([]candidate, len(s.view.blocks)), make([]error, len(s.view.blocks))
	sessions.Parallel(ctx, len(list), workers, func(i int) {
		b := s.view.blocks[i]
		f, err := b.loadFilter(s.view.text)
		if errs[i] = err; err == nil {
			list[i].block = b
			list[i].admitted, list[i].asTyped = sieve.admits(f)
		}
	})
	if err := cmp.Or(cmp.Or(errs...), ctx.Err()); err != nil {
		return nil, err
	}
	list = slices.DeleteFunc(list, func(c candidate) bool { return !c.admitted })
	slices.SortStableFunc(list, func(a, b candidate) int {
		if a.asTyped != b.asTyped {
			if a.asTyped {
				return -1
			}
			return 1
		}
		return cmp.Compare(b.newest, a.newest)
	})
	blocks := make([]*block, len(list))
	for i := range list {
		blocks[i] = list[i].block
	}
	return blocks, nil
}

// run searches the blocks with two goroutines.
func (s *search) run(ctx context.Context, blocks []*block) error {
	errs := make([]error, len(blocks))
	free := make(chan *reading, workers)
	for range workers {
		free <- &reading{files: map[uint32]*File{}}
	}
	sessions.Parallel(ctx, len(blocks), workers, func(i int) {
		if s.stop.Load() {
			return
		}
		r := <-free
		if errs[i] = s.block(blocks[i], r); errs[i] != nil {
			s.stop.Store(true)
		}
		free <- r
	})
	return cmp.Or(errs...)
}

// reading holds the buffers of one goroutine of a search.
type reading struct {
	buf     []byte
	entries []entry
	found   []int            // indexes of the entries that may match
	files   map[uint32]*File // by ID: files with candidates so far; nil for a rejected file
}

// file returns the file with an ID, or nil for a rejected one.
func (s *search) file(r *reading, id uint32) *File {
	f, known := r.files[id]
	if known {
		return f
	}
	if row := s.view.rows[id]; row != nil {
		if found, ok := s.view.files[row.path]; ok && s.admit(&found) {
			f = &found
		}
	}
	r.files[id] = f
	return f
}

// block searches one block. The last texts come first: they are usually the newest of their session, so the caller
// can drop most others.
func (s *search) block(b *block, r *reading) error {
	text, table, err := b.read(s.view.text, &r.buf)
	if err != nil {
		return err
	}
	r.entries, r.found = r.entries[:0], r.found[:0]
	for from := 0; from <= len(text); {
		at := s.q.Find(text[from:])
		if at < 0 {
			break
		}
		if len(r.entries) == 0 {
			if r.entries, err = b.entriesOf(table, r.entries); err != nil {
				return err
			}
		}
		at += from
		i := sort.Search(len(r.entries), func(i int) bool { return r.entries[i].end >= at })
		if i == len(r.entries) {
			break
		}
		r.found = append(r.found, i)
		from = r.entries[i].end + 1
	}
	for _, i := range slices.Backward(r.found) {
		e := &r.entries[i]
		if f := s.file(r, e.id); f != nil {
			s.entry(f, e, text[e.start:e.end])
		}
		if s.stop.Load() {
			return nil
		}
	}
	return nil
}

// entry calls on if a text matches.
func (s *search) entry(f *File, e *entry, text []byte) {
	spans, ok := s.q.Match(text)
	if !ok {
		return
	}
	m := Message{File: f, Offset: e.offset, Role: e.role, Text: text, Spans: spans}
	if e.time != 0 {
		m.Time = time.UnixMilli(e.time).UTC()
	}
	if !s.stop.Load() && !s.on(&m) {
		s.stop.Store(true)
	}
}
