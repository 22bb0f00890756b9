package cli

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/hooks"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions/hook"
)

// TestHookGateUnsure: a config error blocks only if it may hide strict enforcement.
func TestHookGateUnsure(t *testing.T) {
	t.Parallel()
	for config, want := range map[string]string{
		"":                                  "",
		"grounding_enforcement: warn\n":     "",
		"grounding_enforcement: stricct\n":  `:1: grounding_enforcement is "stricct". Must be strict, warn or disabled`,
		"grounding_enforcement: \"strict\n": ":1: grounding_enforcement is not valid YAML",
		"grounding_enforcement: [strict]\n": ":1: grounding_enforcement is a list",
		"grounding_enforcement: warn\ngrounding_enforcement: strict\n":   ":2: grounding_enforcement is set twice, first in line 1",
		"grounding:\n  enforcement: [strict\n":                           ": grounding is not valid YAML",
		"grounding:\n  enforcement: stricct\n":                           `:2: grounding.enforcement is "stricct"`,
		"synthesis_checkpoint:\n  grounding_enforcement: stricct\n":      `:2: synthesis_checkpoint.grounding_enforcement is "stricct"`,
		"grounding: {enforcement: disabled}\ngrounding_enforcement: x\n": `:2: grounding_enforcement is "x"`,
		"<<: *strict\ngrounding_enforcement: warn\n":                     ": continuo does not follow <<",
		"- strict\n":                            ":1: it is not a list of keys and values",
		"grounding: {enforcement: warn\nx: y\n": ": grounding is not valid YAML",
		"grounding_enforcement: warn\ngrounding: {enforcement: stricct}\n":                         "", // the first key decides
		"grounding: {enforcement: warn}\nsynthesis_checkpoint: {grounding_enforcement: stricct}\n": "",
		"grounding: {enforcement: warn, threshold: high}\n":                                        "", // the error is in another key
		"session_continuity: {level1_tokens: many}\n":                                              "",
		"synthesis_checkpoint: {enabled: false}\ngrounding_enforcement: stricct\n":                 "", // the gate is not enabled
	} {
		w := newNoteWorld(t)
		w.write(notesFile, gateLog)
		if config != "" {
			w.write(ledger.ConfigName, config)
		}
		j := hooks.GateJudge{Env: w.deps().Env}
		holds, err := j.Holds(t.Context(), w.project)
		if err != nil || holds != (want != "") {
			t.Errorf("%q: holds %v, %v", config, holds, err)
		}
		_, err = j.Reasons(t.Context(), w.project, false)
		if (err != nil) != (want != "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", config, err, want)
		}
		const typed = `{"session_id":"s-1","hook_event_name":"PreCompact","trigger":"manual"}`
		w.write(".claude/memory/x", "")
		r := hook.Gate(t.Context(), hook.In{Payload: strings.NewReader(typed), Env: func(string) string { return "" }, Dir: w.project, Home: w.home, Now: now}, j, hook.OpenHeld(""))
		if r.Held != (want != "") || r.Held && (!strings.Contains(r.Err, "could not be checked") || !strings.Contains(r.Err, "grounding_enforcement: warn in")) {
			t.Errorf("%q: %+v", config, r)
		}
	}
}
