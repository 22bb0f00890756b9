package sessions

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

// Exact scans every file, newest first, and replaces the quick figures in s.Sessions. It calls each, if not nil, for
// every session, one call at a time. gone is true if the file is missing or outside Options.Roots. At the end, Exact
// removes such sessions from s.Sessions. If ctx ends, the error is ctx.Err(), and unscanned sessions keep their quick
// figures.
func (s *Set) Exact(ctx context.Context, each func(ses Session, gone bool)) error {
	byPath := make(map[string]*file, len(s.files))
	for i := range s.files {
		byPath[s.files[i].path] = &s.files[i]
	}
	var todo []int
	for i := range s.Sessions {
		if ses := &s.Sessions[i]; !ses.Exact {
			todo = append(todo, i)
		} else if each != nil {
			each(*ses, false)
		}
	}
	var mu sync.Mutex
	lost := map[string]bool{}
	s.each(ctx, len(todo), func(k int, p *peeker) {
		i := todo[k]
		ses, gone := s.whole(ctx, byPath[s.Sessions[i].Path], p)
		if ctx.Err() != nil {
			return
		}
		if ses.Workdir == "" {
			ses.Workdir = s.Sessions[i].Workdir // the quick pass may have taken the workdir from another session
		}
		s.Settle(ctx, &ses)
		mu.Lock()
		defer mu.Unlock()
		gone = gone || !s.Within(&ses)
		s.Sessions[i] = ses
		lost[ses.Path] = gone
		if each != nil {
			each(ses, gone)
		}
	})
	kept := s.Sessions[:0]
	for _, ses := range s.Sessions {
		if !lost[ses.Path] {
			kept = append(kept, ses)
		}
	}
	s.Sessions = kept
	sortSessions(s.Sessions)
	return ctx.Err()
}

// whole reads one file completely.
func (s *Set) whole(ctx context.Context, found *file, p *peeker) (ses Session, gone bool) {
	f := new(file)
	*f = *found
	src, info, err := transcript.OpenFile(f.path)
	if err != nil {
		return unreadable(s.base(f), err), errors.Is(err, fs.ErrNotExist)
	}
	defer src.Close()
	s.work.Files.Add(1)
	f.info = info
	ses = s.base(f)
	n, err := s.exact(ctx, &ses, f, src, p)
	s.work.Scanned.Add(n)
	return orUnreadable(ses, err), false
}

// Read returns the session in any file with exact figures. Times that aren't Plausible become zero. An unreadable
// session has StateUnreadable.
func Read(ctx context.Context, path string, now time.Time) Session {
	return readInto(ctx, path, Options{Now: now}, new(peeker))
}

func readInto(ctx context.Context, path string, o Options, p *peeker) Session {
	ses, _ := newSet(o).whole(ctx, newFile(path), p)
	return ses
}

// newFile returns a file for a path, without file info.
func newFile(path string) *file {
	return &file{path: path, slug: filepath.Base(filepath.Dir(path)), id: strings.TrimSuffix(filepath.Base(path), ".jsonl")}
}

// Peek returns the session in any file with quick figures. Times that aren't Plausible become zero. An unreadable
// session has StateUnreadable.
func Peek(ctx context.Context, path string, now time.Time) Session {
	return newSet(Options{Now: now}).quick(ctx, newFile(path), new(peeker))
}

// exact scans the whole file and sets the figures of the session.
func (s *Set) exact(ctx context.Context, ses *Session, f *file, src io.Reader, p *peeker) (int64, error) {
	p.reader.Reset(src, 0)
	if p.out == nil {
		p.out = transcript.NewOutline()
	}
	o := p.out
	o.Reset()
	o.Facts.Until = until(s.opts.Now)
	scan := s.begin(f)
	if scan != nil {
		o.Each = scan.Record
	}
	n, err := o.Extend(ctx, &p.reader)
	o.Dangling -= s.inSession(ctx, f, o)
	s.figures(ses, f, o)
	if scan != nil {
		scan.End(ses, o.Size, err)
	}
	return n, err
}

// inSession returns how many records of a sub-agent's file have their parent in the transcript of the session (client
// 2.1.39). o is the outline of the sub-agent's file.
func (s *Set) inSession(ctx context.Context, f *file, o *transcript.Outline) int {
	if o.Dangling == 0 || !strings.HasPrefix(f.id, "agent-") {
		return 0
	}
	dir := filepath.Dir(f.path)
	session := filepath.Join(dir, filepath.Base(o.Facts.SessionID)) // before client 2.1
	if filepath.Base(dir) == "subagents" {
		session = filepath.Dir(dir)
	}
	src, _, err := transcript.OpenFile(session + ".jsonl")
	if err != nil {
		return 0
	}
	defer src.Close()
	s.work.Files.Add(1)
	missing := map[string]int{} // UUID of a missing parent → number of its children
	for i := range o.Records {
		if r := &o.Records[i]; r.Has(transcript.FlagDangling) {
			missing[o.Name(r.Parent)]++
		}
	}
	found := 0
	var env transcript.Envelope
	for lines := transcript.NewReader(src, 0); len(missing) > 0 && ctx.Err() == nil; {
		l, err := lines.Next()
		if err != nil {
			break
		}
		transcript.Parts(l, &env, func(part transcript.Part, e *transcript.Envelope) {
			if part.Verdict == transcript.Object {
				found += missing[string(e.UUID)]
				delete(missing, string(e.UUID))
			}
		})
	}
	return found
}

// figures sets the exact figures of a session from the outline of its file.
func (s *Set) figures(ses *Session, f *file, o *transcript.Outline) {
	s.apply(ses, f, &o.Facts)
	ses.Exact = true
	ses.Messages, ses.Known, ses.Tokens = o.Turns, o.Known, o.Tokens
	if ses.Origin = o.Origin(); !IsUUID(ses.Origin.Session) {
		ses.Origin.Session = ""
	}
	ses.State, ses.Reason = state(o, ses.Reason)
	if o.Counts.Torn {
		ses.Flags = append(ses.Flags, FlagTornTail)
	}
	if o.Hidden {
		ses.Flags = append(ses.Flags, FlagHiddenBranch)
	}
	sortFlags(ses.Flags)
}
