package setup

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/sessions/act"
	"github.com/continuo-tui/continuo/sessions/backup"
)

const userHook = `{"hooks":{"SessionEnd":[{"hooks":[{"type":"command","command":"/usr/bin/continuo","args":["hook","session-end"],"timeout":30}]}]}}`

// TestSecondScope: the Refusal names the file with the hooks of the first scope.
func TestSecondScope(t *testing.T) {
	t.Parallel()
	project := `{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"\"$CLAUDE_PROJECT_DIR\"/.claude/hooks/on-session-start.sh","timeout":10}]}]}}`
	for name, tt := range map[string]struct {
		user, project, local string
		ask                  Scope
		refused              string // scopes that must be refused: "user", "project", "local"
		acts                 Scope
	}{
		"nothing":                     {acts: ScopeProject},
		"nothing, user":               {ask: ScopeUser, acts: ScopeUser},
		"user, no flag":               {user: userHook, acts: ScopeUser},
		"user, project":               {user: userHook, ask: ScopeProject, refused: "user"},
		"user, user":                  {user: userHook, ask: ScopeUser, acts: ScopeUser},
		"project, no flag":            {project: project, acts: ScopeProject},
		"project, user":               {project: project, ask: ScopeUser, refused: "project"},
		"project on this machine":     {local: project, ask: ScopeUser, refused: "local"},
		"plugin, no flag":             {user: `{"enabledPlugins":{"continuo@there":true,"other@there":true}}`, acts: ScopePlugin},
		"plugin, project":             {user: `{"enabledPlugins":{"continuo@there":true}}`, ask: ScopeProject, refused: "user"},
		"plugin, user":                {project: `{"enabledPlugins":{"continuo@there":true}}`, ask: ScopeUser, refused: "project"},
		"plugin of the project":       {project: `{"enabledPlugins":{"continuo@there":true}}`, acts: ScopePlugin},
		"plugin turned off here":      {user: `{"enabledPlugins":{"continuo@there":true}}`, local: `{"enabledPlugins":{"continuo@there":false}}`, acts: ScopeProject},
		"plugin of another name":      {user: `{"enabledPlugins":{"continuous@there":true,"continuo":false}}`, acts: ScopeProject},
		"hook of another program":     {user: strings.ReplaceAll(userHook, "/continuo", "/continuous"), acts: ScopeProject},
		"continuo without its hooks":  {user: strings.ReplaceAll(userHook, `"hook"`, `"status"`), acts: ScopeProject},
		"user, for a shell":           {user: `{"hooks":{"Stop":[{"hooks":[{"command":"\"/opt/my/continuo\" hook session-end"}]}]}}`, acts: ScopeUser},
		"broken user, no flag":        {user: `{"hooks":`, acts: ScopeProject},
		"script of another directory": {project: strings.ReplaceAll(project, `\"$CLAUDE_PROJECT_DIR\"`, "/elsewhere"), acts: ScopeProject},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.Scope = tt.ask
			paths := map[string]string{
				"user": p.settingsPath(ScopeUser), "project": p.settingsPath(ScopeProject), "local": p.in(".claude/settings.local.json"),
			}
			for which, text := range map[string]string{"user": tt.user, "project": tt.project, "local": tt.local} {
				if text != "" {
					p.write(paths[which], text, 0o600)
				}
			}
			if tt.refused != "" {
				if r := p.refused(); !r.Choice || r.Path != paths[tt.refused] || r.Run == "" {
					t.Errorf("refused: %+v", r)
				}
				return
			}
			plan, err := p.PlanInstall()
			if err != nil || plan.Scope != tt.acts {
				t.Fatalf("%s %v", plan.Scope, err)
			}
			changed := slices.ContainsFunc(plan.Changes, func(c Change) bool { return filepath.Base(c.Path) == "settings.json" })
			scripts := slices.ContainsFunc(plan.Changes, func(c Change) bool { return filepath.Base(c.Path) == "on-session-end.sh" })
			if wanted := tt.acts == ScopeProject || tt.ask != ""; changed != wanted || scripts != (tt.acts == ScopeProject) {
				t.Errorf("settings changed: %v, scripts created: %v", changed, scripts)
			}
			if strings.HasPrefix(name, "broken") && len(plan.Warnings) != 1 {
				t.Errorf("warnings: %+v", plan.Warnings)
			}
		})
	}
}

