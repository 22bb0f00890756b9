package stats_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/stats"
)

// sums is a second count of a file, with encoding/json only.
type sums struct {
	tokens transcript.Usage
	calls  int
}

// sumsOf counts tokens by message and request ID, and calls by tool ID.
func sumsOf(data []byte) sums {
	type record struct {
		Type, UUID, RequestID string
		IsAPIErrorMessage     bool
		Timestamp             string
		Message               struct {
			ID, Model string
			Usage     *struct {
				Input  int64 `json:"input_tokens"`
				Output int64 `json:"output_tokens"`
				Read   int64 `json:"cache_read_input_tokens"`
				Write  int64 `json:"cache_creation_input_tokens"`
			}
			Content json.RawMessage
		}
	}
	usage, calls := map[string]transcript.Usage{}, map[string]bool{}
	for _, line := range bytes.Split(bytes.TrimPrefix(data, []byte("\ufeff")), []byte("\n")) {
		for dec := json.NewDecoder(bytes.NewReader(line)); dec.More(); {
			var r record
			if dec.Decode(&r) != nil {
				break
			}
			if r.Type != "assistant" {
				continue
			}
			if u := r.Message.Usage; u != nil && !r.IsAPIErrorMessage && r.Message.Model != "<synthetic>" {
				key := r.Message.ID + " " + r.RequestID
				if r.Message.ID == "" {
					key = r.UUID
				}
				usage[key] = transcript.Usage{Input: u.Input, Output: u.Output, CacheRead: u.Read, CacheWrite: u.Write}
			}
			var blocks []struct{ Type, ID string }
			_ = json.Unmarshal(r.Message.Content, &blocks) // else a string
			for _, b := range blocks {
				if b.Type == "tool_use" {
					calls[b.ID] = true
				}
			}
		}
	}
	s := sums{calls: len(calls)}
	for _, u := range usage {
		s.tokens = s.tokens.Add(u)
	}
	return s
}

// TestCorpus compares tokens and calls of every transcript with the second count, and the messages with the outline.
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
				compare(t, path)
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

func compare(t *testing.T, path string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var tally stats.Tally
	if err := stats.NewCounter(time.Time{}, time.Time{}).Count(t.Context(), &tally, path, false); err != nil {
		t.Fatal(err)
	}
	f, want := tally.Figures(), sumsOf(data)
	if calls, _ := f.Calls(); calls != want.calls || f.Tokens() != want.tokens {
		t.Errorf("%s: %d calls, %+v; the second count has %d, %+v", filepath.Base(path), calls, f.Tokens(), want.calls, want.tokens)
	}
	o := transcript.NewOutline()
	if _, err := o.Extend(t.Context(), transcript.NewReader(bytes.NewReader(data), 0)); err != nil {
		t.Fatal(err)
	}
	if f.Messages != o.Turns {
		t.Errorf("%s: %d messages, the outline has %d", filepath.Base(path), f.Messages, o.Turns)
	}
}
