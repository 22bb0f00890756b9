package export

import (
	"context"
	"errors"
	"io"
	"iter"
	"os"
	"strconv"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/cli/show"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/export"
	"github.com/continuo-tui/continuo/tui/render"
)

// source is an open transcript, and the range [from, to) to export.
type source struct {
	row      *sessions.Row
	text     *transcript.Transcript
	file     *os.File
	from, to int
	part     bool // --from or --to is given
}

// openSource opens the transcript of a row, and finds the messages of the flags.
func openSource(ctx context.Context, env *place.Env, row *sessions.Row, opts options) (*source, error) {
	switch {
	case row.Kind == sessions.KindDocument:
		return nil, &out.Failure{What: env.Tilde(row.Path) + " is a document. Name a session or a backup."}
	case row.State == sessions.StateUnreadable:
		return nil, show.Unreadable(env, row)
	}
	file, _, err := transcript.OpenFile(row.Path)
	if err != nil {
		return nil, failure(ctx, env, row, err)
	}
	s := &source{row: row, file: file}
	if s.text, err = transcript.New(ctx, file); err != nil {
		s.close()
		return nil, failure(ctx, env, row, err)
	}
	o := s.text.Outline()
	if c := o.Counts; c.Records() == c.Types[""] && c.Types[""]+c.Unparsed+c.NotObjects > 0 {
		s.close()
		return nil, &out.Failure{Code: out.ExitNo, What: env.Tilde(row.Path) + " isn't a transcript: no line is a record."}
	}
	s.to = len(o.Messages)
	if err := s.choose(o, opts); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

func (s *source) close() { _ = s.file.Close() } // nothing was written

// choose applies --from and --to.
func (s *source) choose(o *transcript.Outline, opts options) error {
	for _, end := range []struct {
		flag, word string
		set        func(i int)
	}{
		{"--from", opts.from, func(i int) { s.from = i }},
		{"--to", opts.to, func(i int) { s.to = i + 1 }},
	} {
		if end.word == "" {
			continue
		}
		i, err := messageAt(o, end.word, end.flag)
		if err != nil {
			return err
		}
		end.set(i)
		s.part = true
	}
	if s.from >= s.to && s.part {
		return out.Usage("Message "+out.Quoted(opts.from)+" comes after message "+out.Quoted(opts.to)+". Exchange --from and --to.", hint)
	}
	return nil
}

// messageAt returns the index of the message that a word names. The word is a number from 1, or the beginning of
// the ID of the message or of one of its records.
func messageAt(o *transcript.Outline, word, flag string) (int, error) {
	n := len(o.Messages)
	if i, err := strconv.Atoi(word); err == nil && i >= 1 && i <= n {
		return i - 1, nil
	}
	switch found := o.Named(o.Messages, word); len(found) {
	case 0:
		return 0, &out.Failure{
			Code: out.ExitNone, What: "No message has the number or ID " + out.Quoted(word) + ". The session has " + out.Count(n, "message") + ".",
			Hints: []string{"continuo export SESSION --format json   shows numbers and IDs"},
		}
	case 1:
		return found[0], nil
	default:
		return 0, &out.Failure{What: flag + ": " + out.Count(len(found), "message") + " begin with " + out.Quoted(word) + ". Type more of the ID."}
	}
}

// write writes the messages.
func (s *source) write(ctx context.Context, w io.Writer, format export.Format, r *export.Redactor) error {
	o := s.text.Outline()
	switch {
	case format == export.JSONL && s.part:
		return export.RecordsOf(ctx, w, s.file, o, o.Messages[s.from:s.to], r)
	case format == export.JSONL:
		return export.Records(ctx, w, io.NewSectionReader(s.file, 0, 1<<62), r)
	}
	head := s.head(o)
	r.Session(&head)
	return export.Write(w, format, &head, s.items(ctx, o, r))
}

// head returns the facts about the session.
func (s *source) head(o *transcript.Outline) export.Session {
	h := export.Session{
		ID: s.row.ID, Title: render.Title(s.row), Dir: o.Facts.Cwd, Branch: o.Facts.Branch,
		Messages: o.Turns, Tokens: o.Tokens, Counts: o.Counts,
		First: transcript.At(o.Facts.First), Last: transcript.At(o.Facts.Last),
	}
	if s.part {
		h.From, h.To = s.from+1, s.to
	}
	return h
}

// items decodes the messages one by one.
func (s *source) items(ctx context.Context, o *transcript.Outline, r *export.Redactor) iter.Seq2[export.Item, error] {
	return func(yield func(export.Item, error) bool) {
		thread := -1
		for i := s.from; i < s.to; i++ {
			if err := ctx.Err(); err != nil {
				yield(export.Item{}, err)
				return
			}
			m := s.text.Message(i)
			r.Message(&m)
			item := export.Item{Number: i + 1, Message: &m}
			if t := o.Messages[i].Thread; t != thread {
				thread, item.Thread = t, &o.Threads[t]
			}
			if !yield(item, nil) {
				return
			}
		}
	}
}

// failure returns the error for an unreadable transcript.
func failure(ctx context.Context, env *place.Env, row *sessions.Row, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if _, ok := errors.AsType[*out.Failure](err); ok {
		return err
	}
	return &out.Failure{What: env.Tilde(row.Path) + " cannot be read: " + out.Reason(err) + ". Check the file.", Cause: err}
}

// stdout writes to standard output. In JSON, it escapes characters that a terminal interprets; in jsonl, only on
// a terminal.
type stdout struct {
	*out.Stream
	format export.Format
}

// Write implements io.Writer.
func (s stdout) Write(b []byte) (int, error) {
	switch {
	case s.format == export.JSON:
		s.Exact(out.EscapeJSON(string(b)))
	case s.format == export.JSONL && s.Terminal:
		s.Exact(transcript.Clean(out.EscapeJSON(strings.ToValidUTF8(string(b), "\uFFFD"))))
	case s.format == export.JSONL:
		s.Exact(string(b))
	default:
		s.Print(string(b))
	}
	return len(b), s.Failed
}
