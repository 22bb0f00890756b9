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
	Checkpoint             // a checkpoint of a task (spec 003)
)

// transcript reports whether a file of this kind is a transcript.
func (k Kind) transcript() bool { return k <= Backup }

// File is a file to search.
type File struct {
	Path    string
	Kind    Kind
	Session string      // for a sub-agent: path of the transcript of its session
	Agent   string      // type of the sub-agent; "" if unknown
	Info    fs.FileInfo // file info of Path
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
	Text                // a section of a document or ledger, or the texts of a checkpoint
)

// Message is a text that matches a search. It is the text of one record of a transcript, or a section of a document.
type Message struct {
	File   *File
	Offset int64 // offset of the record or the section in the file, in bytes
	Role   Role
	Time   time.Time // zero if unknown
	Text   []byte    // valid only during the call that receives the message
	Spans  []query.Span
}

// row has the facts about one file. A row in the index is never changed, but may be replaced by a new row.
type row struct {
	id       uint32 // ID of the texts of the file in the blocks; a file that was rewritten gets a new ID
	path     string
	inode    uint64 // inode number; 0 on systems without inodes
	size     int64
	modified int64            // Unix nanoseconds
	changed  int64            // time of the last status change (ctime) in Unix nanoseconds; 0 if unknown
	unsure   bool             // the file was read so soon after a change that another change may have the same time
	covered  int64            // number of bytes at the start of the file whose text is in the blocks
	texts    int64            // number of messages or sections that have text
	text     int64            // total size of these texts in bytes
	mark     uint64           // checksum of the last covered bytes (at most markSize bytes)
	exact    bool             // all figures are set, and were computed from the file with this size
	figures  sessions.Session // if exact is false, only the context figures are set
	damaged  bool             // the text of the file couldn't be read completely
}

// unchanged reports whether a file certainly hasn't changed since its row was stored.
func (r *row) unchanged(info fs.FileInfo) bool { return r.is(info) && !r.unsure }

// is reports whether size, times and inode of a file are the same as in the row. Unlike unchanged, it ignores unsure.
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
	const tick = 50 * time.Millisecond // times of a file system may be as coarse as this
	r.unsure = now.Sub(info.ModTime()) < tick
	return r
}
