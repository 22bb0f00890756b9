package index

import (
	"encoding/binary"

	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/transcript"
)

// builder collects the texts of files until a block is full. One goroutine at a time may use it.
type builder struct {
	text, table, folded []byte
	block               []byte // memory for the block that take returns
	entries             int
	newest              int64
	offset, when        int64  // offset and time of the last entry; the table has differences
	done                []*row // rows of files whose texts are complete so far
	torn                *row   // row to commit with full blocks before the end of the scan (see scan.begin); nil for a file with a new ID
}

// room reports whether a text of n bytes fits into the block.
func (b *builder) room(n int) bool { return len(b.text) == 0 || len(b.text)+n < blockSize }

// open begins an entry and returns the offset of its text. The caller appends the text to b.text, and calls close.
func (b *builder) open() (start int) {
	if b.entries > 0 {
		b.text = append(b.text, betweenTexts)
	}
	return len(b.text)
}

// close completes an entry whose text begins at start. It returns the length of the text in bytes.
func (b *builder) close(id uint32, role Role, offset, ms int64, start int) int64 {
	if len(b.text)-start > maxText {
		b.text = b.text[:start+maxText]
	}
	b.table = binary.AppendUvarint(b.table, uint64(id))
	b.table = binary.AppendUvarint(b.table, uint64(role))
	b.table = binary.AppendVarint(b.table, offset-b.offset)
	b.table = binary.AppendVarint(b.table, ms-b.when)
	b.table = binary.AppendUvarint(b.table, uint64(len(b.text)-start)) //nolint:gosec // not negative
	b.offset, b.when = offset, ms
	b.newest = max(b.newest, ms)
	b.entries++
	return int64(len(b.text) - start)
}

// take returns the collected texts as a block, or nil. It keeps the rows of finished files. The block is valid until
// the next take.
func (b *builder) take() *block {
	if b.entries == 0 {
		return nil
	}
	b.folded = query.AppendFold(b.folded[:0], b.text)
	f := newFilter(b.folded)
	blk := &block{text: len(b.text), table: len(b.table), filter: len(f.bits), entries: b.entries, newest: b.newest}
	b.block = append(append(append(b.block[:0], b.text...), b.table...), f.bits...)
	blk.memory = b.block
	blk.textSum, blk.filterSum = checksum(blk.memory[:blk.text+blk.table]), checksum(f.bits)
	blk.bloom.Store(f)
	b.text, b.table, b.entries, b.newest, b.offset, b.when = b.text[:0], b.table[:0], 0, 0, 0, 0
	return blk
}

// rows returns the rows to commit with the next block.
func (b *builder) rows() []*row {
	rows := b.done
	if b.torn != nil {
		rows = append(rows, b.torn)
	}
	b.done = nil
	return rows
}

// roleOf returns the role of a record. ok is false outside the conversation.
func roleOf(r *transcript.Record) (role Role, ok bool) {
	switch r.Kind {
	case transcript.KindPrompt:
		role = You
	case transcript.KindToolResult:
		if !r.Has(transcript.FlagFeedback) { // with this flag, the user typed the text
			return Notice, true
		}
		role = You
	case transcript.KindAssistant:
		role = Claude
	case transcript.KindSummary:
		return Summary, true
	case transcript.KindNotice, transcript.KindEvent:
		return Notice, true
	case transcript.KindOther, transcript.KindBoundary, transcript.KindSystem, transcript.KindAttachment:
		return 0, false
	}
	if r.Has(transcript.FlagSidechain) {
		role = Agent
	}
	return role, true
}
