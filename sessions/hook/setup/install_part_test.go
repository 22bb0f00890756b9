package setup

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions/backup"
)

func TestIgnoreThere(t *testing.T) {
	t.Parallel()
	_, patterns, _ := strings.Cut(ignoreText, "\n")
	for text, want := range map[string]bool{
		"mine\n" + patterns:                               true,
		strings.ReplaceAll(patterns, "\n", " \r\n"):       true,
		strings.TrimSuffix(patterns, "\n"):                true,
		ignoreTitle + "\nraw/\n":                          true,
		strings.Replace(patterns, ".lock\n", "", 1):       false,
		strings.Replace(patterns, "raw/", "# raw/", 1):    false,
		strings.Replace(patterns, "trash/", "!trash/", 1): false,
	} {
		p := newPlace(t)
		path := p.in(".claude/memory/.gitignore")
		p.write(path, text, 0o640)
		p.install()
		m := must(backup.OpenMemory(p.Project))
		if err := errors.Join(m.Guard(), m.Close()); err != nil {
			t.Fatal(err)
		}
		if same := p.read(path) == text; same != want {
			t.Errorf("%q: %q", text, p.read(path))
		}
	}
}

// TestUninstallHooks: after --hooks, a full uninstall is still possible.
func TestUninstallHooks(t *testing.T) {
	t.Parallel()
	for name, there := range map[string]bool{"settings that were there": true, "settings of continuo alone": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			settings := p.settingsPath(ScopeProject)
			if p.write(p.in(".claude/CLAUDE.md"), "# Rules\n", 0o644); there {
				p.write(settings, "{\"model\": \"opus\"}\n", 0o640)
			}
			before := p.tree()
			p.install()
			whole := p.tree()
			p.Hooks = true
			plan := p.uninstall()
			for path := range whole {
				_, err := os.Lstat(path)
				if hooks := inside(path, p.in(".claude/hooks")) || path == settings && !there; (err == nil) == hooks {
					t.Errorf("%s: %v", path, err)
				}
			}
			if there && p.read(settings) != "{\"model\": \"opus\"}\n" || len(plan.Stays) > 0 {
				t.Errorf("settings %s, stays %+v", p.read(settings), plan.Stays)
			}
			if plan := must(p.PlanUninstall(t.Context())); !plan.Empty() {
				t.Errorf("the second time: %+v", plan)
			}
			p.Hooks = false
			p.install()
			p.same(p.tree(), whole)
			p.Hooks = true
			p.uninstall()
			p.Hooks = false
			p.uninstall()
			p.same(p.tree(p.in(".claude/memory")), before)
			p.noNotes()
		})
	}
}

// TestHooksOfBoth: the user's settings get hooks while a project has hooks. The project stays.
func TestHooksOfBoth(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.install()
	other := p
	other.Scope, other.Project = ScopeUser, filepath.Join(p.Home, "code", "other")
	if err := os.MkdirAll(other.Project, 0o755); err != nil {
		t.Fatal(err)
	}
	plan := must(other.PlanInstall())
	if len(plan.Warnings) != 1 || plan.Warnings[0].Dir != p.Project || plan.Warnings[0].Run != "continuo uninstall --project --hooks" {
		t.Errorf("warnings: %+v", plan.Warnings)
	}
	p.Hooks = true
	p.uninstall()
	if plan := other.install(); len(plan.Warnings) > 0 {
		t.Errorf("warnings: %+v", plan.Warnings)
	}
	before := p.tree(p.ConfigDir)
	p.Scope = ScopeUser
	p.uninstall()
	p.same(p.tree(p.ConfigDir), before)
	if _, err := os.Lstat(p.settingsPath(ScopeUser)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("user settings: %v", err)
	}
}

// TestInstalledSince: Since is the time in the record. Without a record, it is the file's time.
func TestInstalledSince(t *testing.T) {
	t.Parallel()
	for _, scope := range []Scope{ScopeProject, ScopeUser} {
		p := newPlace(t)
		p.Scope = scope
		p.install()
		written := at().Add(-time.Hour)
		if err := os.Chtimes(p.settingsPath(scope), written, written); err != nil {
			t.Fatal(err)
		}
		for records, want := range map[string]time.Time{p.Records: at(), "": written, filepath.Join(p.Home, "none"): written} {
			p.Records = records
			if sites := p.Look().Sites; len(sites) != 1 || !sites[0].Since.Equal(want) {
				t.Errorf("%s, %q: %+v", scope, records, sites)
			}
		}
	}
}
