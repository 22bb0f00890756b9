package index

import (
	"context"
	"io"
	"os"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// batchRecords is the number of records that Context reads between commits.
const batchRecords = 4096

// Context sets the context figures of a session, such as sessions.Session.ContextTokens. It reads the transcript's
// bytes that aren't in the index, and adds their texts. If ctx ends first, the session stays, and the next call
// continues after the last batch.
func (x *Index) Context(ctx context.Context, ses *sessions.Session) {
	for ctx.Err() == nil {
		info, err := os.Stat(ses.Path)
		if err != nil {
			return
		}
		if r := x.row(ses.Path); r.is(info) {
			ses.ContextTokens, ses.ContextBase, ses.ContextBegan = r.figures.ContextTokens, r.figures.ContextBase, r.figures.ContextBegan
			return
		}
		if !x.extend(ctx, ses.Path, true) {
			return
		}
	}
}

// extend reads new records of a transcript. Of the figures in the row, it sets the context figures. If oneBatch is
// true, extend reads and commits at most one batch, as if the file ended there. Otherwise it reads to the end, but
// returns false for a file that must be read from the start.
func (x *Index) extend(ctx context.Context, path string, oneBatch bool) bool {
	src, info, err := transcript.OpenFile(path)
	if err != nil {
		return false
	}
	defer src.Close()
	was := x.begin(path)
	s := &scan{x: x, row: newRow(path, info, x.now()), now: oneBatch}
	if s.row.id, s.from = x.continues(path, was, info); s.from == 0 && !oneBatch {
		return false
	}
	s.begin(x.builder(), was)
	out := transcript.NewOutline()
	if s.from > 0 {
		ses := &was.figures
		out.Facts.Context, out.Facts.Base, out.Facts.Began = ses.ContextTokens, ses.ContextBase, ses.ContextBegan.UnixMilli()
	}
	out.Each = s.Record
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if oneBatch {
		out.Each = func(r *transcript.Record, e *transcript.Envelope) {
			if s.Record(r, e); len(out.Records) == batchRecords {
				cancel()
			}
		}
	}
	_, err = out.Extend(ctx, transcript.NewReader(io.NewSectionReader(src, s.from, info.Size()-s.from), s.from))
	if len(out.Records) >= batchRecords && oneBatch {
		s.row.size, err = out.Size, nil
	}
	ses := &s.row.figures
	ses.ContextTokens, ses.ContextBase = out.Facts.Context, out.Facts.Base
	ses.ContextBegan = sessions.Plausible(transcript.At(out.Facts.Began), x.now())
	s.End(nil, max(s.from, out.Size), err)
	return err == nil
}
