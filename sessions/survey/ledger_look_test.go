package survey

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/continuo-tui/continuo/ledger"
)

// TestCheckLedger: identifiers and evidence are checked only on request.
func TestCheckLedger(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{
		".git/HEAD": "", "src/a.go": "package src\n\nconst leeway = 30\n",
		"grimoires/loa/NOTES.md": "## Decision Log\n\n### 2026-11-20T10:00:00Z - Leeway is 30 s\n\n**Evidence**: `const leeway = 30` [${PROJECT_ROOT}/src/a.go:3] and `const leeway = 90` [${PROJECT_ROOT}/src/a.go:3]\n\n" +
			"## Lightweight Identifiers\n\n- `${PROJECT_ROOT}/src/a.go:3`\n- `${PROJECT_ROOT}/src/a.go:30`\n- `${PROJECT_ROOT}/src/b.go:1`\n",
	} {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := Place{Dir: root, Home: t.TempDir(), Now: now()}
	l, err := LedgerOf(t.Context(), at, LedgerHow{})
	if err != nil || l.Checked != nil || l.Evidence != nil {
		t.Errorf("unasked: %+v, %+v, %v", l.Checked, l.Evidence, err)
	}
	l, err = LedgerOf(t.Context(), at, LedgerHow{Identifiers: true, Evidence: true})
	if err != nil || len(l.Checked) != 3 || len(l.Evidence) != 2 {
		t.Fatalf("%+v, %+v, %v", l.Checked, l.Evidence, err)
	}
	for i, want := range []ledger.Status{ledger.Holds, ledger.NoLine, ledger.NoFile} {
		if got := l.Checked[i].Status; got != want {
			t.Errorf("%s: %s, want %s", l.Checked[i].Ref, got, want)
		}
	}
	list := l.Notes.Decisions()[0].Evidence
	if a, b := l.Evidence[BackingOf(&list[0])], l.Evidence[BackingOf(&list[1])]; a.Status != ledger.Holds || !a.Quoted || b.Status != ledger.NoQuote {
		t.Errorf("%+v, %+v", a, b)
	}
}
