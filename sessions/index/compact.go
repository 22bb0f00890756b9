package index

import (
	"maps"
	"os"

	"github.com/continuo-tui/continuo/internal/disk"
)

// The store is written again above one of these limits:
//
//   - spareBlocks more blocks than necessary
//   - more than half of the text unused, and more than spareText bytes of text
//   - a log of more than spareLog bytes, whose rows need much less
const (
	spareBlocks = 256
	spareText   = 1 << 20
	spareLog    = 16 << 20
)

func (x *Index) wasteful() bool {
	var all, live int64
	for _, b := range x.blocks {
		all += int64(b.text)
	}
	for _, r := range x.rows {
		live += r.text
	}
	return int64(len(x.blocks)) > 2*all/blockSize+spareBlocks || live < all/2 && all > spareText ||
		x.store.logEnd > spareLog && x.store.logEnd > 8*int64(len(x.rows))*markSize
}

// prune removes the texts of deleted files. A deleted transcript's text must not stay in the cache.
func (x *Index) prune() {
	if !x.writes() {
		return
	}
	n := len(x.rows)
	maps.DeleteFunc(x.rows, func(path string, _ *row) bool {
		if _, covered := x.files[path]; covered {
			return false
		}
		_, err := os.Lstat(path)
		return disk.IsAbsent(err)
	})
	if len(x.rows) < n {
		x.compact()
	}
}

// compact writes the store again, with the texts of current rows in full blocks. After a kill, the next Update reads
// the missing files.
func (x *Index) compact() {
	old, text := x.blocks, x.store.text
	live := make(map[uint32]bool, len(x.rows))
	rows := make([]*row, 0, len(x.rows))
	for _, r := range x.rows {
		live[r.id] = !r.damaged
		rows = append(rows, r)
	}
	x.blocks, x.view = nil, nil
	x.store.renew()
	x.store.trim()
	var buf []byte
	var list []entry
	b := new(builder)
	for _, blk := range old {
		all, table, err := blk.read(text, &buf)
		if err == nil {
			list, err = blk.entriesOf(table, list[:0])
		}
		if err != nil {
			x.broken = true
			return
		}
		for _, e := range list {
			if !live[e.id] {
				continue
			}
			if !b.room(e.end - e.start) {
				x.commit(b.take(), nil)
			}
			start := b.open()
			b.text = append(b.text, all[e.start:e.end]...)
			b.close(e.id, e.role, e.offset, e.time, start)
		}
	}
	x.commit(b.take(), rows)
}
