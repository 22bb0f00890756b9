package index

import (
	"io/fs"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/query"
)

// Kind is the kind of a file in the index.
type Kind uint8

// The kinds of files.
const (
	Session    Kind = iota // the transcript of a session
	Subagent               // the transcript of a sub-agent
	Backup                 // a copy of a transcript
	Document               // a document in .claude/memory
	Ledger                 // NOTES.md
	Checkpoint             // a checkpoint file of a task (spec 003)
)

// transcript reports whether files of this kind are transcripts.
func (k Kind) transcript() bool { return k <= Backup }

// File is a file to search.
type File struct {
	Path    string
	Kind    Kind
	Session string      // for a sub-agent: path of the transcript of its session
	Agent   string      // type of the sub-agent; "" if unknown
	Info    fs.FileInfo // file info of Path
}

// Role is the author or kind of a message.
type Role uint8

// The roles of messages.
const (
	You     Role = iota // a prompt
	Claude              // an answer
	Agent               // message or task of a sub-agent
	Summary             // the summary of a compaction
	Notice              // text that Claude Code wrote: command output, notifications, reminders
	Text                // section of a document or ledger, or texts of a checkpoint
)

// Message is a match of a search: one record of a transcript or one section of a document.
type Message struct {
	File   *File
	Offset int64 // byte offset of the record or section in the file
	Role   Role
	Time   time.Time // zero if unknown
	Text   []byte    // valid until the call that gets the message returns
	Spans  []query.Span
}

// row describes one file. A row in the index is immutable, but can be replaced.
type row struct {
	id       uint32 // ID of the file in entries of blocks; a rewritten file gets a new ID
	path     string
	inode    uint64 // inode number; 0 on systems without inodes
	size     int64
	modified int64            // Unix nanoseconds
	changed  int64            // time of the last status change (ctime) in Unix nanoseconds; 0 if unknown
	unsure   bool             // the file was read so soon after a change that a later change may have this time
	covered  int64            // number of bytes at the start of the file whose texts are in blocks
	texts    int64            // number of messages or sections with a text
	text     int64            // total length of these texts in bytes
	mark     uint64           // checksum of the last covered bytes, at most markSize
	exact    bool             // all figures are set, for a file of this size
	figures  sessions.Session // unless exact is true, only the context figures are set
	damaged  bool             // the file couldn't be read completely
}

// unchanged reports whether a file is certainly the one of its row.
func (r *row) unchanged(info fs.FileInfo) bool { return r.is(info) && !r.unsure }

// is reports whether a file has the size, times and inode of the row. It ignores unsure.
func (r *row) is(info fs.FileInfo) bool {
	if r == nil {
		return false
	}
	n, changed := inode(info)
	return r.size == info.Size() && r.modified == info.ModTime().UnixNano() && r.inode == n && r.changed == changed
}

// newRow returns the row of a file that isn't read yet.
func newRow(path string, info fs.FileInfo, now time.Time) *row {
	r := &row{path: path, size: info.Size(), modified: info.ModTime().UnixNano()}
	r.inode, r.changed = inode(info)
	const tick = 50 * time.Millisecond // the precision of times in some file systems
	r.unsure = now.Sub(info.ModTime()) < tick
	return r
}
