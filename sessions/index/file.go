package index

import (
	"io/fs"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/query"
)

// Kind is the kind of a searched file.
type Kind uint8

// The kinds of files.
const (
	Session  Kind = iota // the transcript of a session
	Subagent             // the transcript of a sub-agent
	Backup               // a copy of a transcript
	Document             // a document in .claude/memory
	Ledger               // NOTES.md
)

// transcript reports whether the file has records.
func (k Kind) transcript() bool { return k <= Backup }

// File is a file to search.
type File struct {
	Path    string
	Kind    Kind
	Session string      // for a sub-agent: path of the transcript of its session
	Agent   string      // type of the sub-agent; "" unknown
	Info    fs.FileInfo // file info of the file at Path
}

// Role is the author or the kind of a message.
type Role uint8

// The roles of messages.
const (
	You     Role = iota // a prompt
	Claude              // an answer
	Agent               // a message of a sub-agent, or its task
	Summary             // the summary of a compaction
	Notice              // text that the client wrote: output of commands, notifications, reminders
	Text                // a section of a document or ledger
)

// Message is a text that matches a search: the text of one record of a transcript, or a section of a document.
type Message struct {
	File   *File
	Offset int64 // offset of the record or the section in the file, in bytes
	Role   Role
	Time   time.Time // zero unknown
	Text   []byte    // valid during the call that receives the message
	Spans  []query.Span
}

// row holds the facts about one file. A stored row is never changed, only replaced by a new one.
type row struct {
	id       uint32 // ID of its texts in the blocks; a rewritten file gets another one
	path     string
	inode    uint64 // 0 on systems without inodes
	size     int64
	modified int64  // Unix nanoseconds
	changed  int64  // Unix nanoseconds of the last status change (ctime); 0 on systems without it
	unsure   bool   // the file changed shortly before it was read, so a later change may have the same time
	covered  int64  // bytes at the start of the file whose text is in the blocks
	texts    int64  // number of messages or sections with text
	text     int64  // bytes of these texts
	mark     uint64 // checksum of the last covered bytes, at most markSize
	exact    bool   // figures are set, and are those of the file with this size
	figures  sessions.Session
	damaged  bool // the text of the file couldn't be read completely
}

// unchanged reports whether a file certainly hasn't changed since its row was stored.
func (r *row) unchanged(info fs.FileInfo) bool { return r.is(info) && !r.unsure }

// is reports whether size, times and inode of a file are those of the row. Unlike unchanged, it ignores unsure.
func (r *row) is(info fs.FileInfo) bool {
	if r == nil {
		return false
	}
	n, changed := inode(info)
	return r.size == info.Size() && r.modified == info.ModTime().UnixNano() && r.inode == n && r.changed == changed
}

// newRow returns the row of a file that hasn't been read yet.
func newRow(path string, info fs.FileInfo, now time.Time) *row {
	r := &row{path: path, size: info.Size(), modified: info.ModTime().UnixNano()}
	r.inode, r.changed = inode(info)
	const tick = 50 * time.Millisecond // the clock of a file system may be this coarse
	r.unsure = now.Sub(info.ModTime()) < tick
	return r
}
