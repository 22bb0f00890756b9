package sessions_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions"
)

// asked returns an assistant record. tokens counts all input tokens, output the output tokens.
func asked(n, tokens, output int, more string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"a%d","timestamp":"2026-11-21T10:00:00Z"%s,"message":{"id":"m%d","role":"assistant","model":"claude-x",`+
		`"usage":{"input_tokens":%d,"cache_creation_input_tokens":1,"cache_read_input_tokens":1,"output_tokens":%d},"content":[{"type":"text","text":"x"}]}}`,
		n, more, n, tokens-2, output) + "\n"
}

func TestContext(t *testing.T) {
	t.Parallel()
	const (
		boundary  = `{"type":"system","subtype":"compact_boundary","uuid":"b","timestamp":"2026-11-21T10:00:00Z"}` + "\n"
		sidechain = `,"isSidechain":true`
		made      = `{"type":"assistant","uuid":"s","message":{"id":"s","model":"<synthetic>","usage":{"input_tokens":0,"output_tokens":0},"content":[]}}` + "\n"
		bare      = `{"type":"assistant","uuid":"n","message":{"id":"n","role":"assistant","content":[]}}` + "\n"
	)
	long := `{"type":"user","uuid":"t","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"x","content":"` + strings.Repeat("x", 600<<10) + `"}]}}` + "\n"
	for name, c := range map[string]struct {
		text         string
		tokens, base int64
		used         int64
		known        bool
		quick, qbase int64
	}{
		"no answer":         {turn("u1", "x", "/w"), 0, 0, 0, false, 0, 0},
		"one answer":        {asked(1, 100, 7, ""), 107, 100, 7, true, 107, 100},
		"grown":             {asked(1, 100, 7, "") + asked(2, 300, 9, ""), 309, 100, 209, true, 309, 100},
		"sub-agent":         {asked(1, 100, 7, "") + asked(2, 9000, 9, sidechain), 107, 100, 7, true, 107, 100},
		"made up":           {asked(1, 100, 7, "") + made + bare, 107, 100, 7, true, 107, 100},
		"compacted":         {asked(1, 9000, 7, "") + boundary + asked(2, 300, 9, "") + asked(3, 400, 9, ""), 409, 300, 109, true, 409, 300},
		"just compacted":    {asked(1, 9000, 7, "") + boundary, 0, 0, 0, false, 0, 0},
		"shrunk":            {asked(1, 9000, 7, "") + asked(2, 300, 9, ""), 309, 9000, 0, true, 309, 9000},
		"long":              {asked(1, 100, 7, "") + long + asked(2, 300, 9, ""), 309, 100, 209, true, 309, 0},
		"long, compacted":   {asked(1, 900, 7, "") + long + boundary + asked(2, 300, 9, "") + asked(3, 350, 9, ""), 359, 300, 59, true, 359, 300},
		"long, out of tail": {asked(1, 100, 7, "") + asked(2, 300, 9, "") + long, 309, 100, 209, true, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), idA+".jsonl")
			if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
			s := sessions.Read(t.Context(), path, time.Time{})
			if s.ContextTokens != c.tokens || s.ContextBase != c.base {
				t.Errorf("exact %d of %d, want %d of %d", s.ContextTokens, s.ContextBase, c.tokens, c.base)
			}
			if n, known := s.ContextUsed(); n != c.used || known != c.known {
				t.Errorf("used %d %v, want %d %v", n, known, c.used, c.known)
			}
			if s = sessions.Peek(t.Context(), path, time.Time{}); s.ContextTokens != c.quick || s.ContextBase != c.qbase {
				t.Errorf("quick %d of %d, want %d of %d", s.ContextTokens, s.ContextBase, c.quick, c.qbase)
			}
		})
	}
}

// TestContextCorpus: an independent decoder computes the same figures of real transcripts.
func TestContextCorpus(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	dirs := filepath.SplitList(os.Getenv("CONTINUO_CORPUS"))
	if len(dirs) == 0 {
		t.Skip("CONTINUO_CORPUS names no config dir")
	}
	known, based, quick := 0, 0, 0
	for _, s := range exact(t, dirs...) {
		tokens, base := countContext(t, s.Path)
		if s.ContextTokens != tokens || s.ContextBase != base {
			t.Errorf("%s: %d of %d, want %d of %d", s.Path, s.ContextTokens, s.ContextBase, tokens, base)
		}
		if q := sessions.Peek(context.Background(), s.Path, time.Time{}); q.ContextTokens != 0 {
			quick++
			if q.ContextTokens != tokens || q.ContextBase != 0 && q.ContextBase != base {
				t.Errorf("%s: quick %d of %d, want %d of %d", s.Path, q.ContextTokens, q.ContextBase, tokens, base)
			}
		}
		if tokens > 0 {
			known++
		}
		if used, ok := s.ContextUsed(); ok {
			based++
			if used < 0 || used > 2_000_000 {
				t.Errorf("%s: %d tokens are used", s.Path, used)
			}
		}
	}
	t.Logf("%d known, %d with their base, %d of them quick", known, based, quick)
	if known == 0 || based != known || quick == 0 {
		t.Errorf("%d known, %d with their base, %d quick", known, based, quick)
	}
}

// countContext computes ContextTokens and ContextBase independently, with encoding/json.
func countContext(t *testing.T, path string) (tokens, base int64) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		for dec := json.NewDecoder(strings.NewReader(line)); dec.More(); {
			var r struct {
				Type, Subtype string
				IsSidechain   bool
				Message       json.RawMessage
			}
			if err := dec.Decode(&r); err != nil {
				break
			}
			if r.IsSidechain {
				continue
			}
			if r.Type == "system" && r.Subtype == "compact_boundary" {
				tokens, base = 0, 0
			}
			var m struct {
				Usage struct {
					Input      int64 `json:"input_tokens"`
					Output     int64 `json:"output_tokens"`
					CacheRead  int64 `json:"cache_read_input_tokens"`
					CacheWrite int64 `json:"cache_creation_input_tokens"`
				}
			}
			if r.Type != "assistant" || json.Unmarshal(r.Message, &m) != nil {
				continue
			}
			u := m.Usage
			if n := u.Input + u.CacheRead + u.CacheWrite; n > 0 {
				if tokens == 0 {
					base = n
				}
				tokens = n + u.Output
			}
		}
	}
	return tokens, base
}
