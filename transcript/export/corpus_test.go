package export_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/export"
)

func TestCorpus(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	dirs := filepath.SplitList(os.Getenv("CONTINUO_CORPUS"))
	if len(dirs) == 0 {
		t.Skip("CONTINUO_CORPUS is not set")
	}
	files := 0
	for _, dir := range dirs {
		err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err == nil && e.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") && filepath.Base(path) != "history.jsonl" {
				files++
				if data, err := os.ReadFile(path); err != nil || !exports(t, string(data)) {
					t.Errorf("%s: %v", filepath.Base(path), err)
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files == 0 {
		t.Fatal("no transcript in CONTINUO_CORPUS")
	}
}

// maskedAtMost is the size in bytes of the part that is masked. Masking a megabyte takes half a second.
const maskedAtMost = 256 << 10

// exports checks the exports of a transcript. Its messages must not quote the transcript.
func exports(t *testing.T, raw string) bool {
	t.Helper()
	tr, err := transcript.New(t.Context(), strings.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	n := len(tr.Outline().Messages)
	checkPage(t, exported(t, raw, export.HTML, nil), n)
	var text struct{ Messages []json.RawMessage }
	if err := json.Unmarshal([]byte(exported(t, raw, export.JSON, nil)), &text); err != nil || len(text.Messages) != n {
		t.Errorf("JSON has %d of %d messages: %v", len(text.Messages), n, err)
		return false
	}
	if exported(t, raw, export.JSONL, nil) != raw {
		t.Error("the records differ")
		return false
	}
	if end := strings.LastIndexByte(raw[:min(len(raw), maskedAtMost)], '\n'); len(raw) > maskedAtMost && end > 0 {
		raw = raw[:end+1]
	}
	masked := strings.Split(exported(t, raw, export.JSONL, export.NewRedactor("")), "\n")
	before := strings.Split(raw, "\n")
	if len(masked) != len(before) {
		t.Errorf("%d lines, masked %d", len(before), len(masked))
		return false
	}
	for i, line := range before {
		if json.Valid([]byte(line)) != json.Valid([]byte(masked[i])) {
			t.Errorf("line %d is JSON either before or after masking, not both", i+1)
			return false
		}
	}
	return !t.Failed()
}
