package hook

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

const (
	backupClear   = "20261121_120000Z_clear.jsonl"
	backupCompact = "20261121_120000Z_compact.jsonl"
	backupUnknown = "20261121_120000Z_unknown.jsonl"

	endClear    = `{"session_id":"s-1","transcript_path":"$T","cwd":"$P","hook_event_name":"SessionEnd","reason":"clear"}`
	compactAuto = `{"session_id":"s-1","transcript_path":"$T","cwd":"$P","hook_event_name":"PreCompact","trigger":"auto","custom_instructions":null}`

	activeContext = "# Active Session Context\n\n## Next Steps\n1. tie\n"
)

// step is a call of a hook.
type step struct{ event, payload string }

// TestEdgeCases has all cases from the tests of the original shell hooks.
func TestEdgeCases(t *testing.T) {
	t.Parallel()
	marked := func(backups ...string) map[string]string {
		m := map[string]string{}
		for i, name := range []string{".pending-backup", ".pending-backup-exit"} {
			if i < len(backups) {
				m[name] = backups[i]
			}
		}
		return m
	}
	for _, tt := range []struct {
		name    string
		prepare func(w *world)
		steps   []step
		result  string // result of the last step
		backups []string
		markers map[string]string
		check   func(t *testing.T, w *world)
	}{
		{name: "empty stdin at the end", steps: []step{{EventEnd, ""}}, result: ResultFailed},
		{name: "empty stdin before a compaction", steps: []step{{EventCompact, ""}}, result: ResultFailed},
		{name: "empty stdin at the start", steps: []step{{EventStart, ""}}, result: ResultNothing},
		{name: "invalid JSON at the end", steps: []step{{EventEnd, "not json {"}}, result: ResultFailed},
		{name: "invalid JSON before a compaction", steps: []step{{EventCompact, "not json {"}}, result: ResultFailed},
		{name: "invalid JSON at the start", steps: []step{{EventStart, "not json {"}}, result: ResultNothing},
		{name: "no field at the end", steps: []step{{EventEnd, "{}"}}, result: ResultFailed},
		{name: "no field before a compaction", steps: []step{{EventCompact, "{}"}}, result: ResultFailed},
		{name: "null for a transcript at the end", steps: []step{{EventEnd, `{"transcript_path":null,"reason":"clear"}`}}, result: ResultFailed},
		{name: "null for a transcript before a compaction", steps: []step{{EventCompact, `{"transcript_path":null,"trigger":"auto"}`}}, result: ResultFailed},
		{name: "truncated JSON at the end", steps: []step{{EventEnd, endClear[:len(endClear)-1]}}, result: ResultFailed},
		{name: "truncated JSON before a compaction", steps: []step{{EventCompact, compactAuto[:70]}}, result: ResultFailed},
		{name: "missing transcript at the end", prepare: func(w *world) { w.remove(w.transcript) }, steps: []step{{EventEnd, endClear}}, result: ResultNothing},
		{name: "missing transcript before a compaction", prepare: func(w *world) { w.remove(w.transcript) }, steps: []step{{EventCompact, compactAuto}}, result: ResultNothing},
		{name: "empty transcript at the end", prepare: func(w *world) { w.write(w.transcript, "") }, steps: []step{{EventEnd, endClear}}, result: ResultNothing},
		{name: "empty transcript before a compaction", prepare: func(w *world) { w.write(w.transcript, "") }, steps: []step{{EventCompact, compactAuto}}, result: ResultNothing},
		{name: "the end", steps: []step{{EventEnd, endClear}}, result: ResultSaved, backups: []string{backupClear}, markers: marked(backupClear)},
		{name: "a compaction", steps: []step{{EventCompact, compactAuto}}, result: ResultSaved, backups: []string{backupCompact}, markers: marked(backupCompact)},
		{
			name: "more fields", steps: []step{{EventEnd, `{"permission_mode":"default","effort":{"level":"low"},` + endClear[1:]}},
			result: ResultSaved, backups: []string{backupClear}, markers: marked(backupClear),
		},
		{
			name: "missing reason", steps: []step{{EventEnd, `{"transcript_path":"$T"}`}},
			result: ResultSaved, backups: []string{backupUnknown}, markers: marked(backupUnknown),
		},
		{
			name: "missing trigger", steps: []step{{EventCompact, `{"transcript_path":"$T"}`}},
			result: ResultSaved, backups: []string{backupCompact}, markers: marked(backupCompact),
		},
		{
			name:    "path with spaces",
			prepare: func(w *world) { w.transcript = w.home + "/a  b/s 1.jsonl"; w.write(w.transcript, sayings(2)) },
			steps:   []step{{EventEnd, endClear}}, result: ResultSaved, backups: []string{backupClear}, markers: marked(backupClear),
		},
		{
			name: "special characters in the reason", steps: []step{{EventEnd, strings.Replace(endClear, `:"clear"`, `:"../x;$(touch y)\n\u0000 é"`, 1)}},
			result: ResultSaved, backups: nil, check: func(t *testing.T, w *world) {
				names := w.backups()
				if len(names) != 1 || !strings.HasPrefix(names[0], "20261121_120000Z_") || strings.ContainsAny(names[0], "/;$() é\n") {
					t.Errorf("backups %q", names)
				}
			},
		},
		{
			name: "large transcript", prepare: func(w *world) { w.write(w.transcript, sayings(50_000)) },
			steps: []step{{EventEnd, endClear}}, result: ResultSaved, backups: []string{backupClear}, markers: marked(backupClear),
		},
		{
			name: "no memory at the end", prepare: func(w *world) { w.remove(w.memory()) }, steps: []step{{EventEnd, endClear}}, result: ResultNoMemory,
			check: func(t *testing.T, w *world) { w.absent(w.memory()) },
		},
		{
			name: "no memory before a compaction", prepare: func(w *world) { w.remove(w.memory()) }, steps: []step{{EventCompact, compactAuto}}, result: ResultNoMemory,
			check: func(t *testing.T, w *world) { w.absent(w.memory()) },
		},
		{
			name: "no memory at the start", prepare: func(w *world) { w.remove(w.memory()) }, steps: []step{{EventStart, ""}}, result: ResultNoMemory,
			check: func(t *testing.T, w *world) { w.absent(w.memory()) },
		},
		{
			name: "raw is made", steps: []step{{EventEnd, endClear}}, result: ResultSaved, backups: []string{backupClear}, markers: marked(backupClear),
			check: func(t *testing.T, w *world) {
				if got := w.read(w.memory("raw", backupClear)); got != w.read(w.transcript) {
					t.Errorf("the backup has %d bytes", len(got))
				}
			},
		},
		{
			name: "no active context", steps: []step{{EventEnd, endClear}, {EventCompact, compactAuto}}, result: ResultSaved,
			backups: []string{backupClear, backupCompact},
			markers: map[string]string{".pending-backup": backupClear, ".pending-backup-compact": backupCompact},
			check:   func(t *testing.T, w *world) { w.absent(w.memory("active-context.md")) },
		},
		{
			name:    "the same again",
			prepare: func(w *world) { w.write(w.memory("active-context.md"), activeContext) },
			steps:   []step{{EventEnd, endClear}, {EventCompact, compactAuto}, {EventEnd, endClear}, {EventCompact, compactAuto}},
			result:  ResultSaved,
			check: func(t *testing.T, w *world) {
				text := w.read(w.memory("active-context.md"))
				for line, n := range map[string]int{
					"\n## Session Exit\n": 1, "\n## Compaction\n": 1, "\n- Last exit: 2026-11-21T12:00:00Z (reason: clear)\n": 1,
					"\n- Last compaction: 2026-11-21T12:00:00Z (trigger: auto)\n": 1, "\n- Transcript backup: ": 2,
				} {
					if got := strings.Count(text, line); got != n {
						t.Errorf("%d times %q in\n%s", got, line, text)
					}
				}
				if !strings.HasPrefix(text, activeContext) {
					t.Errorf("the context begins with\n%s", text)
				}
				if n := strings.Count(w.read(w.memory(".backup-log")), "\n"); n != 4 || len(w.backups()) != 4 {
					t.Errorf("%d lines in the log, backups %q", n, w.backups())
				}
			},
		},
		{
			name: "three ends in a second", steps: []step{{EventEnd, endClear}, {EventEnd, endClear}, {EventEnd, endClear}}, result: ResultSaved,
			backups: []string{"20261121_120000Z_clear-2.jsonl", "20261121_120000Z_clear-3.jsonl", backupClear},
			markers: marked(backupClear, "20261121_120000Z_clear-3.jsonl"),
		},
		{
			name: "a compaction, then the end", steps: []step{{EventCompact, compactAuto}, {EventEnd, endClear}}, result: ResultSaved,
			backups: []string{backupClear, backupCompact}, markers: marked(backupCompact, backupClear),
		},
		{
			name: "the start leaves what is valid", steps: []step{{EventEnd, endClear}, {EventStart, ""}, {EventStart, ""}}, result: ResultTold,
			backups: []string{backupClear}, markers: marked(backupClear),
		},
		{
			name: "the start removes what is empty", steps: []step{{EventStart, ""}}, result: ResultNothing,
			prepare: func(w *world) { w.mark("", ""); w.mark("-exit", " \n"); w.mark("-compact", "\n\n") },
		},
		{
			name: "the start removes what is stale", steps: []step{{EventStart, ""}}, result: ResultNothing,
			prepare: func(w *world) {
				for _, kind := range []string{"", "-exit", "-compact"} {
					w.mark(kind, w.memory("raw", "gone"+kind+".jsonl")+"\n")
				}
			},
		},
		{
			name: "any source", steps: []step{{EventEnd, endClear}, {EventStart, `{"source":"whatever"}`}, {EventStart, `{"session_id":7}`}}, result: ResultTold,
			backups: []string{backupClear}, markers: marked(backupClear),
		},
		{name: "an unknown event", steps: []step{{"stop", endClear}}, result: ResultFailed},
	} {
		for _, key := range []string{"reason", "stop_reason"} {
			t.Run(tt.name+"/"+key, func(t *testing.T) {
				t.Parallel()
				w := newWorld(t)
				if tt.prepare != nil {
					tt.prepare(w)
				}
				var last Result
				for _, s := range tt.steps {
					last = w.handle(s.event, strings.ReplaceAll(s.payload, `"reason"`, `"`+key+`"`))
				}
				if last.Run.Result != tt.result || (last.Run.Error != "") != (tt.result == ResultFailed) {
					t.Errorf("result %+v, want %s", last.Run, tt.result)
				}
				if got := w.backups(); tt.check == nil && !slices.Equal(got, tt.backups) {
					t.Errorf("backups %q, want %q", got, tt.backups)
				}
				if got := w.markers(); tt.check == nil && !maps.Equal(got, tt.markers) {
					t.Errorf("markers %q, want %q", got, tt.markers)
				}
				for _, name := range w.backups() {
					if w.read(w.memory("raw", name)) != w.read(w.transcript) {
						t.Errorf("%s is not the transcript", name)
					}
				}
				if tt.check != nil {
					tt.check(t, w)
				}
			})
		}
	}
}
