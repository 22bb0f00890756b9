package index

import (
	"io/fs"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/query"
)

// Kind is the kind of a file that is searched.
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
	Session string      // of a sub-agent: the transcript of its session
	Agent   string      // type of the sub-agent; "" unknown
	Info    fs.FileInfo // of the file at Path
}

// Role says whose text a message is.
type Role uint8

// The roles of messages.
const (
	You     Role = iota // a prompt
	Claude              // an answer
	Agent               // a sub-agent, and the task that it was given
	Summary             // the summary of a compaction
	Notice              // text that the client wrote: output of commands, notifications, reminders
	Text                // a section of a document or ledger
)

// Message is a text that matches a search: that of one record of a transcript, or a section of a document.
type Message struct {
	File   *File
	Offset int64 // of the record or the section in the file, in bytes
	Role   Role
	Time   time.Time // zero unknown
	Text   []byte    // valid during the call that receives the message
	Spans  []query.Span
}

// row is what the index knows about one file. A row isn't changed after it was stored: another one replaces it.
type row struct {
	id       uint32 // of its texts in the blocks; a rewritten file gets another one
	path     string
	inode    uint64 // 0 on systems without
	size     int64
	modified int64  // Unix nanoseconds
	changed  int64  // the same of its status, such as its mode; 0 on systems without
	unsure   bool   // the file changed shortly before it was read, so a later change may have the same time
	covered  int64  // bytes at its start whose text is in the blocks
	texts    int64  // messages or sections with text
	text     int64  // bytes of them
	mark     uint64 // checksum of the last bytes of these, at most markSize
	exact    bool   // figures are those of the file with this size
	figures  sessions.Session
	damaged  bool // its text couldn't be read completely
}

// unchanged reports whether a file is as it was when its row was stored.
func (r *row) unchanged(info fs.FileInfo) bool { return r.is(info) && !r.unsure }

// is is unchanged without the doubt about a file that changed when it was read.
func (r *row) is(info fs.FileInfo) bool {
	if r == nil {
		return false
	}
	n, changed := inode(info)
	return r.size == info.Size() && r.modified == info.ModTime().UnixNano() && r.inode == n && r.changed == changed
}

// newRow returns the row of a file that nothing is known about.
func newRow(path string, info fs.FileInfo, now time.Time) *row {
	r := &row{path: path, size: info.Size(), modified: info.ModTime().UnixNano()}
	r.inode, r.changed = inode(info)
	const tick = 50 * time.Millisecond // the clock of a file system may be this coarse
	r.unsure = now.Sub(info.ModTime()) < tick
	return r
}
