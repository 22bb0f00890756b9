package setup

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestUninstallStaged: an uninstall keeps and reports a staged recovery. A purge deletes it.
func TestUninstallStaged(t *testing.T) {
	t.Parallel()
	for label, before := range map[string]string{"of now": ignoreText, "of before": ignoreBefore} {
		p := newPlace(t)
		p.install()
		staged, ignored := p.in(".claude/memory/.staged-recovery"), p.in(".claude/memory/.gitignore")
		p.write(staged, "x", 0o600)
		p.write(ignored, "mine\n"+before, 0o644)
		plan := p.uninstall()
		if p.read(staged) != "x" || !slices.ContainsFunc(plan.Stays, func(s Stay) bool { return s.Path == staged && strings.Contains(s.Why, "--unstage") }) {
			t.Errorf("%s: stays %+v", label, plan.Stays)
		}
		p.Purge = true
		plan = p.uninstall()
		if _, err := os.Lstat(staged); err == nil || !slices.Contains(plan.Lost, staged) || p.read(ignored) != "mine\n" {
			t.Errorf("%s: %v, lost %q, %q", label, err, plan.Lost, p.read(ignored))
		}
	}
}

// TestPurgeStaged: the staged recovery is deleted. Copies of conversations keep the .gitignore files.
func TestPurgeStaged(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.install()
	staged := p.in(".claude/memory/.staged-recovery")
	p.write(staged, "x", 0o600)
	p.write(p.in(".claude/memory/raw/"+"20261121_120000Z_clear.jsonl"), "x", 0o600)
	p.Purge = true
	p.uninstall()
	if _, err := os.Lstat(staged); err == nil || p.read(p.in(".claude/memory/.gitignore")) != ignoreText {
		t.Errorf("%v, %q", err, p.read(p.in(".claude/memory/.gitignore")))
	}
}
