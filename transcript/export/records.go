package export

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/continuo-tui/continuo/transcript"
)

// Records writes the bytes of a transcript. If r isn't nil, it masks secrets in the strings of each record. It then
// also shortens long strings in a record over 8 MB.
func Records(ctx context.Context, w io.Writer, src io.Reader, r *Redactor) error {
	out := bufio.NewWriterSize(w, 64<<10)
	if r == nil {
		if _, err := io.Copy(out, contextReader{ctx, src}); err != nil {
			return fmt.Errorf("copy records: %w", err)
		}
		return flushed(out)
	}
	lines, env := transcript.NewReader(contextReader{ctx, src}, 0), transcript.Envelope{}
	for {
		l, err := lines.Next()
		if errors.Is(err, io.EOF) {
			return flushed(out)
		}
		if err != nil {
			return fmt.Errorf("read records: %w", err)
		}
		end := "\n"
		if l.Open {
			end = ""
		}
		if _, err := out.Write(append(r.line(l, &env), end...)); err != nil {
			return fmt.Errorf("write records: %w", err)
		}
	}
}

// RecordsOf writes the records of messages in file order. A newline follows each record.
func RecordsOf(ctx context.Context, w io.Writer, src io.ReaderAt, o *transcript.Outline, messages []transcript.MessageRef, r *Redactor) error {
	var list []transcript.Record
	for i := range messages {
		for _, n := range messages[i].Records {
			list = append(list, o.Records[n])
		}
	}
	slices.SortFunc(list, func(a, b transcript.Record) int { return cmp.Compare(a.Offset, b.Offset) })
	list = slices.CompactFunc(list, func(a, b transcript.Record) bool { return a.Offset == b.Offset })
	for i := range list {
		rec := io.NewSectionReader(src, list[i].Offset, list[i].Length)
		if err := Records(ctx, w, rec, r); err != nil {
			return err
		}
		if _, err := io.WriteString(w, "\n"); err != nil {
			return fmt.Errorf("write records: %w", err)
		}
	}
	return nil
}

// line masks one line, which may contain several records.
func (r *Redactor) line(l transcript.Line, env *transcript.Envelope) []byte {
	var b []byte
	at := 0
	transcript.Parts(l, env, func(p transcript.Part, _ *transcript.Envelope) {
		b = append(b, r.Text(string(l.Data[at:p.Start]))...)
		if p.Verdict == transcript.Invalid {
			b = append(b, r.Text(string(l.Data[p.Start:p.End]))...)
		} else {
			b = append(b, r.valid(l.Data[p.Start:p.End])...)
		}
		at = p.End
	})
	return append(b, r.Text(string(l.Data[at:]))...)
}

func flushed(out *bufio.Writer) error {
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write records: %w", err)
	}
	return nil
}

// contextReader is a reader that stops with the error of its context.
type contextReader struct {
	ctx context.Context
	r   io.Reader
}

// Read implements io.Reader.
func (c contextReader) Read(b []byte) (int, error) {
	if err := c.ctx.Err(); err != nil {
		return 0, err
	}
	return c.r.Read(b)
}