// TestNoProject: the home directory and config directories of Claude Code aren't projects.
func TestNoProject(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	link := filepath.Join(p.Home, "link")
	if err := os.Symlink(p.ConfigDir, link); err != nil {
		t.Fatal(err)
	}
	inner := filepath.Join(p.ConfigDir, "projects", "x")
	if err := os.MkdirAll(inner, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{p.Home, p.ConfigDir, inner, filepath.Join(link, "projects"), ""} {
		q := p
		q.Project = dir
		if r := q.refused(); r.Choice || r.Path != dir {
			t.Errorf("%q: %+v", dir, r)
		}
		q.Scope = ScopeUser
		plan, err := q.PlanInstall()
		if err != nil || len(plan.Changes) != 1 || plan.Changes[0].Path != q.settingsPath(ScopeUser) || plan.Project != "" || len(plan.Warnings) != 1 {
			t.Errorf("%q: %v %+v %+v", dir, err, plan.Changes, plan.Warnings)
		}
	}
}

// TestProjectRoot: the root is the nearest directory with a .git or a memory, or else the directory itself.
func TestProjectRoot(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	for _, dir := range []string{"repo/.git", "repo/sub/deep", "repo/part/.claude/memory", "repo/part/x", "plain/sub", ".git"} {
		if err := os.MkdirAll(filepath.Join(p.Home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for dir, want := range map[string]string{
		"repo": "repo", "repo/sub/deep": "repo", "repo/part/x": "repo/part", "plain/sub": "plain/sub", "plain": "plain", ".": ".",
	} {
		if got := ProjectRoot(filepath.Join(p.Home, dir), p.Home); got != filepath.Join(p.Home, want) {
			t.Errorf("%s: %s", dir, got)
		}
	}
}

// TestRefusals: an installation is refused if a file can't be written safely.
func TestRefusals(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		path, text string
		mode       fs.FileMode
		link       string // target of the link; "" if the file isn't a link
		pipe       bool
		what       string
	}{
		"settings: no JSON":          {path: "settings.json", text: "{\n  \"a\": 1,\n  oops\n}", what: "not JSON: line 3, column 3"},
		"settings: torn":             {path: "settings.json", text: `{"hooks":`, what: "not JSON: line 1"},
		"settings: a list":           {path: "settings.json", text: "[]", what: "line 1: must be an object, not a list"},
		"settings: hooks a list":     {path: "settings.json", text: "{\n\"hooks\": []}", what: `line 2: "hooks" must be an object, not a list`},
		"settings: hooks null":       {path: "settings.json", text: `{"hooks":null}`, what: `line 1: "hooks" must be an object, not null`},
		"settings: event a text":     {path: "settings.json", text: `{"hooks":{"PreCompact":"x"}}`, what: `line 1: "PreCompact" must be a list, not a string`},
		"settings: event null":       {path: "settings.json", text: `{"hooks":{"SessionEnd":null}}`, what: `line 1: "SessionEnd" must be a list, not null`},
		"settings: large":            {path: "settings.json", text: `{"a":"` + strings.Repeat("x", maxSettings) + `"}`, what: "too large"},
		"settings: deep":             {path: "settings.json", text: strings.Repeat("[", 100_000), what: "too many brackets"},
		"settings: binary":           {path: "settings.json", text: "\x00\x01\xff", what: "not JSON: line 1"},
		"settings: read-only":        {path: "settings.json", text: "{}", mode: 0o444, what: "read-only"},
		"settings: a directory":      {path: "settings.json/x", text: "{}", what: "not a regular file"},
		"settings: link out":         {path: "settings.json", link: "../../../outside/settings.json", what: "a link that points outside the project"},
		"settings: link to nothing":  {path: "settings.json", link: "nowhere.json", what: "a broken link"},
		"settings: link to itself":   {path: "settings.json", link: "settings.json", what: "too many links"},
		"rules: read-only":           {path: "CLAUDE.md", text: "x", mode: 0o400, what: "read-only"},
		"rules: binary":              {path: "CLAUDE.md", text: "a\x00b", what: "not a text file"},
		"rules: begun twice":         {path: "CLAUDE.md", text: blockBegin + "\n" + blockBegin + "\n" + blockEnd + "\n", what: "line 2: the begin and end lines"},
		"rules: never ended":         {path: "CLAUDE.md", text: "x\n" + blockBegin + "\nx\n", what: "line 3: the begin and end lines"},
		"rules: ended only":          {path: "CLAUDE.md", text: "x\n" + blockEnd + "\n", what: "line 2: the begin and end lines"},
		"rules: two of them":         {path: "CLAUDE.md", text: strings.Repeat(blockBegin+"\n"+blockEnd+"\n", 2), what: "line 3: the begin and end lines"},
		"rules: large":               {path: "CLAUDE.md", text: strings.Repeat("x", maxFile+1), what: "too large"},
		"rules: link out":            {path: "CLAUDE.md", link: "../../../outside/settings.json", what: "a link that points outside the project"},
		"commands: link out":         {path: "commands", link: "../../../outside", what: "a link that points outside the project"},
		"memory: link out":           {path: "memory", link: "../../../outside", what: "a link that points outside the project"},
		"memory: raw a link out":     {path: "memory/raw", link: "../../../../outside", what: "a link that points outside the project"},
		"memory: a file":             {path: "memory", text: "x", what: "not a directory"},
		"script: a link to nothing":  {path: "hooks/on-session-end.sh", link: "/nowhere/at/all", what: "a broken link"},
		"settings: a link to a pipe": {path: "settings.json", pipe: true, what: "not a regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			p.write(filepath.Join(p.Home, "outside", "settings.json"), "{}", 0o600)
			path := p.in(".claude/" + tt.path)
			switch {
			case tt.pipe:
				makePipe(t, path)
			case tt.link != "":
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.Symlink(tt.link, path); err != nil {
					t.Fatal(err)
				}
			default:
				p.write(path, tt.text, max(tt.mode, 0o400))
			}
			r := p.refused()
			if !strings.HasPrefix(r.Path, p.in(".claude/"+strings.Split(tt.path, "/")[0])) || !strings.Contains(r.What, tt.what) || r.Do == "" || r.Choice {
				t.Errorf("refused: %+v", r)
			}
		})
	}
}

// TestSettingsThroughLinks: the target of a link is changed, and the link stays.
func TestSettingsThroughLinks(t *testing.T) {
	t.Parallel()
	for _, scope := range []Scope{ScopeProject, ScopeUser} {
		p := newPlace(t)
		p.Scope = scope
		real := filepath.Join(p.Home, "dotfiles", "claude.json")
		if scope == ScopeProject {
			real = p.in("shared/claude.json")
		}
		p.write(real, "{\n}\n", 0o640)
		path := p.settingsPath(scope)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.MkdirAll(p.in(".claude"), 0o755), os.Symlink(real, path)); err != nil {
			t.Fatal(err)
		}
		before := p.tree()
		plan := p.install()
		last := plan.Changes[len(plan.Changes)-1]
		if last.Path != path || last.Real != real || !strings.Contains(p.read(real), "SessionStart") {
			t.Errorf("%s: %s in %s: %s", scope, last.Path, last.Real, p.read(real))
		}
		p.uninstall()
		p.same(p.tree(p.in(".claude/memory")), before)
	}
}

// TestApplyChanged: a file was edited after the plan.
func TestApplyChanged(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	path := p.settingsPath(ScopeProject)
	p.write(path, "{}", 0o600)
	plan := must(p.PlanInstall())
	p.write(path, `{"model":"opus"}`, 0o600)
	before := p.tree()
	if _, err := p.apply(p.store(), &plan); !errors.Is(err, change.ErrChanged) || !strings.Contains(err.Error(), path) {
		t.Errorf("applied: %v", err)
	}
	p.same(p.tree(), before)
	p.noNotes()
}

func TestApplyFails(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(p.settingsPath(ScopeProject), "{}", 0o640)
	p.write(p.in(".claude/CLAUDE.md"), "# Rules\n", 0o604)
	before := p.tree()
	failing := func(nth int) (s *act.Store, path *string) {
		s, path = p.store(), new(string)
		s.Step = func(step, name string) error {
			if step == "rename" || step == "remove" {
				if nth--; nth == -1 {
					*path = name
					return errors.New("full")
				}
			}
			return nil
		}
		return s, path
	}
	for i := 0; ; i += 3 {
		plan := must(p.PlanInstall())
		s, path := failing(i)
		_, err := p.apply(s, &plan)
		if _, half := errors.AsType[*act.HalfError](err); *path == "" {
			break
		} else if err == nil || half || !strings.Contains(err.Error(), *path) {
			t.Fatalf("step %d: %v", i, err)
		}
		p.same(p.tree(), before)
		p.noNotes()
	}
	before = p.tree()
	note := p.read(p.notePath(ScopeProject, p.Project))
	for i := 0; ; i += 3 {
		plan := must(p.PlanUninstall(t.Context()))
		s, path := failing(i)
		_, err := p.apply(s, &plan)
		if err == nil { // this step removes a directory, so its error is ignored
			return
		}
		if _, half := errors.AsType[*act.HalfError](err); half || !strings.Contains(err.Error(), *path) {
			t.Fatalf("step %d: %v", i, err)
		}
		p.same(p.tree(), before)
		if p.read(p.notePath(ScopeProject, p.Project)) != note {
			t.Fatal("the record was changed")
		}
	}
}

// TestUninstallHalf: a crash left a record and some of the files.
func TestUninstallHalf(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(p.settingsPath(ScopeProject), "{}", 0o640)
	before := p.tree()
	plan := must(p.PlanInstall())
	half := plan.Change(at())
	half.Ops = half.Ops[:len(half.Ops)/2]
	if _, err := p.store().Do(t.Context(), &half, func(context.Context) (change.Change, error) { return half, nil }); err != nil {
		t.Fatal(err)
	}
	p.uninstall()
	p.same(p.tree(p.in(".claude/memory")), before)
	p.noNotes()
}

// TestIgnoreText: the plan and backup.Memory.Guard write the same .gitignore files.
func TestIgnoreText(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	if err := os.MkdirAll(p.in(".claude/memory"), 0o700); err != nil {
		t.Fatal(err)
	}
	m := must(backup.OpenMemory(p.Project))
	defer m.Close()
	if err := m.Guard(); err != nil {
		t.Fatal(err)
	}
	for _, f := range projectFiles("") {
		if filepath.Base(f.name) != ".gitignore" {
			continue
		}
		path := p.in(".claude/" + f.name)
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != f.mode || p.read(path) != string(f.text) {
			t.Errorf("%s: %v %v %q", f.name, err, info.Mode(), p.read(path))
		}
	}
}

// TestInstallTogether: of several installations at once, one writes. The result is complete.
func TestInstallTogether(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.write(p.settingsPath(ScopeProject), "{}", 0o640)
	before := p.tree()
	plans := make([]Plan, 4)
	for i := range plans {
		plans[i] = must(p.PlanInstall())
	}
	errs := make(chan error)
	for i := range plans {
		go func() {
			_, err := p.apply(p.store(), &plans[i])
			errs <- err
		}()
	}
	done := 0
	for range plans {
		err := <-errs
		if err == nil {
			done++
		} else if !errors.Is(err, change.ErrChanged) {
			t.Error(err)
		}
	}
	if done != 1 {
		t.Errorf("%d installations wrote files", done)
	}
	if again := must(p.PlanInstall()); !again.Empty() {
		t.Errorf("something is missing: %+v", again.Changes)
	}
	p.uninstall()
	p.same(p.tree(p.in(".claude/memory")), before)
}

func TestIgnoreAppended(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"*.bak", "*.bak\n", ""} {
		p := newPlace(t)
		path := p.in(".claude/memory/.gitignore")
		p.write(path, text, 0o640)
		p.install()
		if got, want := p.read(path), strings.TrimPrefix(strings.TrimSuffix(text, "\n")+"\n", "\n")+ignoreText; got != want {
			t.Errorf("%q: %q", text, got)
		}
		if again := p.install(); !again.Empty() {
			t.Errorf("%q, the second time: %+v", text, again.Changes)
		}
	}
}

