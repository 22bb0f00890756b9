package backup

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

func jsonLines(n int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < n; i++ {
		b.WriteString(`{"type":"user","n":` + string(rune('a'+i%26)) + "}\n")
	}
	return b.Bytes()[:n]
}

func flipped(data []byte, at int) []byte {
	data = bytes.Clone(data)
	data[at] ^= 1
	return data
}

func writeBytes(t *testing.T, dir, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCompare(t *testing.T) {
	t.Parallel()
	long := jsonLines(3*compareBlock + 17)
	middle := len(long) / 2
	tests := []struct {
		name         string
		copied, live []byte
		quick, whole sessions.Relation
	}{
		{"same", long, long, sessions.RelationSame, sessions.RelationSame},
		{"same, short", long[:100], long[:100], sessions.RelationSame, sessions.RelationSame},
		{"both empty", nil, nil, sessions.RelationSame, sessions.RelationSame},
		{"grown", long[:len(long)-100], long, sessions.RelationGrown, sessions.RelationGrown},
		{"grown from nothing", nil, long, sessions.RelationGrown, sessions.RelationGrown},
		{"shorter", long, long[:len(long)-1], sessions.RelationRewritten, sessions.RelationRewritten},
		{"first byte", long, flipped(long, 0), sessions.RelationRewritten, sessions.RelationRewritten},
		{"last byte", long, flipped(long, len(long)-1), sessions.RelationRewritten, sessions.RelationRewritten},
		{"last byte of what was copied", long[:middle], flipped(long, middle-1), sessions.RelationRewritten, sessions.RelationRewritten},
		{"first byte behind it", long[:middle], flipped(long, middle), sessions.RelationGrown, sessions.RelationGrown},
		{"the middle", long, flipped(long, middle), sessions.RelationSame, sessions.RelationRewritten},
		{"the middle of a short one", long[:2*compareEnds], flipped(long[:2*compareEnds], compareEnds), sessions.RelationRewritten, sessions.RelationRewritten},
		{"at the end of a block", long, flipped(long, compareBlock-1), sessions.RelationSame, sessions.RelationRewritten},
		{"at the start of a block", long, flipped(long, compareBlock), sessions.RelationSame, sessions.RelationRewritten},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			copied, live := writeBytes(t, dir, "copy", test.copied), writeBytes(t, dir, "live", test.live)
			for whole, want := range map[bool]sessions.Relation{false: test.quick, true: test.whole} {
				if got, err := Compare(t.Context(), copied, live, whole); got != want || err != nil {
					t.Errorf("whole %v: %q, %v, want %q", whole, got, err, want)
				}
			}
		})
	}
}

func TestCompareNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	copied := writeBytes(t, dir, "copy", jsonLines(100))
	for _, live := range []string{"", filepath.Join(dir, "gone"), filepath.Join(copied, "below a file")} {
		if got, err := Compare(t.Context(), copied, live, true); got != sessions.RelationGone || err != nil {
			t.Errorf("%q: %q, %v", live, got, err)
		}
	}
	if got, err := Compare(t.Context(), filepath.Join(dir, "gone"), "", false); got != "" || !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no backup: %q, %v", got, err)
	}
	if got, err := Compare(t.Context(), copied, dir, false); got != "" || !errors.Is(err, transcript.ErrNotRegular) {
		t.Errorf("a directory: %q, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if got, err := Compare(ctx, copied, copied, true); got != "" || !errors.Is(err, context.Canceled) {
		t.Errorf("ended: %q, %v", got, err)
	}
}

type countingFile struct {
	io.ReaderAt
	n *int64
}

func (c countingFile) ReadAt(b []byte, at int64) (int, error) {
	n, err := c.ReaderAt.ReadAt(b, at)
	*c.n += int64(n)
	return n, err
}

// TestCompareWork: a quick comparison reads only both ends. A full one reads the backup once.
func TestCompareWork(t *testing.T) {
	t.Parallel()
	data := jsonLines(8 * compareBlock)
	copied := data[:5*compareBlock+3]
	for whole, want := range map[bool]int64{false: 2 * compareEnds, true: int64(len(copied))} {
		var read, readLive int64
		got, err := compare(t.Context(), extent{countingFile{bytes.NewReader(copied), &read}, int64(len(copied))},
			extent{countingFile{bytes.NewReader(data), &readLive}, int64(len(data))}, whole)
		if got != sessions.RelationGrown || err != nil || read != want || readLive != want {
			t.Errorf("whole %v: %q, %v, %d and %d bytes, want %d", whole, got, err, read, readLive, want)
		}
	}
}

// TestCompareCut: a file is truncated during the comparison.
func TestCompareCut(t *testing.T) {
	t.Parallel()
	data := jsonLines(1000)
	open := func(n int) extent { return extent{bytes.NewReader(data[:n]), 1000} }
	if got, err := compare(t.Context(), open(1000), open(900), true); got != sessions.RelationRewritten || err != nil {
		t.Errorf("transcript: %q, %v", got, err)
	}
	if got, err := compare(t.Context(), open(900), open(1000), true); got != "" || !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("copy: %q, %v", got, err)
	}
}

func TestTornTail(t *testing.T) {
	t.Parallel()
	long := `{"text":"` + string(bytes.Repeat([]byte("x"), 2*compareEnds))
	for text, want := range map[string]bool{
		"":                         false,
		"{}\n":                     false,
		"{}\n{}":                   false,
		"{}\n\n  ":                 false,
		"{}\n{\"type\":\"us":       true,
		"{\"type\":":               true,
		"{}\n" + long:              false, // too long for TornTail
		long + "\"}\n{\"type\":\"": true,
		"{}\n" + long + "\"}":      false,
	} {
		path := writeBytes(t, t.TempDir(), "copy", []byte(text))
		if got, err := TornTail(path); got != want || err != nil {
			t.Errorf("%.40q: %v, %v", text, got, err)
		}
	}
	if _, err := TornTail(filepath.Join(t.TempDir(), "gone")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("gone: %v", err)
	}
}
