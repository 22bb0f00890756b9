package trajectory

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/ledger"
)

// found returns the field "a" and the position of each record.
func found(t *testing.T, text io.Reader) (string, Stats) {
	t.Helper()
	var all []string
	stats, err := scan(t.Context(), text, &File{}, Options{}, func(r *Record) bool {
		if !json.Valid(r.Raw) {
			t.Errorf("%q isn't JSON", r.Raw)
		}
		all = append(all, fmt.Sprintf("%s@%d+%d", r.Fields["a"], r.Line, r.Lines))
		return true
	})
	if err != nil || stats.Records != len(all) {
		t.Errorf("%+v, %v", stats, err)
	}
	return strings.Join(all, " "), stats
}

func TestScan(t *testing.T) {
	t.Parallel()
	long := `{"a":0,"x":"` + strings.Repeat("y", maxRecord) + `"}` + "\n"
	exact := `{"a":0,"x":"` + strings.Repeat("y", maxRecord-14) + `"}`
	deep := `{"a":` + strings.Repeat("[", maxDepth) + strings.Repeat("]", maxDepth) + "}\n"
	for name, tt := range map[string]struct {
		text, want string
		bad, first int
		torn       bool
	}{
		"empty":                {"", "", 0, 0, false},
		"blank":                {" \n\r\n\t\n", "", 0, 0, false},
		"lines":                {`{"a":1}` + "\n\n" + `{"a":2}` + "\n", "1@1+1 2@3+1", 0, 0, false},
		"no end":               {`{"a":1}` + "\n" + `{"a":2}`, "1@1+1 2@2+1", 0, 0, false},
		"crlf":                 {"{\"a\":1}\r\n{\"a\":2}\r\n", "1@1+1 2@2+1", 0, 0, false},
		"cr":                   {"{\"a\":1}\r{\"a\":2}\r", "1@1+1 2@1+1", 0, 0, false},
		"order mark":           {"\ufeff{\"a\":1}\n", "1@1+1", 0, 0, false},
		"order mark, alone":    {"\ufeff", "", 0, 0, false},
		"two bytes":            {"{}", "@1+1", 0, 0, false},
		"a byte":               {"{", "", 1, 1, true},
		"concatenated":         {`{"a":1}{"a":2} {"a":3}`, "1@1+1 2@1+1 3@1+1", 0, 0, false},
		"over lines":           {"{\n  \"a\": 1,\n  \"b\": [\n    {\n      \"a\": 9\n    }\n  ]\n}\n{\n\"a\":\n2\n}\n{\"a\":3}\n", "1@1+8 2@9+4 3@13+1", 0, 0, false},
		"an object of one":     {"{\"a\":1,\"b\":\n{\"a\":9}\n}\n{\"a\":2}", "1@1+3 2@4+1", 0, 0, false},
		"torn at the end":      {"{\"a\":1}\n{\"a\":2,\"b", "1@1+1", 1, 2, true},
		"torn in the middle":   {"{\"a\":1}\n{\"a\":2,\"b\n{\"a\":3}\n", "1@1+1 3@3+1", 1, 2, false},
		"torn behind a key":    {"{\"a\":\n{\"a\":2}\n{\"a\":3}\n", "2@2+1 3@3+1", 1, 1, false},
		"torn, one behind it":  {"{\"a\":\n{\"a\":2}\n", "2@2+1", 1, 1, false},
		"torn twice":           {"{\"a\":[\n{\"b\":[\n{\"a\":3}\n{\"a\":4}\n", "3@3+1 4@4+1", 2, 1, false},
		"torn, in a word":      {"{\"a\":tr\n{\"a\":2}", "2@2+1", 1, 1, false},
		"torn, in a number":    {"{\"a\":-\n{\"a\":2}", "2@2+1", 1, 1, false},
		"torn, indented":       {"{\n  \"a\": 1,\n  \"b\": [\n    {\n      \"a\": 9\n    },\n{\"a\":2}\n{\"a\":3}\n", "2@7+1 3@8+1", 1, 1, false},
		"torn over lines":      {"{\n  \"a\": 1,\n  \"b\": {\n    \"c\": 3\n", "", 1, 1, true},
		"the rest of a record": {"  \"b\": 2\n}\n{\"a\":1}\n", "1@3+1", 1, 1, false},
		"garbage":              {"hello\nworld {\"a\":9}\n{\"a\":1} x\n{\"a\":2}\n", "1@3+1 2@4+1", 2, 1, false},
		"arrays and words":     {"[1]\n\"x\"\nnull\n17\n{\"a\":1}\n", "1@5+1", 1, 1, false},
		"commas":               {"{\"a\":1},\n{\"a\":2},\n", "1@1+1 2@2+1", 2, 1, false},
		"nuls":                 {"{\"a\":1}\n\x00\x00\x00{\"a\":2}\n\x00\x00\n{\"a\":3}\n\x00", "1@1+1 2@2+1 3@4+1", 3, 2, false},
		"nuls in one":          {"{\"a\":1,\x00\x00\x00{\"a\":2}\n", "2@1+1", 1, 1, false},
		"no UTF-8":             {"{\"a\":1,\"b\":\"\xff\xfe\"}\n\xff\xfe\n{\"a\":2}", "1@1+1 2@3+1", 1, 2, false},
		"an escape":            {`{"a":"\ud83d\"\\"}` + "\n" + `{"a":"\x"}` + "\n" + `{"a":"\u00g0"}` + "\n", `"\ud83d\"\\"@1+1`, 2, 2, false},
		"numbers":              {`{"a":-0.5e+10}{"a":1E2}` + "\n{\"a\":01}\n{\"a\":1.}\n{\"a\":.5}\n{\"a\":1e}\n{\"a\":+1}\n", "-0.5e+10@1+1 1E2@1+1", 5, 2, false},
		"wrong brackets":       {"{\"a\":[}\n{\"a\":{]}\n{]\n{,}\n{\"a\":1,}\n{\"a\"}\n{\"a\":[1,]}\n{\"a\":[1 2]}\n{a:1}\n{\"a\":nul}\n", "", 10, 1, false},
		"twice the same key":   {`{"a":1,"b":2,"a":3}`, "3@1+1", 0, 0, false},
		"too long":             {long + `{"a":1}` + "\n" + long + `{"a":2}`, "1@2+1 2@4+1", 2, 1, false},
		"too long, over lines": {"{\"b\":[\n{\"a\":1},\n  {\"a\":9},\n" + long[:len(long)-1] + ",\n{\"a\":2}\n]}\n{\"a\":3}", "1@2+1 2@5+1 3@7+1", 3, 1, false},
		"as long as can be":    {exact + "\n" + `{"a":1}`, "0@1+1 1@2+1", 0, 0, false},
		"one byte longer":      {" " + exact[:8] + " " + exact[8:] + "\n" + `{"a":1}`, "1@2+1", 1, 1, false},
		"too deep":             {deep + `{"a":1}`, "1@2+1", 1, 1, false},
		"a key with an escape": {`{"\u0061":1}`, "1@1+1", 0, 0, false},
		"two in one too long":  {"{\"b\":[\n{\"b\":[\n{\"a\":1},\n{\"a\":2,\"x\":\"" + strings.Repeat("y", maxRecord/2) + "\"},\n{\"a\":3,\"x\":\"" + strings.Repeat("y", maxRecord/2) + "\"}\n{\"a\":4}", "1@3+1 2@4+1 3@5+1 4@6+1", 2, 1, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, stats := found(t, strings.NewReader(tt.text))
			if got != tt.want || stats.Bad != tt.bad || stats.FirstAt != tt.first || stats.Torn != tt.torn || stats.Bytes != int64(len(tt.text)) {
				t.Errorf("%.200s, %+v", got, stats)
			}
			if len(tt.text) > 10_000 {
				return
			}
			for _, slow := range []io.Reader{iotest.OneByteReader(strings.NewReader(tt.text)), iotest.DataErrReader(strings.NewReader(tt.text)), iotest.HalfReader(strings.NewReader(tt.text))} {
				if again, other := found(t, slow); again != got || other != stats {
					t.Errorf("in parts it is %.200s, %+v", again, other)
				}
			}
		})
	}
}

