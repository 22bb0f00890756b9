package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions/act"
)

func at() time.Time { return time.Date(2026, 11, 21, 11, 2, 13, 0, time.UTC) }

// place is a home directory with a project.
type place struct {
	t *testing.T
	Options
}

func newPlace(t *testing.T) place {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	p := placeIn(t, home)
	for _, dir := range []string{p.Project, p.ConfigDir} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

func placeIn(t *testing.T, home string) place {
	return place{t, Options{
		Project: filepath.Join(home, "code", "a project"), ConfigDir: filepath.Join(home, ".claude"), Home: home,
		Records: filepath.Join(home, "state", "installed"), Program: "/opt/my tools/continuo", OnPath: true,
	}}
}

func (p place) in(name string) string { return filepath.Join(p.Project, filepath.FromSlash(name)) }

func (p place) write(path, text string, mode fs.FileMode) {
	p.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		p.t.Fatal(err)
	}
	if err := os.Chmod(path, mode); err != nil {
		p.t.Fatal(err)
	}
}

func (p place) read(path string) string {
	p.t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		p.t.Fatal(err)
	}
	return string(text)
}

// tree returns mode and contents of all files of the home directory, except the records.
func (p place) tree(leaveOut ...string) map[string]string {
	p.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(p.Home, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == filepath.Join(p.Home, "state") || slices.Contains(leaveOut, path) {
			return fs.SkipDir
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		text := ""
		switch {
		case info.Mode().IsRegular():
			text = p.read(path)
		case info.Mode().Type() == fs.ModeSymlink:
			if text, err = os.Readlink(path); err != nil {
				return err
			}
		}
		all[path] = fmt.Sprint(info.Mode(), " ", text)
		return nil
	})
	if err != nil {
		p.t.Fatal(err)
	}
	return all
}

func (p place) same(got, want map[string]string) {
	p.t.Helper()
	keys := map[string]bool{}
	for k := range got {
		keys[k] = true
	}
	for k := range want {
		keys[k] = true
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		if got[k] != want[k] {
			p.t.Errorf("%s:\n%q\nwant\n%q", k, got[k], want[k])
		}
	}
}

func (p place) noNotes() {
	p.t.Helper()
	if left, err := filepath.Glob(filepath.Join(p.Records, "*.json")); err != nil || len(left) > 0 {
		p.t.Errorf("records are left: %q %v", left, err)
	}
}

func (p place) store() *act.Store {
	return &act.Store{Journal: filepath.Join(filepath.Dir(p.Records), "journal"), Now: at}
}

func (p place) apply(s *act.Store, plan *Plan) (act.Done, error) {
	shown := plan.Change(at())
	plan.Sweep()
	done, err := s.Do(p.t.Context(), &shown, plan.Again(at(), func(ctx context.Context) (Plan, error) {
		if plan.removes {
			return p.PlanUninstall(ctx)
		}
		return p.PlanInstall()
	}))
	if err == nil {
		err = plan.Guard(p.t.Context())
	}
	return done, err
}

func (p place) install() Plan {
	p.t.Helper()
	plan := must(p.PlanInstall())
	if _, err := p.apply(p.store(), &plan); err != nil {
		p.t.Fatal(err)
	}
	return plan
}

func (p place) uninstall() Plan {
	p.t.Helper()
	plan := must(p.PlanUninstall(p.t.Context()))
	if _, err := p.apply(p.store(), &plan); err != nil {
		p.t.Fatal(err)
	}
	return plan
}

func (p place) writeNote(n *record) {
	p.t.Helper()
	o := n.keep(at())[0]
	p.write(o.Path(), string(o.Text), 0o600)
}

func (p place) notInMemory(stays []Stay) []Stay {
	return slices.DeleteFunc(slices.Clone(stays), func(s Stay) bool { return inside(s.Path, p.in(".claude/memory")) })
}

// refused returns the Refusal of an installation.
func (p place) refused() *Refusal {
	p.t.Helper()
	before := p.tree()
	_, err := p.PlanInstall()
	r, ok := errors.AsType[*Refusal](err)
	if !ok {
		p.t.Fatalf("not refused: %v", err)
	}
	p.same(p.tree(), before)
	return r
}

