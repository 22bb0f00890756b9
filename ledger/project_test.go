package ledger

import (
	"errors"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		files    string // separated by spaces; a name that ends in / is a directory
		links    map[string]string
		text     string // text of the config
		dir      string
		env      Env // paths relative to the place
		want     Project
		problems []string
	}{
		{name: "nothing", dir: "a/b", want: Project{Root: "a/b", Grimoire: "a/b/grimoires/loa", Notes: "a/b/grimoires/loa/NOTES.md", Beads: "a/b/.beads", Trajectory: "a/b/grimoires/loa/a2a/trajectory"}},
		{name: "git", files: ".git/ a/b/", dir: "a/b", want: Project{Notes: "grimoires/loa/NOTES.md"}},
		{name: "worktree", files: ".git/ a/.git a/b/", dir: "a/b", want: Project{Root: "a", Notes: "a/grimoires/loa/NOTES.md"}},
		{name: "beads", files: ".git/ a/.beads/ a/b/", dir: "a/b", want: Project{Root: "a", Beads: "a/.beads"}},
		{name: "grimoire", files: ".git/ a/grimoires/loa/ a/b/", dir: "a/b", want: Project{Root: "a"}},
		{name: "old grimoire", files: ".git/ a/loa-grimoire/NOTES.md", dir: "a", want: Project{Root: "a", Notes: "a/loa-grimoire/NOTES.md"}},
		{name: "a folder that is gone", files: ".git/", dir: "a/b/c", want: Project{Notes: "grimoires/loa/NOTES.md"}},
		{name: "notes of the root", files: ".git/ NOTES.md", dir: ".", want: Project{Notes: "NOTES.md"}},
		{name: "notes everywhere", files: ".git/ NOTES.md loa-grimoire/NOTES.md grimoires/loa/NOTES.md", dir: ".", want: Project{Notes: "grimoires/loa/NOTES.md"}},
		{name: "configured notes that are not there", files: ".git/ NOTES.md", text: "memory: {notes_file: docs/N.md}", dir: ".", want: Project{Notes: "NOTES.md"}},
		{name: "configured notes", files: "docs/N.md grimoires/loa/NOTES.md", text: "memory: {notes_file: docs/N.md, trajectory_dir: ./t}", dir: ".", want: Project{Notes: "docs/N.md", Trajectory: "t"}},
		{name: "nowhere", text: "memory: {notes_file: docs/N.md}\npaths: {grimoire: docs/loa, beads: b}", dir: ".", want: Project{
			Notes: "docs/N.md", Grimoire: "docs/loa", Beads: "b", Trajectory: "docs/loa/a2a/trajectory",
		}},
		{name: "environment", text: "paths: {grimoire: x, beads: y}", dir: ".", env: Env{Grimoire: "g", Beads: "@b"}, want: Project{Grimoire: "g", Notes: "g/NOTES.md", Beads: "b"}},
		{name: "root of the environment", files: "a/.git/ a/b/", dir: "a/b", env: Env{ProjectRoot: "@."}, want: Project{Notes: "grimoires/loa/NOTES.md"}},
		{name: "root elsewhere", files: "a/.git/ c/", dir: "a/b", env: Env{ProjectRoot: "@c"}, want: Project{Root: "a"}, problems: []string{"PROJECT_ROOT is"}},
		{name: "root is gone", files: "a/.git/", dir: "a", env: Env{ProjectRoot: "@."}, want: Project{}},
		{name: "root is relative", files: "a/.git/", dir: "a", env: Env{ProjectRoot: "a"}, want: Project{Root: "a"}, problems: []string{"PROJECT_ROOT is a: not an absolute path"}},
		{name: "root is a file", files: "a/.git/ a/x", dir: "a/x", env: Env{ProjectRoot: "@a/x"}, want: Project{Root: "a"}, problems: []string{"PROJECT_ROOT is"}},
		{name: "home", files: ".git/ h/.git/ h/a/", dir: "h/a", env: Env{Home: "@h"}, want: Project{Root: "h/a"}},
		{name: "home itself", files: ".git/ h/.git/", dir: "h", env: Env{Home: "@h"}, want: Project{Root: "h"}},
		{name: "above home", files: ".git/ h/", dir: "h", env: Env{Home: "@h"}, want: Project{Root: "h"}},
		{name: "out by name", text: "paths:\n  grimoire: ../x\n  beads: /var/x\n\nmemory:\n  notes_file: a/../../N.md\n  trajectory_dir: .\n", dir: ".", want: Project{Notes: "grimoires/loa/NOTES.md", Grimoire: "grimoires/loa", Beads: ".beads"}, problems: []string{
			`.loa.config.yaml:2: paths.grimoire is "../x", which is outside`, `.loa.config.yaml:3: paths.beads is "/var/x", which`, `.loa.config.yaml:7: memory.trajectory_dir is "."`, ".loa.config.yaml:6: memory.notes_file",
		}},
		{name: "out by environment", dir: "a", files: "a/.git/", env: Env{Grimoire: "../x", Beads: "@b"}, want: Project{Root: "a", Grimoire: "a/grimoires/loa", Beads: "a/.beads"}, problems: []string{"LOA_GRIMOIRE_DIR is ../x: outside", "LOA_BEADS_DIR is"}},
		{name: "out by links", dir: "a", files: "a/.git/ o/loa/NOTES.md o/b/", links: map[string]string{"a/grimoires": "../o", "a/.beads": "../o/b", "a/x": "../o"}, text: "", want: Project{Root: "a", Grimoire: "a/grimoires/loa"}, problems: []string{
			"link @a/grimoires/loa: outside", "link @a/.beads: outside",
		}},
		{name: "out by a link of notes", dir: "a", files: "a/.git/ a/NOTES.md o.md", links: map[string]string{"a/grimoires/loa/NOTES.md": "../../../o.md"}, want: Project{Root: "a", Notes: "a/NOTES.md"}},
		{name: "of git and Claude Code", dir: ".", files: ".git/ .claude/", links: map[string]string{"g": ".git"}, text: "paths:\n  grimoire: .claude/loa\n  beads: g/x\nmemory:\n  notes_file: a/../.GIT/config.md\n", want: Project{
			Grimoire: "grimoires/loa", Beads: ".beads", Notes: "grimoires/loa/NOTES.md",
		}, problems: []string{
			`.loa.config.yaml:2: paths.grimoire is ".claude/loa", which is in .git or .claude`, `.loa.config.yaml:3: paths.beads is "g/x", which is in .git`, `.loa.config.yaml:5: memory.notes_file is "a/../.GIT/config.md", which is in .git`,
		}},
		{name: "of git by environment", dir: ".", files: ".git/", env: Env{Grimoire: ".git", Beads: ".claude/b"}, want: Project{Grimoire: "grimoires/loa", Beads: ".beads"}, problems: []string{"LOA_GRIMOIRE_DIR is .git: inside .git or .claude", "LOA_BEADS_DIR is .claude/b: inside .git"}},
		{name: "no Markdown", dir: ".", files: ".git/ src.go", text: "memory: {notes_file: src.go}", want: Project{Notes: "grimoires/loa/NOTES.md"}, problems: []string{`.loa.config.yaml:1: memory.notes_file is "src.go", which is not a Markdown file`}},
		{name: "Markdown", dir: ".", files: ".git/", text: "memory: {notes_file: Docs/N.Markdown}", want: Project{Notes: "Docs/N.Markdown"}},
		{name: "below .claude", dir: ".claude/w", files: ".claude/w/.git", text: "", want: Project{Root: ".claude/w", Notes: ".claude/w/grimoires/loa/NOTES.md"}},
		{name: "in by links", dir: ".", files: ".git/ real/NOTES.md", links: map[string]string{"grimoires/loa": "../real"}, want: Project{Notes: "grimoires/loa/NOTES.md"}},
		{name: "config out", dir: "a", files: "a/.git/ o.yaml", links: map[string]string{"a/.loa.config.yaml": "../o.yaml"}, want: Project{Root: "a"}, problems: []string{".loa.config.yaml: outside the project"}},
		{name: "config is a directory", dir: ".", files: ".loa.config.yaml/", want: Project{}, problems: []string{".loa.config.yaml: not a regular file"}},
		{name: "broken config", dir: ".", text: "paths: [\nmemory:\n  auto_restore: 1\n", want: Project{}, problems: []string{".loa.config.yaml:1: paths is not valid", ".loa.config.yaml:3: memory.auto_restore"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t)
			for name := range strings.FieldsSeq(tt.files) {
				if dir, ok := strings.CutSuffix(name, "/"); ok {
					p.mkdir(dir)
				} else {
					p.write(name, "")
				}
			}
			for name, target := range tt.links {
				p.link(target, name)
			}
			if tt.text != "" {
				p.write(".loa.config.yaml", tt.text)
			}
			for _, path := range []*string{&tt.env.ProjectRoot, &tt.env.Grimoire, &tt.env.Beads, &tt.env.Home} {
				if below, ok := strings.CutPrefix(*path, "@"); ok {
					*path = p.path(below)
				}
			}
			got, err := Find(p.path(tt.dir), tt.env)
			if err != nil {
				t.Fatal(err)
			}
			for _, part := range []struct{ name, got, want string }{
				{"root", got.Root, tt.want.Root},
				{"grimoire", got.Grimoire, tt.want.Grimoire},
				{"notes", got.Notes, tt.want.Notes},
				{"beads", got.Beads, tt.want.Beads},
				{"trajectory", got.Trajectory, tt.want.Trajectory},
			} {
				if (part.want != "" || part.name == "root") && part.got != p.path(part.want) {
					t.Errorf("%s %s, want %s", part.name, part.got, part.want)
				}
			}
			problems := got.Problems()
			if len(problems) != len(tt.problems) {
				t.Fatalf("%d problems: %v", len(problems), got.Problem)
			}
			for i, want := range tt.problems {
				if text := strings.ReplaceAll(problems[i].Error(), p.dir+"/", "@"); !strings.Contains(text, want) {
					t.Errorf("%q, want %q", text, want)
				}
				if ce, ok := errors.AsType[*ConfigError](problems[i]); strings.Contains(want, ConfigName) && (!ok || ce.Help == "") {
					t.Errorf("%T %+v", problems[i], ce)
				}
			}
		})
	}
}

func TestFindRelative(t *testing.T) {
	t.Parallel()
	if p, err := Find("a", Env{}); err == nil || p.Config.Attention.Red != 15000 {
		t.Errorf("%+v, %v", p, err)
	}
}

func TestHas(t *testing.T) {
	t.Parallel()
	for files, want := range map[string]bool{".git/": false, "NOTES.md": true, ".beads/issues.jsonl": true, "grimoires/loa/": false, "grimoires/loa/NOTES.md/x": false} {
		p := newPlace(t)
		if dir, ok := strings.CutSuffix(files, "/"); ok {
			p.mkdir(dir)
		} else {
			p.write(files, "x")
		}
		found, err := Find(p.dir, Env{Home: p.dir})
		if err != nil || found.Has() != want {
			t.Errorf("%s: %v, %v", files, found.Has(), err)
		}
	}
	p, out := newPlace(t), newPlace(t)
	out.write("NOTES.md", "x")
	p.link(out.path("NOTES.md"), "NOTES.md")
	if found, err := Find(p.dir, Env{Home: p.dir}); err != nil || found.Has() {
		t.Errorf("a link out is a ledger: %+v, %v", found, err)
	}
}