func write(t *testing.T, dir, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func pack(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := io.WriteString(z, text); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestScanFiles(t *testing.T) {
	t.Parallel()
	dir, out := t.TempDir(), t.TempDir()
	var many strings.Builder
	for n := range 2000 {
		fmt.Fprintf(&many, `{"ts":"2026-02-06T02:41:59Z","phase":%d,"x":%q}`+"\n", n, strings.Repeat(fmt.Sprint(n*7919), 9))
	}
	whole := pack(t, many.String())
	write(t, dir, "a-2026-02-06.jsonl", []byte(`{"timestamp":"2026-02-06T02:41:59Z","agent":"b","phase":"2b"}`+"\n"+`{"phase":2}`))
	write(t, dir, "a-2026-01-06.jsonl.gz", append(whole, pack(t, "{}")...))
	write(t, dir, "torn-2026-01-06.jsonl.gz", whole[:len(whole)/2])
	write(t, dir, "none.jsonl.gz", nil)
	write(t, dir, "bad.jsonl.gz", []byte("{}\n"))
	write(t, out, "x.jsonl", []byte("{}"))
	if err := os.Mkdir(filepath.Join(dir, "d.jsonl"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(out, "x.jsonl"), filepath.Join(dir, "x.jsonl")); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		name    string
		records int // -1 any number
		bad     int
		err     error
	}{
		{"a-2026-02-06.jsonl", 2, 0, nil},
		{"a-2026-01-06.jsonl.gz", 2001, 0, nil},
		{"torn-2026-01-06.jsonl.gz", -1, 1, ErrPacked},
		{"none.jsonl.gz", 0, 0, nil},
		{"bad.jsonl.gz", 0, 1, ErrPacked},
		{"x.jsonl", 0, 0, ledger.ErrOutside},
		{"../x.jsonl", 0, 0, ledger.ErrOutside},
		{"no.jsonl", 0, 0, os.ErrNotExist},
	} {
		var got []*Record
		stats, err := Scan(t.Context(), dir, tt.name, Options{}, func(r *Record) bool { got = append(got, r); return true })
		if !errors.Is(err, tt.err) || err == nil != (tt.err == nil) || stats.Records != len(got) || stats.Bad != tt.bad {
			t.Errorf("%s: %+v, %v", tt.name, stats, err)
		}
		if tt.records >= 0 && len(got) != tt.records || tt.records < 0 && (len(got) < 100 || len(got) >= 2000) {
			t.Errorf("%s: %d records", tt.name, len(got))
		}
		if err != nil && !strings.Contains(err.Error(), tt.name) {
			t.Errorf("%s: wrong error %v", tt.name, err)
		}
	}
	if _, err := Scan(t.Context(), dir, "d.jsonl", Options{}, nil); err == nil {
		t.Error("Scan read a directory")
	}
	var got []*Record
	if _, err := Scan(t.Context(), dir, filepath.Join(dir, "a-2026-02-06.jsonl"), Options{}, func(r *Record) bool { got = append(got, r); return len(got) < 2 }); err != nil {
		t.Fatal(err)
	}
	if a, b := got[0], got[1]; a.Agent != "b" || a.Phase != "2b" || a.At.Format("15:04:05 MST") != "02:41:59 UTC" || b.Agent != "a" || b.Phase != "2" || !b.At.IsZero() || b.Line != 2 || filepath.Base(b.File) != "a-2026-02-06.jsonl" {
		t.Errorf("%+v, %+v", a, b)
	}
	stopped, err := Scan(t.Context(), dir, "a-2026-01-06.jsonl.gz", Options{}, func(r *Record) bool { return r.Line < 10 })
	if err != nil || stopped.Records != 10 || stopped.Bad != 0 {
		t.Errorf("%+v, %v", stopped, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if stats, err := Scan(ctx, dir, "a-2026-01-06.jsonl.gz", Options{}, nil); !errors.Is(err, context.Canceled) || stats.Records != 0 {
		t.Errorf("%+v, %v", stats, err)
	}
}

// TestScanLines: Line also gets the lines inside a record.
func TestScanLines(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", maxRecord+100)
	for _, text := range []string{"", "\n", "a", "a\n", "a\nb", "a\r\n\n{\n\"a\":1}\n" + long + "\nc\n" + long} {
		var want []string
		for line := range strings.Lines(text) {
			line = strings.TrimSuffix(line, "\n")
			want = append(want, line[:min(len(line), maxRecord)])
		}
		for _, r := range []io.Reader{strings.NewReader(text), iotest.HalfReader(strings.NewReader(text))} {
			var got []string
			if _, err := scan(t.Context(), r, &File{}, Options{Line: func(l []byte) { got = append(got, string(l)) }}, func(*Record) bool { return true }); err != nil {
				t.Error(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%.50q has %d lines, want %d", text, len(got), len(want))
			}
		}
	}
}

// endless is a reader of generated text.
type endless struct {
	part []byte
	at   int
	left int64
	most int // size of the largest read
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left <= 0 {
		return 0, io.EOF
	}
	e.most = max(e.most, len(p))
	n := copy(p[:min(int64(len(p)), e.left)], e.part[e.at:])
	e.at, e.left = (e.at+n)%len(e.part), e.left-int64(n)
	return n, nil
}

// chunk is the size of one read.
const chunk = 64 << 10

// TestScanHolds: a text of 100 MB must not be in memory as a whole.
func TestScanHolds(t *testing.T) {
	t.Parallel()
	drilltest.SkipUnderRace(t)
	const size = 100 << 20
	for name, part := range map[string]string{
		"records":      `{"ts":"2026-02-06T02:41:59Z","phase":"cite","x":"` + strings.Repeat("y", 20_000) + "\"}\n",
		"one line":     strings.Repeat("y", 1000),
		"one object":   `{"a":"` + strings.Repeat("y", 1000),
		"open objects": strings.Repeat("{\"a\":[\n", 900) + "1\n",
		"many within":  "{\"a\":[\n" + strings.Repeat("{},\n", 10_000) + "\x00",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text := &endless{part: []byte(part), left: size}
			if name != "records" {
				text.left = size / 10
			}
			want := text.left
			var stats Stats
			s := newSplitter(&stats, func([]byte, int, int) bool { stats.Records++; return true })
			most := 0
			for part := make([]byte, chunk); ; {
				n, err := text.Read(part)
				if err != nil {
					break
				}
				stats.Bytes += int64(n)
				s.took(part[:n], false)
				most = max(most, cap(s.text)+cap(s.objects)*40+cap(s.begun)*8+cap(s.brackets))
			}
			s.end()
			if stats.Bytes != want || stats.Records+stats.Bad == 0 {
				t.Errorf("%+v", stats)
			}
			if most > 20*maxRecord || name == "records" && most > 4*chunk {
				t.Errorf("it held %d bytes", most)
			}
		})
	}
}

// TestScanOutgrownWork: deep nesting must not take quadratic time.
func TestScanOutgrownWork(t *testing.T) {
	t.Parallel()
	part := strings.Repeat("{\"a\":[\n", 498) + strings.Repeat("{}\n,\n", 210_000) + "\x00\n"
	var stats Stats
	s := newSplitter(&stats, func([]byte, int, int) bool { stats.Records++; return true })
	for line := range strings.Lines(strings.Repeat(part, 3)) {
		s.took([]byte(line), false)
	}
	s.end()
	if stats.Bad < 3*498 || stats.Records < 3*200_000 {
		t.Errorf("%+v", stats)
	}
	if most := 8 * 3 * 210_000; s.work > most { // quadratic time would need 313,000,000
		t.Errorf("%d objects were scanned twice, at most %d allowed", s.work, most)
	}
}

// TestScanAllocates: Scan allocates memory only for its records and one block.
func TestScanAllocates(t *testing.T) { //nolint:paralleltest // it counts allocations
	drilltest.SkipUnderRace(t)
	const size = 64 << 20
	for name, c := range map[string]struct {
		part  string
		lines int // approximate number of lines
	}{
		"one line":    {strings.Repeat("y", 1000), 1},
		"one string":  {`{"a":"` + strings.Repeat("y", 1<<20), 1},
		"short lines": {strings.Repeat("y", 999) + "\n", size / 1000},
		"blank lines": {strings.Repeat("\n", 1000), size},
	} {
		for _, lined := range []bool{false, true} {
			text, seen, most := &endless{part: []byte(c.part), left: size}, 0, 0
			how := Options{}
			if lined {
				how.Line = func(line []byte) {
					seen++
					most = max(most, cap(line))
				}
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			stats, err := scan(t.Context(), text, &File{}, how, func(*Record) bool { return true })
			runtime.ReadMemStats(&after)
			if err != nil || stats.Bytes != size || stats.Records != 0 {
				t.Errorf("%s, lines %v: %+v, %v", name, lined, stats, err)
			}
			if lined && (seen < c.lines || seen > c.lines+c.lines/1000+2 || most > 4*maxRecord) {
				t.Errorf("%s: %d lines, the longest with %d bytes", name, seen, most)
			}
			if got := after.TotalAlloc - before.TotalAlloc; got > 24*maxRecord || text.most > 4*maxRecord {
				t.Errorf("%s, lines %v: %d bytes were allocated, %d asked for at once", name, lined, got, text.most)
			}
		}
	}
}

// TestScanMost: the end of a compressed file can't be read without its start.
func TestScanMost(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var text strings.Builder
	for n := range 1000 {
		fmt.Fprintf(&text, "{\n  \"n\": %d,\n  \"list\": [\n    {\n      \"n\": -1\n    }\n  ]\n}\n", n)
	}
	whole := write(t, dir, "a.jsonl", []byte(text.String()))
	packed := write(t, dir, "a.jsonl.gz", pack(t, text.String()))
	for most := 1; most < 400; most++ {
		var got []string
		stats, err := Scan(t.Context(), dir, whole, Options{Most: int64(most)}, func(r *Record) bool { got = append(got, r.Text("n")); return r.Line == 0 })
		want := 0
		for n := 999; len(text.String())-strings.Index(text.String(), fmt.Sprintf("{\n  \"n\": %d,", n)) <= most; n-- {
			want++
		}
		if err != nil || !stats.Cut || stats.Bad != 0 || len(got) != want || stats.Bytes > int64(most)+1 || want > 0 && got[want-1] != "999" {
			t.Errorf("of the last %d: %q, %+v, %v", most, got, stats, err)
		}
		got = nil
		stats, err = Scan(t.Context(), dir, packed, Options{Most: int64(most)}, func(r *Record) bool { got = append(got, r.Text("n")); return r.Line > 0 })
		if err != nil || !stats.Cut || stats.Bad != 0 || stats.Torn || stats.Bytes != int64(most) || len(got) > 0 && got[0] != "0" {
			t.Errorf("of the first %d: %q, %+v, %v", most, got, stats, err)
		}
	}
	for _, path := range []string{whole, packed} {
		stats, err := Scan(t.Context(), dir, path, Options{Most: int64(text.Len())}, func(r *Record) bool { return r.Line > 0 })
		if err != nil || stats.Cut || stats.Records != 1000 || stats.Bad != 0 {
			t.Errorf("%+v, %v", stats, err)
		}
	}
}
