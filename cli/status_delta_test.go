//go:build unix

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
)

// TestStatusDelta: status, the list and the Ledger screen agree on a due delta-synthesis.
func TestStatusDelta(t *testing.T) {
	t.Parallel()
	home, _ := newStatusHome(t)
	project := filepath.Join(home, "code", "tides") // folder of both live sessions
	slug := filepath.Join(home, ".claude", "projects", sessions.Slug(project))
	if err := os.MkdirAll(slug, 0o700); err != nil {
		t.Fatal(err)
	}
	transcript := filepath.Join(slug, resumeID+".jsonl")
	say := func(tokens ...int) { // writes answers with different context sizes, far apart: the end of the transcript lacks the first one
		var b strings.Builder
		parent := "null"
		for i, n := range tokens {
			at := now().Add(time.Duration(i-len(tokens)) * time.Minute).UTC().Format(time.RFC3339)
			prompt, answer := fmt.Sprintf("00000000-0000-4000-8000-%012d", 2*i), fmt.Sprintf("00000000-0000-4000-8000-%012d", 2*i+1)
			fmt.Fprintf(&b, `{"type":"user","uuid":%q,"parentUuid":%s,"sessionId":%q,"cwd":%q,"timestamp":%q,"message":{"role":"user","content":%q}}`+"\n",
				prompt, parent, resumeID, project, at, strings.Repeat("tide ", 60_000))
			fmt.Fprintf(&b, `{"type":"assistant","uuid":%q,"parentUuid":%q,"sessionId":%q,"cwd":%q,"timestamp":%q,"message":{"id":"m%d","role":"assistant","model":"claude-opus-4-1","content":[{"type":"text","text":"ok"}],"usage":{"input_tokens":%d,"output_tokens":1}}}`+"\n",
				answer, prompt, resumeID, project, at, i, n)
			parent = fmt.Sprintf("%q", answer)
		}
		if err := os.WriteFile(transcript, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	texts := index.Open("")
	check := func(what, dir, want string, terminal bool, args ...string) (text string) {
		t.Helper()
		texts.Context(t.Context(), &sessions.Session{Path: transcript}) // without the time limit of status
		for range 20 {                                                  // reading the ledger may exceed its time limit
			if text, _, _ = runStatusWith(t, texts, home, dir, terminal, args...); strings.Contains(text, want) {
				return text
			}
		}
		t.Errorf("%s: no %q in\n%s", what, want, text)
		return text
	}
	const none = `"deltas":0,`
	say(16_000, 17_000, 22_200)
	check("without a ledger", project, none, false, "--json")
	put(t, project, "grimoires/loa/NOTES.md", "# Notes\n")
	if js := check("6,200 tokens", project, `"deltas":1,`, false, "--json"); strings.Count(js, `"deltaDue":true`) != 1 {
		t.Error(js)
	}
	check("on a terminal", project, "△ delta       delta due in tides: about 6.2k new tokens", true)
	check("the command", project, "  continuo delta\n", true)
	check("elsewhere", home, "/code/tides\n", true)
	check("piped", project, "delta\t1\tdelta due in tides: about 6.2k new tokens\tcontinuo delta\n", false)
	put(t, project, "grimoires/loa/a2a/trajectory/a-2026-11-21.jsonl", fmt.Sprintf(`{"ts":%q,"phase":"delta_sync","session_id":%q,"tokens":3000}`+"\n", now().UTC().Format(time.RFC3339), resumeID))
	check("3,200 tokens since a delta", project, none, false, "--json")
	say(16_000, 17_000, 20_900)
	if err := os.RemoveAll(filepath.Join(project, "grimoires", "loa", "a2a")); err != nil {
		t.Fatal(err)
	}
	check("4,900 tokens", project, none, false, "--json")
}