// TestPurge: backups, documents, valid markers and the trash stay.
func TestPurge(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	p.Purge = true
	p.install()
	memory := p.in(".claude/memory")
	kept := map[string]string{
		"raw/20261121_110213Z_exit.jsonl": "{}\n", "session-2026-11-21-1102Z.md": "# Session", "raw/.sums": "x",
		".pending-backup": filepath.Join(memory, "raw", "20261121_110213Z_exit.jsonl"), "project-memory.md": "# Mine",
		"trash/20261120_110213Z-discard/deed.json": "{}",
	}
	for name, text := range kept {
		p.write(filepath.Join(memory, name), text+"\n", 0o600)
	}
	context := filepath.Join(memory, "active-context.md")
	p.write(context, p.read(context)+"\n## Session Exit\n- Last exit: 2026-11-21T11:02:13Z (reason: clear)\n- Transcript backup: x\n", 0o600)
	for name, text := range map[string]string{
		".pending-backup-exit": filepath.Join(memory, "raw", "gone.jsonl"), ".pending-backup-compact": "", ".backup-log": "x",
	} {
		p.write(filepath.Join(memory, name), text, 0o600)
	}
	plan := p.uninstall()
	if k := plan.Kept; k.Backups != 1 || k.Documents != 2 || k.Pending != 1 || k.Path != memory {
		t.Errorf("kept: %+v", k)
	}
	if log := filepath.Join(memory, ".backup-log"); !slices.Contains(plan.Lost, log) || !slices.Contains(plan.Lost, context) ||
		!slices.Contains(plan.Lost, filepath.Join(memory, ".pending-backup-exit")) || len(plan.Lost) != 3 {
		t.Errorf("lost: %q", plan.Lost)
	}
	var stays []string
	for _, s := range plan.Stays {
		name, _ := strings.CutPrefix(s.Path, memory+"/")
		stays = append(stays, name)
	}
	if got, want := strings.Join(stays, " "), ".gitignore raw/.gitignore trash/.gitignore raw/.sums trash"; got != want {
		t.Errorf("stays: %s", got)
	}
	kept[".gitignore"], kept["raw/.gitignore"], kept["trash/.gitignore"], kept[".lock"] = ignoreText, "*\n", "*\n", "\n"
	for path := range p.tree() {
		name, ok := strings.CutPrefix(path, memory+"/")
		if info, err := os.Stat(path); err == nil && ok && !info.IsDir() && kept[name] == "" {
			t.Errorf("%s is left", name)
		}
	}
	for name, text := range kept {
		if got := p.read(filepath.Join(memory, name)); strings.TrimSpace(got) != strings.TrimSpace(text) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestPurgeKeepsContext: the user's text below a heading of the hooks stays.
func TestPurgeKeepsContext(t *testing.T) {
	t.Parallel()
	template := string(textFile("memory/active-context.md"))
	for text, want := range map[string]bool{
		template: true,
		template + "\n## Compaction\n- Last compaction: x\n- Transcript backup: y\n": true,
		template + "\n## Compaction\n- Last compaction: x\nAnd I was here.\n":        false,
		template + "\n## Session Exit\n\n## Mine\n":                                  false,
		strings.Replace(template, "Nothing yet.", "The crane.", 1):                   false,
	} {
		if got := sameText(withoutHookLines([]byte(text)), []byte(template)); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}

func TestBrokenNote(t *testing.T) {
	t.Parallel()
	p := newPlace(t)
	path := p.notePath(ScopeProject, p.Project)
	for _, text := range []string{"", "{", `{"version":2}`, `{"version":1,"scope":"project","path":"/other"}`} {
		p.write(path, text, 0o600)
		if r := p.refused(); r.Path != path {
			t.Errorf("%q: %+v", text, r)
		}
	}
}
