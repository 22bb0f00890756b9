package demo

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestShapes(t *testing.T) {
	t.Parallel()
	_, stats := write(t, Options{})
	byID := map[string]Session{}
	for _, s := range stats.List {
		byID[s.ID] = s
	}
	checks := shapeChecks()
	for _, shape := range slices.Sorted(maps.Keys(checks)) {
		ids := stats.Shapes[shape]
		if len(ids) != 1 {
			t.Errorf("%s: %d sessions, want one", shape, len(ids))
			continue
		}
		s := byID[ids[0]]
		content, err := os.ReadFile(s.Path)
		if err != nil {
			t.Fatal(err)
		}
		records, broken := readLines(t, s.Path)
		if !checks[shape](s, string(content), records, broken) {
			t.Errorf("%s: %s (%s) doesn't have this shape", shape, s.Name, s.Path)
		}
	}
	if len(stats.Shapes) != len(checks) {
		t.Errorf("shapes %v, want %d", stats.Shapes, len(checks))
	}
}

type shapeCheck func(s Session, content string, records []record, broken int) bool

func shapeChecks() map[Shape]shapeCheck {
	has := func(f func(record) bool) shapeCheck {
		return func(_ Session, _ string, records []record, _ int) bool { return slices.ContainsFunc(records, f) }
	}
	holds := func(texts ...string) shapeCheck {
		return func(_ Session, content string, _ []record, _ int) bool {
			return !slices.ContainsFunc(texts, func(s string) bool { return !strings.Contains(content, s) })
		}
	}
	return map[Shape]shapeCheck{
		ShapeSubagent: func(s Session, _ string, _ []record, _ int) bool { return len(s.Agents) == 1 },
		ShapeFork:     holds(`"forkedFrom":{"sessionId":"c6073ee8-`),
		ShapeCompacted: func(_ Session, _ string, records []record, _ int) bool {
			i := slices.IndexFunc(records, func(r record) bool { return r.Subtype == "compact_boundary" })
			return i > 0 && records[i].Logical != "" && records[i].ParentUUID == "" &&
				records[i+1].IsSummary && records[i+1].ParentUUID == records[i].UUID
		},
		ShapeSidechain: has(func(r record) bool { return r.IsSidechain && r.ParentUUID == "" && r.Version == "1.0.98" }),
		ShapeHiddenBranch: func(_ Session, _ string, records []record, _ int) bool {
			prompts := map[string]int{}
			for _, r := range records {
				if r.PromptSource == "typed" {
					prompts[r.ParentUUID]++
				}
			}
			return slices.Contains(slices.Collect(maps.Values(prompts)), 2)
		},
		ShapeAPIError:    has(func(r record) bool { return r.IsAPIError }),
		ShapeInterrupted: has(func(r record) bool { return r.Interrupted != "" }),
		ShapeSDK:         has(func(r record) bool { return r.Entrypoint == "sdk-cli" }),
		ShapeStub: func(_ Session, _ string, records []record, _ int) bool {
			return len(records) > 0 && !slices.ContainsFunc(records, func(r record) bool { return r.UUID != "" })
		},
		ShapeEmpty: func(_ Session, content string, _ []record, _ int) bool { return content == "" },
		ShapeCorrupt: func(_ Session, content string, _ []record, broken int) bool {
			last := content[strings.LastIndexByte(strings.TrimSuffix(content, "\n"), '\n')+1:]
			return broken == 1 && json.Valid([]byte(last))
		},
		ShapeTornTail: func(_ Session, content string, _ []record, broken int) bool {
			return broken == 1 && !strings.HasSuffix(content, "\n")
		},
		ShapeMultiByte:   holds("龍井", "תה", "\u200d", "\u0300"),
		ShapeEscape:      holds(`\u001b[`, `\u001b]8;;`, `\u0007`, `\r`),
		ShapeCommand:     holds("<command-name>/plan</command-name>", `"isMeta":true`),
		ShapeCustomTitle: holds(`"type":"custom-title"`),
		ShapeTodos:       holds(`"newTodos"`),
	}
}
