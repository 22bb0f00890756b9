package index

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"
	"sync/atomic"
)

// ErrDamaged is returned if the cache has other bytes than were written. The next Update builds the index again.
var ErrDamaged = errors.New("search index is damaged")

// On disk, a block has a header of headerSize bytes, the texts, a table with an entry for each text, and the filter.
// All numbers in the header are little-endian.
//
//	0  magic        u32
//	4  text         u32 length in bytes
//	8  table        u32 length in bytes
//	12 filter       u32 length in bytes, a power of two
//	16 newest       i64 Unix milliseconds of the newest text
//	24 entries      u32 number of texts
//	28 textSum      u32 CRC-32C of text and table
//	32 filterSum    u32 CRC-32C of the filter
//	36 headerSum    u32 CRC-32C of the header before this field
const (
	headerSize   = 40
	blockMagic   = 0x6b6c6262
	blockSize    = 256 << 10     // size in bytes of the texts of a full block
	maxPart      = 1 << 28       // maximum length in bytes of text, table or filter; a larger length in a header means damage
	betweenTexts = byte('\n')    // separates two texts, so that no match has parts of both
	markSize     = 4 << 10       // number of bytes that are compared to notice a rewritten file
	maxText      = 4 * blockSize // maximum length of a text in bytes; longer texts are truncated
)

// block is a block in the text file or only in memory.
type block struct {
	at                  int64 // offset of the block in the text file
	text, table, filter int   // lengths in bytes
	entries             int
	newest              int64
	textSum, filterSum  uint32
	memory              []byte // text, table and filter, if the block is only in memory

	sound atomic.Bool // the checksum of text and table was checked
	bloom atomic.Pointer[filter]
}

// entry describes one text in a block.
type entry struct {
	id         uint32 // ID of the row
	role       Role
	offset     int64 // offset of the record in the transcript
	time       int64 // Unix milliseconds; 0 if unknown
	start, end int   // range of the text in the block
}

// checksum returns the CRC-32C of b.
func checksum(b []byte) uint32 { return crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)) }

func (b *block) size() int64 { return headerSize + int64(b.text) + int64(b.table) + int64(b.filter) }

// header encodes the header.
func (b *block) header() []byte {
	h := make([]byte, headerSize)
	binary.LittleEndian.PutUint32(h[0:], blockMagic)
	for i, n := range [...]int{b.text, b.table, b.filter} {
		binary.LittleEndian.PutUint32(h[4+4*i:], uint32(n)) //nolint:gosec // at most maxPart
	}
	binary.LittleEndian.PutUint64(h[16:], uint64(b.newest))  //nolint:gosec // the same bits
	binary.LittleEndian.PutUint32(h[24:], uint32(b.entries)) //nolint:gosec // at most maxPart
	binary.LittleEndian.PutUint32(h[28:], b.textSum)
	binary.LittleEndian.PutUint32(h[32:], b.filterSum)
	binary.LittleEndian.PutUint32(h[36:], checksum(h[:36]))
	return h
}

// readHeaders reads the headers of the blocks in the first end bytes of the text file.
func readHeaders(src io.ReaderAt, end int64) ([]*block, error) {
	var list []*block
	h := make([]byte, headerSize)
	for at := int64(0); at < end; {
		if _, err := src.ReadAt(h, at); err != nil {
			return nil, fmt.Errorf("%w: block at byte %d: %w", ErrDamaged, at, err)
		}
		u := func(i int) int { return int(binary.LittleEndian.Uint32(h[i:])) }
		b := &block{
			at: at, text: u(4), table: u(8), filter: u(12), newest: int64(binary.LittleEndian.Uint64(h[16:])), //nolint:gosec // the same bits
			entries: u(24), textSum: binary.LittleEndian.Uint32(h[28:]), filterSum: binary.LittleEndian.Uint32(h[32:]),
		}
		sound := u(0) == blockMagic && binary.LittleEndian.Uint32(h[36:]) == checksum(h[:36])
		if !sound || b.text > maxPart || b.table > maxPart || b.filter > maxPart || at+b.size() > end {
			return nil, fmt.Errorf("%w: header of the block at byte %d", ErrDamaged, at)
		}
		list = append(list, b)
		at += b.size()
	}
	return list, nil
}

// read returns the text and the table of a block. They are valid until the next use of buf.
func (b *block) read(src io.ReaderAt, buf *[]byte) (text, table []byte, err error) {
	both := b.memory
	if both == nil {
		n := b.text + b.table
		*buf = slices.Grow((*buf)[:0], n)[:n]
		both = *buf
		if _, err := src.ReadAt(both, b.at+headerSize); err != nil {
			return nil, nil, fmt.Errorf("%w: block at byte %d: %w", ErrDamaged, b.at, err)
		}
		if !b.sound.Load() {
			if checksum(both) != b.textSum {
				return nil, nil, fmt.Errorf("%w: text of the block at byte %d", ErrDamaged, b.at)
			}
			b.sound.Store(true)
		}
	}
	return both[:b.text], both[b.text : b.text+b.table], nil
}

// loadFilter returns the filter of a block, and keeps it in memory.
func (b *block) loadFilter(src io.ReaderAt) (*filter, error) {
	if f := b.bloom.Load(); f != nil {
		return f, nil
	}
	bits := make([]byte, b.filter)
	if b.memory != nil {
		copy(bits, b.memory[b.text+b.table:])
	} else if _, err := src.ReadAt(bits, b.at+headerSize+int64(b.text)+int64(b.table)); err != nil {
		return nil, fmt.Errorf("%w: filter of the block at byte %d: %w", ErrDamaged, b.at, err)
	} else if checksum(bits) != b.filterSum {
		return nil, fmt.Errorf("%w: filter of the block at byte %d", ErrDamaged, b.at)
	}
	f := &filter{bits: bits}
	b.bloom.Store(f)
	return f, nil
}

// entriesOf decodes the table of a block into list.
func (b *block) entriesOf(table []byte, list []entry) ([]entry, error) {
	c := codec{b: table, reading: true} // the table has no strings
	start, last, when := 0, int64(0), int64(0)
	for range b.entries {
		var id, role, length uint64
		var offset, ms int64
		c.uint(&id)
		c.uint(&role)
		c.int(&offset)
		c.int(&ms)
		c.uint(&length)
		last, when = last+offset, when+ms
		if c.err != nil || length > uint64(b.text-start) { //nolint:gosec // start is never greater than b.text
			return nil, fmt.Errorf("%w: table of the block at byte %d", ErrDamaged, b.at)
		}
		list = append(list, entry{uint32(id), Role(role), last, when, start, start + int(length)}) //nolint:gosec // as it was written
		start += int(length) + 1                                                                   //nolint:gosec // at most b.text
	}
	return list, nil
}