// TestInstallAndUninstall installs with all forms of settings.json. An uninstall keeps the memory unless Purge is
// set.
func TestInstallAndUninstall(t *testing.T) {
	t.Parallel()
	files := settingsFiles()
	for _, name := range []string{"empty object", "four blanks", "tabs", "CR LF", "byte order mark", "minified", "hooks of others, open", "all of it"} {
		text := files[name]
		for _, scope := range []Scope{ScopeProject, ScopeUser} {
			t.Run(name+", "+string(scope), func(t *testing.T) {
				t.Parallel()
				p := newPlace(t)
				p.Scope = scope
				p.write(p.settingsPath(scope), text, 0o640)
				p.write(p.in(".claude/CLAUDE.md"), "# Rules\n\nBe brief."+text, 0o604)
				p.write(p.in(".claude/commands/own.md"), "mine", 0o644)
				before := p.tree()
				plan := p.install()
				if plan.Scope != scope || plan.Acts != p.settingsPath(scope) {
					t.Errorf("%s acts in %s", plan.Scope, plan.Acts)
				}
				for _, name := range []string{"commands/resume-latest.md", "scripts/discard-backup.sh", "memory/active-context.md"} {
					if text := p.read(p.in(".claude/" + name)); text != string(textFile(name)) {
						t.Errorf("%s: %q", name, text)
					}
				}
				if again := p.install(); !again.Empty() {
					t.Errorf("the second time: %+v", again.Changes)
				}
				memory := p.in(".claude/memory")
				p.uninstall()
				p.same(p.tree(memory), before)
				if text := p.read(filepath.Join(memory, "active-context.md")); text != string(textFile("memory/active-context.md")) {
					t.Errorf("active context: %q", text)
				}
				p.noNotes()
				p.Purge = true
				p.uninstall()
				p.same(p.tree(), before)
			})
		}
	}
}

// TestInstallFromNothing: an empty project gets the file structure of the spec.
func TestInstallFromNothing(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	before := p.tree()
	p.install()
	want := map[string]fs.FileMode{
		".claude":                                  fs.ModeDir | 0o755,
		".claude/CLAUDE.md":                        0o644,
		".claude/settings.json":                    0o644,
		".claude/commands":                         fs.ModeDir | 0o755,
		".claude/commands/document-and-save.md":    0o644,
		".claude/commands/document-and-save-to.md": 0o644,
		".claude/commands/resume-latest.md":        0o644,
		".claude/commands/resume-from.md":          0o644,
		".claude/commands/sessions-list.md":        0o644,
		".claude/commands/discard-backup.md":       0o644,
		".claude/hooks":                            fs.ModeDir | 0o755,
		".claude/hooks/on-session-start.sh":        0o755,
		".claude/hooks/on-session-end.sh":          0o755,
		".claude/hooks/on-pre-compact.sh":          0o755,
		".claude/scripts":                          fs.ModeDir | 0o755,
		".claude/scripts/discard-backup.sh":        0o755,
		".claude/memory":                           fs.ModeDir | 0o700,
		".claude/memory/.gitignore":                0o644,
		".claude/memory/active-context.md":         0o600,
		".claude/memory/project-memory.md":         0o600,
		".claude/memory/raw":                       fs.ModeDir | 0o700,
		".claude/memory/raw/.gitignore":            0o600,
		".claude/memory/trash":                     fs.ModeDir | 0o700,
		".claude/memory/trash/.gitignore":          0o600,
	}
	probe := filepath.Join(p.Home, "state", "probe")
	if err := os.WriteFile(probe, nil, 0o777); err != nil {
		t.Fatal(err)
	}
	mask := 0o777 &^ must(os.Stat(probe)).Mode().Perm() // umask of this process
	got := map[string]fs.FileMode{}
	for path := range p.tree() {
		if name, ok := strings.CutPrefix(path, p.Project+"/"); ok {
			info, err := os.Lstat(path)
			if err != nil {
				t.Fatal(err)
			}
			got[name] = info.Mode()
		}
	}
	for name := range want {
		want[name] &^= mask
	}
	if !maps.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if text, want := p.read(p.in(".claude/CLAUDE.md")), string(blockText(false)); text != want {
		t.Errorf("CLAUDE.md: %q", text)
	}
	info, err := os.Stat(p.Records)
	if err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("notes: %v %v", info.Mode(), err)
	}
	if info, err := os.Stat(p.notePath(ScopeProject, p.Project)); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("note: %v %v", info.Mode(), err)
	}
	p.Purge = true
	p.uninstall()
	p.same(p.tree(), before)
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestUninstallWithoutNote: a clone has the files but no record. Edited files stay and are reported.
func TestUninstallWithoutNote(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(p.in(".claude/settings.json"), "{\n  \"model\": \"opus\"\n}\n", 0o644)
	p.write(p.in(".claude/CLAUDE.md"), "# Rules\n", 0o644)
	before := p.tree()
	p.install()
	if err := os.RemoveAll(p.Records); err != nil {
		t.Fatal(err)
	}
	if again := p.install(); !again.Empty() {
		t.Errorf("changes planned in a clone: %+v", again.Changes)
	}
	command := p.in(".claude/commands/resume-from.md")
	p.write(command, strings.ReplaceAll(p.read(command), "\n", "\r\n"), 0o644) // as after a checkout with CRLF
	edited := p.in(".claude/hooks/on-session-end.sh")
	p.write(edited, "#!/bin/sh\necho my own\nexec continuo hook session-end\n", 0o755)
	plan := p.uninstall()
	if stays := p.notInMemory(plan.Stays); len(stays) != 1 || stays[0].Path != edited {
		t.Errorf("stays: %+v", plan.Stays)
	}
	if err := os.RemoveAll(filepath.Dir(edited)); err != nil {
		t.Fatal(err)
	}
	p.same(p.tree(p.in(".claude/memory")), before)
}

