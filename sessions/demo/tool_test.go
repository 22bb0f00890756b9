package demo

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

func TestPatches(t *testing.T) {
	t.Parallel()
	_, stats := write(t, Options{})
	n := 0
	for _, s := range stats.List {
		records, _ := readLines(t, s.Path)
		for _, r := range records {
			var e struct {
				OldString, NewString, OriginalFile string
				StructuredPatch                    []struct {
					OldStart, OldLines, NewStart, NewLines int
					Lines                                  []string
				}
			}
			if json.Unmarshal(r.ToolUseResult, &e) != nil || e.OldString == "" {
				continue
			}
			n++
			h := e.StructuredPatch[0]
			var before, after []string
			for _, l := range h.Lines {
				if l[0] != '+' {
					before = append(before, l[1:])
				}
				if l[0] != '-' {
					after = append(after, l[1:])
				}
			}
			lines := strings.Split(strings.TrimSuffix(e.OriginalFile, "\n"), "\n")
			from, to := h.OldStart-1, h.OldStart-1+h.OldLines
			got := slices.Concat(lines[:from], after, lines[to:])
			want := strings.TrimSuffix(strings.Replace(e.OriginalFile, e.OldString, e.NewString, 1), "\n")
			if !slices.Equal(before, lines[from:to]) || len(after) != h.NewLines || strings.Join(got, "\n") != want {
				t.Errorf("%s: patch %+v gives %q, want %q", s.Name, h, got, want)
			}
		}
	}
	if n < 10 {
		t.Errorf("%d edits", n)
	}
}
