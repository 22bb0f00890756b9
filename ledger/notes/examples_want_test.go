package notes_test

import "github.com/continuo-tui/continuo/ledger/notes"

type example struct {
	name      string
	sections  int // number of sections at all levels
	known     []sec
	decisions []dec
}

// cached returns the 18 decisions of a table that two of the files have.
func cached(from int) []dec {
	var all []dec
	for i, key := range []string{"integrit", "clear-te", "clear-te", "stats-te", "stats-te", "test-sec", "test-key", "", "", "integrit", "clear-te", "clear-te", "stats-te", "stats-te", "test-sec", "test-key", "", ""} {
		title := "Cache: result stored [key: " + key + "...]"
		if key == "" {
			title = "Cache: PASS [key: test-key...]"
		}
		all = append(all, dec{day: "2026-02-26", line: from + i, last: from + i, title: title, rationale: "Source: cache", withoutText: true})
	}
	return all
}

// examples returns the sections and decisions that a person found in each real file.
func examples() []example {
	return []example{
		{
			name: "template", sections: 11,
			known: []sec{
				{14, 2, notes.KindFocus, 22, 0},
				{23, 2, notes.KindLog, 31, 0},
				{32, 2, notes.KindDecisions, 39, 0},
				{40, 2, notes.KindBlockers, 46, 0},
				{47, 2, notes.KindDebt, 54, 0},
				{55, 2, notes.KindLearnings, 61, 0},
				{62, 2, notes.KindContinuity, 127, -1},
				{67, 3, notes.KindContext, 72, -1},
				{73, 3, notes.KindIdentifiers, 81, 0},
				{82, 3, notes.KindQuestions, 127, 0},
			},
		},
		{
			name: "mibestats", sections: 7,
			known: []sec{
				{5, 2, notes.KindContinuity, 10, -1},
				{11, 2, notes.KindDecisions, 17, 2},
				{18, 2, notes.KindBlockers, 21, 0},
				{22, 2, notes.KindDebt, 25, 0},
				{26, 2, notes.KindLearnings, 29, 0},
			},
			decisions: []dec{
				{day: "2026-02-21", line: 15, last: 15, title: "Cache: result stored [key: 9d160cf3...]", rationale: "Source: cache", withoutText: true},
				{day: "2026-02-10", line: 16, last: 16, title: "Cache: result stored [key: 8fecbe99...]", rationale: "Source: cache", withoutText: true},
			},
		},
		{
			name: "loa-archive-cycle042", sections: 7,
			known: []sec{
				{42, 2, notes.KindDecisions, 63, 18},
				{64, 2, notes.KindBlockers, 66, 0},
			},
			decisions: cached(46),
		},
		{
			name: "loa-v0.9.0", sections: 6,
			known: []sec{
				{6, 2, notes.KindGoals, 16, 6},
				{17, 2, notes.KindDebt, 19, 0},
				{20, 2, notes.KindBlockers, 22, 0},
				{23, 2, notes.KindContinuity, 34, -1},
				{35, 2, notes.KindDecisions, 81, 8},
			},
			decisions: []dec{
				{line: 38, last: 41, title: "Follow beads integration pattern for ck", rationale: "Proven pattern in Loa", more: "- **Pattern**: Surface at setup"},
				{line: 43, last: 46, title: "Require word-for-word code citations", rationale: "References alone insufficient", more: "- **Format**: `"},
				{line: 48, last: 51, title: "Mandate self-audit checkpoint before completion", rationale: "Ensures grounding ratio", more: "- **Gate**: Task NOT complete"},
				{line: 53, last: 57, title: "Implement Negative Grounding for Ghost Features", rationale: "Single query insufficient", more: "- **Protocol**: TWO diverse"},
				{line: 59, last: 63, title: "Direct CLI invocation for v1.0, MCP migration for v2.0", rationale: "Simpler deployment", more: "- **v1.0**: subprocess.run()"},
				{line: 65, last: 69, title: "Archive trajectory logs to compressed storage", rationale: "Full audit trail required", more: "- **Policy**: 30 days active"},
				{line: 71, last: 75, title: "Minimal Beads integration (Ghost/Shadow tracking only)", rationale: "Keep integration scope tight", more: "- **Scope**: Track Ghost Features"},
				{line: 77, last: 81, title: "Single repository only for v1.0", rationale: "Multi-repo adds significant", more: "- **v1.0**: PROJECT_ROOT"},
			},
		},
		{
			name: "loa-finn", sections: 19,
			known: []sec{
				{3, 2, notes.KindContinuity, 104, -1},
				{105, 2, notes.KindLearnings, 241, 5},
				{242, 2, notes.KindBlockers, 243, 0},
			},
		},
		{
			name: "loa-2026-05-12.dated-decision-logs", sections: 12,
			known: []sec{
				{3, 2, notes.KindDecisions, 30, 1},
				{31, 2, notes.KindDecisions, 71, 1},
				{72, 2, notes.KindDecisions, 104, 1},
				{105, 2, notes.KindDecisions, 134, 1},
				{135, 2, notes.KindDecisions, 155, 1},
				{156, 2, notes.KindDecisions, 174, 1},
				{175, 2, notes.KindDecisions, 213, 1},
				{214, 2, notes.KindDecisions, 270, 1},
				{271, 2, notes.KindDecisions, 329, 1},
				{330, 2, notes.KindDecisions, 367, 1},
				{368, 2, notes.KindDecisions, 400, 1},
			},
			decisions: []dec{
				{day: "2026-05-12", line: 3, last: 27, title: "cycle-104 Sprint 2 E + G — SHIPPED on /run-resume, Shape A", more: "**Status**: 10/14 sprint tasks"},
				{day: "2026-05-12", line: 31, last: 68, title: "cycle-104 Sprint 2 Group C — SHIPPED on /run-resume", rationale: "- Group C is the architectural piece", more: "**Status**: 6/14 sprint tasks"},
				{day: "2026-05-12", line: 72, last: 101, title: "cycle-104 Sprint 2 — PARTIAL: Groups A+B+D-doc shipped; Groups C/E/G + operator-gated tasks deferred", more: "**Status**: 4/14 sprint tasks"},
				{day: "2026-05-12", line: 105, last: 131, title: "cycle-104 Sprint 1 — APPROVED, 3 non-blocking follow-ups filed", more: "**Sprint 1 status: completed**"},
				{day: "2026-05-12", line: 135, last: 152, title: "cycle-104 kickoff — Flatline degraded, treated as first finding", more: "**Flatline review on cycle-104"},
				{day: "2026-05-12", line: 156, last: 171, title: "cycle-104 kickoff — PRD landed", more: "**Cycle-104 multi-model"},
				{day: "2026-05-12", line: 175, last: 212, title: "cycle-103 Sprint 2 T2.2 — KF-002 LAYER 2 RESOLVED-STRUCTURAL", more: "**M4 cycle-exit invariant"},
				{day: "2026-05-11", line: 214, last: 267, title: "cycle-103 Sprint 3 T3.8 — AC-3.8 DEFERRED to cycle-104", more: "**AC-3.8 / T3.8 disposition"},
				{day: "2026-05-10", line: 271, last: 328, title: "cycle-102 Sprint 1D — T1.7 redaction-leak emit-path closure", more: "**Sprint 1D shipped**"},
				{day: "2026-05-09", line: 330, last: 366, title: "cycle-102 Sprint 1B kickoff — T1B.4 ROOT-CAUSE REFRAME, run HALTED", more: "**Sprint 1B autonomous run HALTED"},
				{day: "2026-05-09", line: 368, last: 400, title: "cycle-102 Sprint 1A — ship/no-ship + AC deferrals", more: "**Sprint 1A ship/no-ship decision:** SHIP"},
			},
		},
		{
			name: "corona", sections: 43,
			known: []sec{
				{3, 2, notes.KindDecisions, 81, 4},
				{82, 2, notes.KindDecisions, 128, 4},
				{129, 2, notes.KindDecisions, 158, 1},
				{159, 2, notes.KindDecisions, 184, 1},
				{185, 2, notes.KindDecisions, 207, 2},
				{208, 2, notes.KindDecisions, 234, 3},
				{235, 2, notes.KindContinuity, 275, -1},
				{317, 2, notes.KindDecisions, 338, 18},
				{339, 2, notes.KindDecisions, 346, 1},
				{347, 2, notes.KindBlockers, 352, 0},
				{353, 2, notes.KindContinuity, 400, -1},
			},
			decisions: append([]dec{
				{day: "2026-04-29", line: 129, last: 157, title: "cycle-095 Sprint 2 / global sprint-125", more: "- **`fallback.persist_state`"},
				{day: "2026-04-29", line: 159, last: 183, title: "cycle-095 Sprint 1 / global sprint-124", more: "- **`gemini-2.5-pro`"},
				{day: "2026-04-26", line: 10, last: 16, title: "G-5 (T2.1): Native source pattern — replaced sed-strip eval", more: "The sed-strip pattern"},
				{day: "2026-04-26", line: 18, last: 36, title: "G-6 (T2.2): Hallucination filter metadata always-on (schema bump — contract change for downstream consumers)", more: "> **Contract change**"},
				{day: "2026-04-26", line: 38, last: 46, title: "G-7 (T2.3): SSOT — fallback path (invariant tightening)", more: "The plan offered two paths:"},
				{day: "2026-04-26", line: 48, last: 78, title: "G-E2E (T2.4): Fork-PR no-keys smoke", more: "Smoke command"},
				{day: "2026-04-26", line: 339, last: 345, title: "PR #632 post-PR audit FP suppression", more: "- **Finding**: `[HIGH]"},
				{day: "2026-04-25", line: 84, last: 98, title: "Sprint-4 closure (T2.1 + T2.3 + T3.1 + T4.E2E)", rationale: "T3.1 was scope-reduced", more: "- **Branch**"},
				{day: "2026-04-25", line: 100, last: 109, title: "Task 4.E2E — End-to-End Goal Validation (G1–G6 evidence)", more: "| Goal | Verdict"},
				{day: "2026-04-25", line: 111, last: 115, title: "Test summary (sprint-4)", more: "- `tests/integration"},
				{day: "2026-04-25", line: 117, last: 127, title: "Files changed (sprint-4)", more: "- `.claude/defaults"},
				{day: "2026-04-24", line: 187, last: 196, title: "Flatline sprint-plan integration — 3→3A/3B split, bypass governance, parser defenses", more: "- **Trigger**"},
				{day: "2026-04-24", line: 198, last: 206, title: "Cycle inception — Loa Stabilization & Model-Currency Architecture", rationale: "cycle-093 PRD at", more: "- **Scope**"},
				{day: "2026-04-19", line: 210, last: 218, title: "System Zone write authorization", rationale: "In lieu of a formal PRD", more: "- **Scope**"},
				{day: "2026-04-19", line: 220, last: 221, title: "Stale sprint artifact cleanup", more: "- Moved stale"},
				{day: "2026-04-19", line: 223, last: 233, title: "SpiralPhaseComplete hook — runtime dispatch deferred (cycle-092 Sprint 4, #598)", rationale: "Hook firing requires", more: "- **Scope**"},
			}, cached(321)...),
		},
	}
}