// TestUninstallTouched: files were edited. Only continuo's parts are removed.
func TestUninstallTouched(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(p.in(".claude/settings.json"), `{"model":"opus"}`, 0o644)
	p.install()
	settings, rules := p.in(".claude/settings.json"), p.in(".claude/CLAUDE.md")
	p.write(settings, strings.Replace(p.read(settings), `"opus"`, `"haiku"`, 1), 0o644)
	p.write(rules, "# Mine\n\n"+p.read(rules)+"\nMore of mine.\n", 0o644)
	command := p.in(".claude/commands/sessions-list.md")
	p.write(command, "my own list", 0o644)
	plan := p.uninstall()
	if got := p.read(settings); got != `{"model":"haiku"}` {
		t.Errorf("settings: %s", got)
	}
	if got := p.read(rules); got != "# Mine\n\nMore of mine.\n" {
		t.Errorf("rules: %q", got)
	}
	if stays := p.notInMemory(plan.Stays); len(stays) != 1 || stays[0].Path != command || p.read(command) != "my own list" {
		t.Errorf("stays: %+v", plan.Stays)
	}
	if _, err := os.Stat(p.in(".claude/hooks")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("hooks: %v", err)
	}
	if plan := must(p.PlanUninstall(t.Context())); !plan.Empty() {
		t.Errorf("the second time: %+v", plan.Changes)
	}
}

// TestForeignFiles: other hooks use the files of the spec. Only --replace replaces them.
func TestForeignFiles(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	shim, command := p.in(".claude/hooks/on-session-start.sh"), p.in(".claude/commands/resume-latest.md")
	p.write(shim, "#!/bin/bash\necho hello\n", 0o700)
	p.write(command, "another one", 0o600)
	p.write(p.in(".claude/settings.json"),
		`{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"bash .claude/hooks/on-session-start.sh"}]}]}}`, 0o644)
	before := p.tree()
	r := p.refused()
	if !r.Choice || !slices.Equal(r.Facts, []string{command, shim}) {
		t.Errorf("refused: %+v", r)
	}
	p.Replace = true
	p.install()
	s := must(parseSettings([]byte(p.read(p.in(".claude/settings.json")))))
	if found, _ := s.entries(p.shims(nil)); len(found) != 3 {
		t.Errorf("the replaced hook still runs: %+v", found)
	}
	if p.read(shim) != string(textFile("hooks/on-session-start.sh")) {
		t.Errorf("shim: %s", p.read(shim))
	}
	if again := p.install(); !again.Empty() {
		t.Errorf("the second time: %+v", again.Changes)
	}
	p.uninstall()
	p.same(p.tree(p.in(".claude/memory")), before)
}

func TestInstallUpdates(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(p.in(".claude/CLAUDE.md"), "# Rules\n", 0o644)
	p.write(p.in(".claude/settings.json"), "{}", 0o644)
	before := p.tree()
	p.install()
	n := must(p.readNote(ScopeProject, p.Project))
	older := func(path, from, to string) {
		text := strings.Replace(p.read(path), from, to, 1)
		f := n.of(path)
		f.Sum = sum([]byte(text))
		if f.Part != "" {
			found := must(findBlock([]byte(text)))
			f.Part = sum([]byte(text[found.from:found.to]))
		}
		p.write(path, text, 0o644)
	}
	older(p.in(".claude/commands/resume-latest.md"), "Take up", "Take over")
	older(p.in(".claude/CLAUDE.md"), "Rely on them", "Trust them")
	older(p.in(".claude/settings.json"), `"timeout": 10`, `"once": true`)
	p.writeNote(n)
	plan := p.install()
	if len(plan.Changes) != 3 {
		t.Errorf("changes: %+v", plan.Changes)
	}
	p.uninstall()
	p.same(p.tree(p.in(".claude/memory")), before)
}

func TestBlockEdited(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.install()
	rules := p.in(".claude/CLAUDE.md")
	p.write(rules, strings.Replace(p.read(rules), "Rely on them", "Trust them", 1), 0o644)
	if r := p.refused(); !r.Choice || len(r.Facts) != 1 || !strings.HasPrefix(r.Facts[0], rules) {
		t.Errorf("refused: %+v", r)
	}
	p.Replace = true
	p.install()
	if p.read(rules) != string(blockText(false)) {
		t.Errorf("rules: %s", p.read(rules))
	}
	p.uninstall()
	if text, err := os.ReadFile(rules); err == nil && len(bytes.TrimSpace(text)) > 0 {
		t.Errorf("rules: %q", text)
	}
}
