package document

import (
	"slices"
	"strings"
	"testing"
)

// TestSlips: errors in front matter are in plain words. The other fields are read.
func TestSlips(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]struct {
		problem   string
		malformed bool
		tags      []string
	}{
		"---\nstatus: blocked\ntags: auth, tokens\n---\nx\n":     {"", false, []string{"auth", "tokens"}},
		"---\nstatus: blocked\ntags: [auth, tokens\n---\nx\n":    {"front matter: line 3: the list is not closed", true, []string{"auth", "tokens"}},
		"---\nstatus: blocked\ntags: {auth: tokens}\n---\nx\n":   {"front matter: tags is not a list", false, nil},
		"---\nstatus: blocked\ntags:\n  auth: tokens\n---\nx\n":  {"front matter: tags is not a list", false, nil},
		"---\nstatus: blocked\ntags: [auth]\n## Next\n":          {"the closing --- is missing", true, []string{"auth"}},
		"---\nstatus: blocked\ndate: some day\n---\nx\n":         {"front matter: invalid date: some day", false, nil},
		"---\nstatus: blocked\nproject: a: b\n---\nx\n":          {"front matter: line 3: invalid YAML", true, nil},
		"---\nstatus: blocked\nproject: @tea\ntags: a\n---\nx\n": {"front matter: line 3: invalid YAML", true, []string{"a"}},
		"---\nstatus: blocked\ntags: [a]\nx: \"\\z\"\n---\nx\n":  {"front matter: line 4: invalid YAML", true, []string{"a"}},
		"---\nstatus: blocked\ntags: [a, {b: c}, d]\n---\nx\n":   {"", false, []string{"a", "d"}},
		"---\n- a list\n---\nstatus: blocked\n## Next\nx: y\n":   {"front matter: not a list of keys and values", true, nil},
	} {
		d := written(t, KindSession, "session-2026-11-21-1405Z.md", text)
		status := "blocked"
		if strings.Contains(text, "a list") {
			status = ""
		}
		if d.Problem != want.problem || d.Malformed != want.malformed || !slices.Equal(d.Tags, want.tags) || d.Status != status {
			t.Errorf("%q: %q, malformed %v, tags %q, status %q", text, d.Problem, d.Malformed, d.Tags, d.Status)
		}
	}
}

func TestNothingIn(t *testing.T) {
	t.Parallel()
	if d := written(t, KindSession, "session-2026-11-21-1405Z.md", ""); d.Problem != nothingIn || d.Malformed {
		t.Errorf("%+v", d)
	}
}

// TestNeverUpdated: Never is set for the file of init, even after a hook's note.
func TestNeverUpdated(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		NewContext: true, NewContext + "\n## Session Exit\n- Last exit: 2026-11-21T14:05:00Z (reason: clear)\n": true,
		"> Last Updated: never\n": true, "> Last Updated:\n": false, "> Last Updated: 2026-11-21\n": false,
		"> Last Updated: the 3rd of May\n": false, "# x\n": false, "---\ndate: 2026-11-21\n---\n> Last Updated: never\n": false,
	} {
		if d := written(t, KindActiveContext, "active-context.md", text); d.Never != want {
			t.Errorf("%q: %v", text, d.Never)
		}
	}
}
