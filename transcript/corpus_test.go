package transcript_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/transcript"
)

func corpusFiles(t *testing.T) []string {
	t.Helper()
	dirs := filepath.SplitList(os.Getenv("CONTINUO_CORPUS"))
	if len(dirs) == 0 {
		t.Skip("CONTINUO_CORPUS is not set")
	}
	var files []string
	for _, d := range dirs {
		err := filepath.WalkDir(d, func(p string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && strings.HasSuffix(p, ".jsonl") && filepath.Base(p) != "history.jsonl" {
				files = append(files, p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if len(files) == 0 {
		t.Fatal("no transcript in CONTINUO_CORPUS")
	}
	return files
}

// count counts with encoding/json alone.
func count(data []byte) transcript.Counts {
	c := transcript.Counts{Types: map[string]int{}}
	for _, line := range bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n")) {
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		dec := json.NewDecoder(bytes.NewReader(line))
		for dec.More() {
			var v any
			if dec.Decode(&v) != nil {
				c.Unparsed++
				break
			}
			if m, ok := v.(map[string]any); ok {
				typ, _ := m["type"].(string)
				c.Types[typ]++
			} else {
				c.NotObjects++
			}
		}
	}
	return c
}

func TestCorpusCounts(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	for _, path := range corpusFiles(t) {
		tr, err := transcript.Open(t.Context(), path)
		if err != nil {
			t.Errorf("%v", err)
			continue
		}
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got, want := tr.Outline().Counts, count(data)
		if got.Unparsed != want.Unparsed || got.NotObjects != want.NotObjects {
			t.Errorf("%s: unparsed %d, not objects %d, want %d, %d", path, got.Unparsed, got.NotObjects, want.Unparsed, want.NotObjects)
		}
		if !mapsEqual(got.Types, want.Types) {
			t.Errorf("%s: types %v, want %v", path, got.Types, want.Types)
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
}

func mapsEqual(a, b map[string]int) bool {
	if len(a) != len(b) {
		return false
	}
	for k, v := range a {
		if b[k] != v {
			return false
		}
	}
	return true
}

// TestCorpusShown: a shown record is in one message, unless the user refused a call with a text.
func TestCorpusShown(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	for _, path := range corpusFiles(t) {
		tr, err := transcript.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		checkShown(t, path, tr.Outline())
		for i := range tr.Outline().Messages {
			if m := tr.Message(i); m.Err != "" {
				t.Errorf("%s: message %d: %s", path, i, m.Err)
			}
		}
		if err := tr.Close(); err != nil {
			t.Error(err)
		}
	}
}

func checkShown(t *testing.T, name string, o *transcript.Outline) {
	t.Helper()
	in := make([]int, len(o.Records))
	for _, m := range o.Messages {
		for _, r := range m.Records {
			in[r]++
		}
	}
	for i := range o.Records {
		r := &o.Records[i]
		want := 1
		if r.Kind == transcript.KindOther || r.Kind == transcript.KindAttachment || r.Has(transcript.FlagDuplicate) {
			want = 0
		} else if r.Has(transcript.FlagFeedback) {
			want = 2 // the answer with the refused call, and the prompt with the text
		}
		if in[i] != want {
			t.Errorf("%s: record %d (%s) is in %d messages, want %d", name, i, o.TypeName(r), in[i], want)
		}
	}
	listed := 0
	for k, th := range o.Threads {
		listed += len(th.Messages)
		for _, m := range th.Messages {
			if o.Messages[m].Thread != k {
				t.Errorf("%s: message %d is listed in thread %d but says %d", name, m, k, o.Messages[m].Thread)
			}
		}
	}
	if listed != len(o.Messages) {
		t.Errorf("%s: threads list %d messages of %d", name, listed, len(o.Messages))
	}
}
