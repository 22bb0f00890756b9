package transcript_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/transcript"
)

func readOutline(ctx context.Context, r io.Reader) (*transcript.Outline, error) {
	o := transcript.NewOutline()
	_, err := o.Extend(ctx, transcript.NewReader(r, 0))
	return o, err
}

func outline(t *testing.T, data []byte) *transcript.Outline {
	t.Helper()
	o, err := readOutline(context.Background(), bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func line(typ, uuid, parent, text string) string {
	p := "null"
	if parent != "" {
		p = `"` + parent + `"`
	}
	return fmt.Sprintf(`{"parentUuid":%s,"type":%q,"message":{"role":%q,"content":%q},"uuid":%q,"timestamp":"2026-01-02T03:04:05.000Z"}`, p, typ, typ, text, uuid)
}

func TestReadShapes(t *testing.T) {
	t.Parallel()
	u := line("user", "u1", "", "hello")
	a := line("assistant", "a1", "u1", "hi")
	for _, c := range []struct {
		name, data                    string
		records, unparsed, notObjects int
		torn, damaged                 bool
	}{
		{name: "empty"},
		{name: "blank lines", data: "\n \n\t\n\r\n"},
		{name: "two records", data: u + "\n" + a + "\n", records: 2},
		{name: "no final newline", data: u + "\n" + a, records: 2},
		{name: "CRLF", data: u + "\r\n" + a + "\r\n", records: 2},
		{name: "glued", data: u + a + "\n", records: 2},
		{name: "glued with a space", data: u + " " + a, records: 2},
		{name: "torn tail", data: u + "\n" + a[:40], records: 1, unparsed: 1, torn: true},
		{name: "torn tail with newline", data: u + "\n" + a[:40] + "\n", records: 1, unparsed: 1, torn: true},
		{name: "torn in the middle", data: u[:40] + "\n" + u + "\n", records: 1, unparsed: 1, damaged: true},
		{name: "torn and glued", data: u[:40] + u + "\n" + a + "\n", records: 2, unparsed: 1, damaged: true},
		{name: "NULs before a record", data: u + "\n" + strings.Repeat("\x00", 4096) + a + "\n" + a + "\n", records: 3, unparsed: 1, damaged: true},
		{name: "NULs at the end", data: u + "\n" + strings.Repeat("\x00", 4096), records: 1, unparsed: 1, torn: true},
		{name: "no objects", data: "42\n\"x\"\n[1]\nnull\n" + u + "\n", records: 1, notObjects: 4, damaged: true},
		{name: "garbage", data: "{garbage\n" + u + "\n", records: 1, unparsed: 1, damaged: true},
		{name: "U+2028 in text", data: line("user", "u1", "", "a\u2028b") + "\n", records: 1},
		{name: "lone surrogate", data: `{"type":"user","message":{"content":"\ud83d"},"uuid":"u1"}` + "\n", records: 1},
		{name: "byte that is no UTF-8", data: "{\"type\":\"user\",\"message\":{\"content\":\"\xff\"},\"uuid\":\"u1\"}\n", records: 1},
		{name: "object inside a torn record is none", data: `{"type":"user","x":{"type":"text"},"y":[` + "\n" + u + "\n", records: 1, unparsed: 1, damaged: true},
		{name: "parent missing", data: line("user", "u1", "gone", "x") + "\n", records: 1, damaged: true},
		{name: "byte order mark", data: "\ufeff" + u + "\n" + a + "\n", records: 2},
		{name: "byte order mark alone", data: "\ufeff"},
		{name: "byte order mark, CRLF", data: "\ufeff\r\n" + u + "\r\n", records: 1},
		{name: "byte order mark inside the file", data: u + "\n\ufeff" + a + "\n" + a + "\n", records: 3, unparsed: 1, damaged: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := outline(t, []byte(c.data))
			if o.Counts.Records() != c.records || o.Counts.Unparsed != c.unparsed || o.Counts.NotObjects != c.notObjects ||
				o.Counts.Torn != c.torn || o.Damaged() != c.damaged {
				t.Errorf("counts %+v damaged %v", o.Counts, o.Damaged())
			}
			checkShown(t, c.name, o)
		})
	}
}

// FuzzRead: every record is shown or counted. Reading in two steps has the same result as reading once.
func FuzzRead(f *testing.F) {
	u, a := line("user", "u1", "", "hello"), line("assistant", "a1", "u1", "hi")
	f.Add([]byte(u+"\n"+a+"\n"), uint(7))
	f.Add([]byte(u+a+"\n"+u[:30]+a+"\n\x00\x00"+u), uint(len(u)))
	f.Add([]byte(u+"42\n[1]\n{\"a\":1}{"), uint(len(u)+1))
	f.Add([]byte("\ufeff"+u+"\n"+a), uint(2))
	f.Add([]byte("\ufeff"+u+"\n"+a), uint(3))
	for i, s := range seeds() {
		f.Add([]byte(s+"\n"+u+"\n"+s), uint(i))
	}
	f.Fuzz(func(t *testing.T, data []byte, at uint) {
		once := outline(t, data)
		checkShown(t, "once", once)
		half := int(at % uint(len(data)+1))
		twice := outline(t, data[:half])
		if twice.Size > int64(half) {
			t.Fatalf("took %d of %d bytes", twice.Size, half)
		}
		r := transcript.NewReader(bytes.NewReader(data[twice.Size:]), twice.Size)
		if _, err := twice.Extend(context.Background(), r); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct {
			name      string
			got, want any
		}{
			{"counts", twice.Counts, once.Counts},
			{"records", twice.Records, once.Records},
			{"messages", twice.Messages, once.Messages},
			{"threads", twice.Threads, once.Threads},
			{"facts", twice.Facts, once.Facts},
			{"size", twice.Size, once.Size},
			{"tokens", twice.Tokens, once.Tokens},
			{"turns", twice.Turns, once.Turns},
		} {
			if !reflect.DeepEqual(c.got, c.want) {
				t.Errorf("%s at %d:\n got %+v\nwant %+v", c.name, half, c.got, c.want)
			}
		}
	})
}

func TestReadChunks(t *testing.T) {
	t.Parallel()
	var data bytes.Buffer
	for i := range 300 {
		fmt.Fprintln(&data, line("user", fmt.Sprint("u", i), "", strings.Repeat("x", i*7)))
	}
	want := outline(t, data.Bytes())
	got, err := readOutline(t.Context(), iotest.OneByteReader(bytes.NewReader(data.Bytes())))
	if err != nil || !reflect.DeepEqual(got.Records, want.Records) {
		t.Errorf("one byte at a time: %v, %d records", err, len(got.Records))
	}
	broken := errors.New("broken disk")
	got, err = readOutline(t.Context(), io.MultiReader(bytes.NewReader(data.Bytes()[:9000]), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || len(got.Records) == 0 || len(got.Records) >= 300 {
		t.Errorf("after an error: %v, %d records", err, len(got.Records))
	}
}

// bigLine returns a reader of one long record that is never in memory as a whole.
func bigLine(n int64) io.Reader {
	head := `{"parentUuid":null,"type":"user","message":{"role":"user","content":[{"type":"text","text":"start `
	tail := ` end"}]},"uuid":"big","timestamp":"2026-01-02T03:04:05.000Z","toolUseResult":{"lines":["a","b"]}}` + "\n"
	return io.MultiReader(strings.NewReader(head), io.LimitReader(repeat(`0123456789abcdef\n`), n), strings.NewReader(tail+line("assistant", "a1", "big", "ok")+"\n"))
}

type repeater struct {
	s  string
	at int
}

func repeat(s string) io.Reader { return &repeater{s: s} }

func (r *repeater) Read(p []byte) (int, error) {
	n := copy(p, r.s[r.at:])
	for n < len(p) {
		n += copy(p[n:], r.s)
	}
	r.at = (r.at + n) % len(r.s)
	return n, nil
}

// TestReadHugeLine isn't parallel, because it counts allocations.
func TestReadHugeLine(t *testing.T) { //nolint:paralleltest // see above
	drilltest.SkipUnderRace(t)
	const n = 200 << 20 / 17 * 17
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	o, err := readOutline(t.Context(), bigLine(n))
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 64 {
		t.Errorf("%d MB allocated for a line of 200 MB", mb)
	}
	if len(o.Records) != 2 || o.Records[0].Length < n || !o.Records[0].Has(transcript.FlagElided) || o.Damaged() || o.Turns != 2 {
		t.Fatalf("records %+v, turns %d, counts %+v", o.Records, o.Turns, o.Counts)
	}
}

// TestReadHugeGlued: a record directly after a record longer than maxLine is read.
func TestReadHugeGlued(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	huge := line("user", "u1", "", strings.Repeat("x", 9<<20))
	small := line("assistant", "a1", "u1", "hi")
	for _, tail := range []string{"\n", "", small + "\n", small, "  " + small + small[:20] + "\n", small[:20]} {
		data := []byte(huge + tail)
		once := outline(t, data)
		if want := 1 + strings.Count(tail, "}}") + strings.Count(tail, "Z\"}"); once.Counts.Records() != want {
			t.Errorf("%.40q: %d records, want %d", tail, once.Counts.Records(), want)
		}
		twice := outline(t, data[:len(huge)])
		if _, err := twice.Extend(t.Context(), transcript.NewReader(bytes.NewReader(data[twice.Size:]), twice.Size)); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(once.Records, twice.Records) || !reflect.DeepEqual(once.Counts, twice.Counts) || once.Size != twice.Size {
			t.Errorf("%.40q: once %+v, in two halves %+v", tail, once.Counts, twice.Counts)
		}
	}
	if o := outline(t, []byte(strings.Repeat(" ", 9<<20)+"\n"+small+"\n")); o.Counts.Unparsed != 0 || o.Counts.Records() != 1 {
		t.Errorf("a line of blanks: %+v", o.Counts)
	}
}

// TestHostileResults: the memory for nested results must be linear.
func TestHostileResults(t *testing.T) { //nolint:paralleltest // it counts allocations
	const depth = 3000
	open := strings.Repeat(`{"type":"tool_result","content":[`, depth)
	data := `{"type":"user","uuid":"u","message":{"content":[` + open + `{"type":"text","text":"` + strings.Repeat("x", 1<<20) + `"}` + strings.Repeat("]}", depth) + `]}}` + "\n"
	tr, err := transcript.New(t.Context(), strings.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	m := tr.Message(0)
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > 40 || len(m.Blocks) != 1 || len(m.Blocks[0].Text) < 1<<20 {
		t.Errorf("%d MB, %d blocks", mb, len(m.Blocks))
	}
}

// TestSqueeze: only the middle of long strings is cut.
func TestSqueeze(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	long := strings.Repeat(`tab\t quote " back\ slash é 😀 `+"\n", 300<<10)
	parts := make([]map[string]any, 400_000)
	for i := range parts {
		parts[i] = map[string]any{"n": i, "s": "part"}
	}
	for name, v := range map[string]map[string]any{
		"one long string":    {"type": "user", "uuid": "u", "message": map[string]any{"role": "user", "content": long}},
		"many long strings":  {"type": "user", "uuid": "u", "message": map[string]any{"content": []any{long, long[1:], long[2:], long[3:], map[string]any{"type": "text", "text": "short"}}}},
		"very many parts":    {"type": "user", "uuid": "u", "message": map[string]any{"content": "said"}, "toolUseResult": map[string]any{"parts": parts}},
		"long key and value": {"type": "user", "uuid": "u", long[:9<<20]: 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			data, err := json.Marshal(v)
			if err != nil {
				t.Fatal(err)
			}
			r := transcript.NewReader(bytes.NewReader(append(data, '\n')), 0)
			l, err := r.Next()
			if err != nil || !l.Squeezed || l.Length != int64(len(data)) || len(l.Data) > 8<<20 {
				t.Fatalf("%v squeezed %v length %d of %d, kept %d", err, l.Squeezed, l.Length, len(data), len(l.Data))
			}
			var got map[string]any
			if err := json.Unmarshal(l.Data, &got); err != nil {
				t.Fatalf("the squeezed line isn't JSON: %v", err)
			}
			if got["type"] != "user" || got["uuid"] != "u" {
				t.Errorf("lost type or uuid: %v %v", got["type"], got["uuid"])
			}
			if msg, ok := got["message"].(map[string]any); ok {
				checkContent(t, msg["content"], long)
			}
			if _, err := r.Next(); !errors.Is(err, io.EOF) {
				t.Errorf("after the line: %v", err)
			}
		})
	}
}

func checkContent(t *testing.T, content any, long string) {
	t.Helper()
	switch c := content.(type) {
	case string:
		if c == "said" {
			return
		}
		head, rest, ok := strings.Cut(c, "\n… ")
		_, tail, _ := strings.Cut(rest, " …\n")
		if !ok || len(head) < 1000 || !strings.HasPrefix(long, head) || len(tail) < 1000 || !strings.HasSuffix(long, tail) {
			t.Errorf("cut string: head %d, tail %d bytes", len(head), len(tail))
		}
	case []any:
		if last, ok := c[len(c)-1].(map[string]any); !ok || last["text"] != "short" {
			t.Errorf("the short text after the long ones is missing")
		}
	}
}
