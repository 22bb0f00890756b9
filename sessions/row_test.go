package sessions_test

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/sessions"
)

// TestQuiet: what a list leaves out at first.
func TestQuiet(t *testing.T) {
	t.Parallel()
	for _, kind := range []sessions.Kind{sessions.KindSession, sessions.KindBackup, sessions.KindDocument} {
		for state, want := range map[sessions.State]bool{
			sessions.StateOK: false, sessions.StateEmpty: true, sessions.StateStub: true, sessions.StateDamaged: false, sessions.StateUnreadable: false,
		} {
			r := sessions.Row{Kind: kind, Session: sessions.Session{State: state}}
			if r.Quiet() != (want && kind == sessions.KindSession) {
				t.Errorf("%s %s: %v", kind, state, r.Quiet())
			}
			if r.Flags = []sessions.Flag{sessions.FlagSDK}; r.Quiet() != (kind == sessions.KindSession) {
				t.Errorf("%s %s of claude -p: %v", kind, state, r.Quiet())
			}
		}
	}
}

// TestShellCommandFirst names a session after its first prompt, not after the shell command before it; in quick
// mode too, where the prompt is not in the part that is read first.
func TestShellCommandFirst(t *testing.T) {
	t.Parallel()
	shell := turn("u1", "<bash-input>git switch main</bash-input>", "/w")
	ask := turn("u2", "Sort the tea", "/w")
	long := strings.Repeat(answer("a", "u1", "m", "2026-02-28T10:00:05.000Z", 1), 100) // more than 32 KB
	for data, want := range map[string]string{
		shell: "! git switch main", shell + ask: "Sort the tea", ask + shell: "Sort the tea",
		shell + long + ask + long: "Sort the tea", shell + long + long: "! git switch main",
	} {
		set := find(t, tree(t, map[string]string{"projects/p/" + idA + ".jsonl": data}))
		quick := set.Sessions[0]
		if err := set.Exact(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if s := set.Sessions[0]; quick.Name != want || s.Name != want || s.Prompt != want || quick.Exact != (len(data) < 32<<10) {
			t.Errorf("%d bytes: quick %q, exact %q, prompt %q, want %q", len(data), quick.Name, s.Name, s.Prompt, want)
		}
	}
}
