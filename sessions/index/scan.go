package index

import (
	"errors"
	"hash/crc64"
	"io"
	"io/fs"
	"os"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/jsonlex"
)

// scan adds the records of a transcript to the index. It implements sessions.Scan.
type scan struct {
	x     *Index
	b     *builder
	row   *row  // the new row of the file
	from  int64 // records before this offset are already in the index
	whole bool  // the scan began at the start of the file, so the figures are complete
	now   bool  // commit the row when the scan ends
}

// Figures implements sessions.Cache.
func (x *Index) Figures(path string, info fs.FileInfo, ses *sessions.Session) bool {
	r := x.row(path)
	if !r.unchanged(info) || !r.exact {
		return false
	}
	was := *ses
	*ses = r.figures
	ses.Path, ses.ID, ses.Dir, ses.Agents, ses.Live, ses.Purge = was.Path, was.ID, was.Dir, was.Agents, was.Live, was.Purge
	ses.Bytes, ses.Modified = was.Bytes, was.Modified
	return true
}

// Begin implements sessions.Cache.
func (x *Index) Begin(path string, info fs.FileInfo) sessions.Scan {
	was := x.begin(path)
	s := &scan{x: x, row: newRow(path, info, x.now()), whole: true}
	s.row.id, s.from = x.continues(path, was, info)
	s.begin(x.builder(), was)
	return s
}

// begin prepares the builder. If the process is killed during a scan, committed texts of a file lack their new row.
// Under an old ID, they are therefore committed with the row torn, which marks the file as damaged. The next scan
// then gives the file a new ID.
func (s *scan) begin(b *builder, was *row) {
	s.b = b
	if s.from > 0 {
		s.row.texts, s.row.text = was.texts, was.text
		torn := *was
		torn.damaged = true
		b.torn = &torn
	}
}

// continues returns the ID for new texts of a file, and their offset. If the file has only grown, both are from the
// old row. Otherwise, the ID is new and the offset 0.
func (x *Index) continues(path string, was *row, info fs.FileInfo) (id uint32, from int64) {
	if n, _ := inode(info); was == nil || was.inode != n || info.Size() < was.covered || was.damaged || !x.mayExtend(was) {
		return x.id(), 0
	}
	if mark, err := markOf(path, was.covered); err != nil || mark != was.mark {
		return x.id(), 0
	}
	return was.id, was.covered
}

// Record implements sessions.Scan.
func (s *scan) Record(r *transcript.Record, e *transcript.Envelope) {
	if r.Offset < s.from || len(e.Text) == 0 {
		return
	}
	role, ok := roleOf(r)
	if !ok {
		return
	}
	n := 0
	for _, span := range e.Text {
		n += span.End - span.Start + 1
	}
	if !s.b.room(n) {
		s.x.flush(s.b)
	}
	start := s.b.open()
	for i, span := range e.Text {
		if i > 0 {
			s.b.text = append(s.b.text, '\n')
		}
		s.b.text = jsonlex.AppendUnquote(s.b.text, e.Line[span.Start:span.End])
	}
	s.close(role, r.Offset, r.Time, start)
}

// close completes a text that was appended to the builder.
func (s *scan) close(role Role, offset, ms int64, start int) {
	s.row.text += s.b.close(s.row.id, role, offset, ms, start)
	s.row.texts++
}

// End implements sessions.Scan.
func (s *scan) End(ses *sessions.Session, size int64, err error) {
	s.row.covered, s.row.damaged = size, err != nil
	if err == nil {
		s.row.mark, err = markOf(s.row.path, size)
	}
	if err == nil && s.whole {
		s.row.exact, s.row.figures = true, *ses
		s.row.figures.Live, s.row.figures.Agents = nil, nil
	}
	switch {
	case err == nil:
		s.b.done = append(s.b.done, s.row)
	case s.b.torn != nil:
		s.b.done = append(s.b.done, s.b.torn)
	}
	s.b.torn = nil
	if s.now {
		s.x.flush(s.b)
	}
	s.x.release(s.b)
}

// markOf returns the checksum of at most markSize bytes before the offset end.
func markOf(path string, end int64) (uint64, error) {
	if end == 0 {
		return 0, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	b := make([]byte, min(end, markSize))
	_, err = f.ReadAt(b, end-int64(len(b)))
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF // the file became shorter
	}
	return crc64.Checksum(b, crc64.MakeTable(crc64.ECMA)), errors.Join(err, f.Close())
}
