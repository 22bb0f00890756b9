package notes_test

import (
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/ledger/notes"
)

func TestCheckpointed(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 22, 15, 4, 5, 0, time.UTC)
	for name, c := range map[string]struct{ was, now string }{
		"the spec's": {
			"# N\n\n## Session Continuity\n\n### Active Context\n- **Current Bead**: br-1\n- **Last Checkpoint**: 2024-01-15T14:30:00Z\n\n## Rest\n",
			"# N\n\n## Session Continuity\n\n### Active Context\n- **Current Bead**: br-1\n- **Last Checkpoint**: 2026-11-22T15:04:05Z\n\n## Rest\n",
		},
		"not filled in, with CRLF": {
			"## Session Continuity\r\n**Last Checkpoint:**\r\nMore\r\n", "## Session Continuity\r\n**Last Checkpoint:** 2026-11-22T15:04:05Z\r\nMore\r\n",
		},
		"not in a fence": {
			"## Session Continuity\n```\nLast Checkpoint: x\n```\nLast checkpoint: yesterday  \n",
			"## Session Continuity\n```\nLast Checkpoint: x\n```\nLast checkpoint: 2026-11-22T15:04:05Z  \n",
		},
		"none yet":         {"## Session Continuity\n\nWe brew.\n", "## Session Continuity\n- **Last Checkpoint**: 2026-11-22T15:04:05Z\n\nWe brew.\n"},
		"text right below": {"## Session Continuity\nWe brew.\n", "## Session Continuity\n- **Last Checkpoint**: 2026-11-22T15:04:05Z\n\nWe brew.\n"},
		"at the end":       {"## Session Continuity", "## Session Continuity\n- **Last Checkpoint**: 2026-11-22T15:04:05Z\n"},
	} {
		n := notes.Parse([]byte(c.was))
		got, line, ok := n.Checkpointed(at)
		if !ok || string(got) != c.now {
			t.Errorf("%s: %v\n%q\nwant\n%q", name, ok, got, c.now)
			continue
		}
		if text := strings.Split(string(got), "\n")[line-1]; !strings.Contains(text, "2026-11-22T15:04:05Z") {
			t.Errorf("%s: line %d is %q", name, line, text)
		}
		if !notes.Parse(got).Continuity().Checkpoint.Equal(at) {
			t.Errorf("%s: Parse doesn't return the time: %+v", name, notes.Parse(got).Continuity())
		}
		if string(n.Text) != c.was {
			t.Errorf("%s: the original text was changed", name)
		}
	}
	if got, _, ok := notes.Parse([]byte("# N\n")).Checkpointed(at); ok || string(got) != "# N\n" {
		t.Errorf("without a section: %q, %v", got, ok)
	}
}
