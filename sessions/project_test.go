package sessions

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/fstest"
	"testing/synctest"
	"time"
)

// fakeFiles is a file system in memory that records its calls. Calls below stuck hang until release is closed.
// Calls for paths in fail return an error.
type fakeFiles struct {
	tree    fstest.MapFS
	stuck   []string
	release chan struct{}
	fail    map[string]error

	mu    sync.Mutex
	asked []string
}

func (f *fakeFiles) ask(name string) (string, error) {
	f.mu.Lock()
	f.asked = append(f.asked, name)
	f.mu.Unlock()
	for _, s := range f.stuck {
		if strings.HasPrefix(name, s+"/") || name == s {
			<-f.release
		}
	}
	return key(name), f.fail[name]
}

// key returns the key of a path in the tree: no first slash, and forward slashes.
func key(name string) string {
	if name == "/" {
		return "."
	}
	return strings.TrimPrefix(slashed(name), "/")
}

func (f *fakeFiles) Stat(name string) (fs.FileInfo, error) {
	k, err := f.ask(name)
	if err != nil {
		return nil, err
	}
	return f.tree.Stat(k)
}

func (f *fakeFiles) ReadFile(name string) ([]byte, error) {
	k, err := f.ask(name)
	if err != nil {
		return nil, err
	}
	return f.tree.ReadFile(k)
}

func (f *fakeFiles) ReadDir(name string) ([]fs.DirEntry, error) {
	k, err := f.ask(name)
	if err != nil {
		return nil, err
	}
	return f.tree.ReadDir(k)
}

// tree creates a file system. "a/b/" is a directory, and "a/b: text" is a file.
func tree(paths ...string) fstest.MapFS {
	t := fstest.MapFS{}
	for _, p := range paths {
		name, text, file := strings.Cut(p, ": ")
		if file {
			t[key(name)] = &fstest.MapFile{Data: []byte(text + "\n")}
		} else {
			t[key(strings.TrimSuffix(name, "/"))] = &fstest.MapFile{Mode: fs.ModeDir}
		}
	}
	return t
}

func TestGroup(t *testing.T) {
	t.Parallel()
	in := func(project string) Place { return Place{Project: project} }
	tree1 := func(project string) Place { return Place{Project: project, Worktree: true} }
	gone := func(project string) Place { return Place{Project: project, Gone: true} }
	goneTree := func(project string) Place { return Place{Project: project, Gone: true, Worktree: true} }
	tests := []struct {
		name string
		disk fstest.MapFS
		want map[string]Place
	}{
		{"repository and its directories", tree("/home/u/app/.git/", "/home/u/app/cmd/x/", "/home/u/notes/a/"), map[string]Place{
			"/home/u/app": in("/home/u/app"), "/home/u/app/": in("/home/u/app"), "/home/u/app/cmd": in("/home/u/app"),
			"/home/u/app/cmd/x": in("/home/u/app"), "/home/u/notes": in("/home/u/notes"), "/home/u/notes/a": in("/home/u/notes/a"),
		}},
		{"repository in a repository", tree("/r/.git/", "/r/vendor/x/.git/", "/r/vendor/x/sub/"), map[string]Place{
			"/r/vendor": in("/r"), "/r/vendor/x/sub": in("/r/vendor/x"),
		}},
		{"no absolute path", nil, map[string]Place{"": {}, "app": gone("app"), "~/app": gone("~/app")}},
		{"root", tree("/.git/", "/app/"), map[string]Place{"/": in("/"), "/app": in("/app")}},
		{"home with a repository of its own", tree("/home/u/.git/", "/home/u/notes/", "/home/.git/"), map[string]Place{
			"/home/u": in("/home/u"), "/home/u/notes": in("/home/u"), "/home/u/old": gone("/home/u/old"), "/home": in("/home"),
		}},
		{"gone, in a temporary directory", tree("/tmp/"), map[string]Place{"/tmp": in("/tmp"), "/tmp/x": gone("/tmp/x")}},
		{"nothing above home is asked", tree("/home/.git/", "/home/u/notes/"), map[string]Place{"/home/u/notes": in("/home/u/notes")}},
		{
			"worktrees, absolute and relative",
			tree("/r/.git/worktrees/a/commondir: ../..", "/r/.git/worktrees/b/commondir: ../..", "/r/.git/worktrees/c/commondir: /r/.git",
				"/wt/a/.git: gitdir: /r/.git/worktrees/a", "/wt/a/sub/", "/wt/b/.git: gitdir: ../../r/.git/worktrees/b",
				"/wt/c/.git: gitdir: /r/.git/worktrees/c"),
			map[string]Place{"/wt/a": tree1("/r"), "/wt/a/sub": tree1("/r"), "/wt/b": tree1("/r"), "/wt/c": tree1("/r"), "/r": in("/r"), "/wt": in("/wt")},
		},
		{"worktree whose repository is gone", tree("/wt/a/.git: gitdir: /r/.git/worktrees/a"), map[string]Place{"/wt/a": tree1("/r"), "/r": gone("/r")}},
		{
			"submodule and its worktree",
			tree("/r/.git/modules/lib/x/worktrees/w/commondir: ../..", "/r/lib/x/.git: gitdir: ../../.git/modules/lib/x",
				"/wt/x/.git: gitdir: /r/.git/modules/lib/x/worktrees/w", "/r/lib/x/src/"),
			map[string]Place{"/r": in("/r"), "/r/lib/x/src": in("/r/lib/x"), "/wt/x": tree1("/r/lib/x")},
		},
		{"worktree of a submodule that no session names", tree("/wt/x/.git: gitdir: /r/.git/modules/a/modules/b/worktrees/w"), map[string]Place{"/wt/x": tree1("/r/a/b")}},
		{"submodule named worktrees", tree("/r/.git/modules/worktrees/x/HEAD: ref", "/r/x/.git: gitdir: ../.git/modules/worktrees/x"), map[string]Place{"/r/x": in("/r/x")}},
		{
			"bare repository beside its worktrees",
			tree("/srv/app.git/worktrees/a/commondir: ../..", "/wt/a/.git: gitdir: /srv/app.git/worktrees/a"),
			map[string]Place{"/wt/a": tree1("/srv/app.git"), "/srv/app.git": in("/srv/app.git")},
		},
		{
			"bare repository hidden among its worktrees",
			tree("/p/.bare/worktrees/main/commondir: ../..", "/p/main/.git: gitdir: /p/.bare/worktrees/main"),
			map[string]Place{"/p/main": tree1("/p"), "/p": in("/p")},
		},
		{
			"the same with a .git that points to it",
			tree("/p/repo/worktrees/main/commondir: ../..", "/p/.git: gitdir: ./repo", "/p/main/.git: gitdir: /p/repo/worktrees/main"),
			map[string]Place{"/p/main": tree1("/p"), "/p": in("/p"), "/p/notes": gone("/p")},
		},
		{"separate git directory", tree("/git/app/worktrees/w/commondir: ../..", "/app/.git: gitdir: /git/app", "/w/.git: gitdir: /git/app/worktrees/w"), map[string]Place{
			"/app": in("/app"), "/w": tree1("/app"),
		}},
		{".git that is nothing", tree("/r/.git/", "/r/a/.git: hello", "/r/b/.git: gitdir: ", "/r/c/.git: "), map[string]Place{
			"/r/a": in("/r"), "/r/b": in("/r"), "/r/c": in("/r"),
		}},
		{
			"removed worktree that the repository lists",
			tree("/r/.git/worktrees/a/gitdir: /wt/a/.git", "/r/.git/worktrees/b/gitdir: ../../../../wt/b/.git", "/r/.git/worktrees/c/HEAD: ref", "/r/sub/"),
			map[string]Place{"/wt/a": goneTree("/r"), "/wt/a/deep": goneTree("/r"), "/wt/b": goneTree("/r"), "/wt/c": gone("/wt/c"), "/r/sub": in("/r")},
		},
		{"removed worktrees by their paths", tree("/home/u/r/.git/", "/home/u/r/sub/"), map[string]Place{
			"/home/u/r/.claude/worktrees/a": goneTree("/home/u/r"), "/home/u/r/.claude/worktrees/a/sub": goneTree("/home/u/r"),
			"/home/u/r/.worktrees/a/b": goneTree("/home/u/r"), "/home/u/r-worktrees/a": goneTree("/home/u/r"),
			"/home/u/r.worktrees/a/b": goneTree("/home/u/r"), "/home/u/r/.claude/worktrees": gone("/home/u/r"),
			"/home/u/r/sub/.claude/worktrees/x": goneTree("/home/u/r"), "/home/u/r/.claude/worktrees/a/.claude/worktrees/b": goneTree("/home/u/r"),
			"/home/u/other-worktrees/a": gone("/home/u/other-worktrees/a"),
		}},
		{"removed worktrees of a repository that is gone", nil, map[string]Place{
			"/o/app/.worktrees/a": goneTree("/o/app"), "/o/app": gone("/o/app"), "/o/app/sub": gone("/o/app"),
			"/o/app-worktrees/b": goneTree("/o/app"), "/o/lib-worktrees/b": gone("/o/lib-worktrees/b"), "/o/lib-worktrees/b/x": gone("/o/lib-worktrees/b"),
			"/o/web": gone("/o/web"), "/o/web.worktrees/b": goneTree("/o/web"),
		}},
		{"a plain directory does not make a worktree", tree("/home/u/git/"), map[string]Place{"/home/u/git-worktrees/a/b": gone("/home/u/git-worktrees/a/b")}},
		{"worktrees of nobody", tree("/home/u/"), map[string]Place{
			"/home/u/.worktrees/app/a": gone("/home/u/.worktrees/app/a"), "/.worktrees/a": gone("/.worktrees/a"),
			"/home/u/.claude-worktrees/app/a": gone("/home/u/.claude-worktrees/app/a"),
		}},
		{"gone, inside what is there", tree("/r/.git/", "/r/.worktrees/x/.git: gitdir: /r/.git/worktrees/x", "/r/.worktrees/y/own/.git/", "/code/"), map[string]Place{
			"/r/old/sub": gone("/r"), "/r/.worktrees/x/old": goneTree("/r"), "/r/.worktrees/y/own/old": gone("/r/.worktrees/y/own"),
			"/code": in("/code"), "/code/old": gone("/code"),
		}},
		{"no home takes in what is gone", tree("/home/u/", "/home/v/"), map[string]Place{
			"/home/u": in("/home/u"), "/home/u/old": gone("/home/u/old"), "/home/v": in("/home/v"), "/home/v/old": gone("/home/v/old"),
			"/Users/z": gone("/Users/z"), "/Users/z/old": gone("/Users/z/old"), "/Users/z/old/sub": gone("/Users/z/old"), "/root/x": gone("/root/x"),
			"/root": gone("/root"), "/": in("/"),
		}},
		{"windows paths here", nil, map[string]Place{
			`C:\Users\x`: gone(`C:\Users\x`), `C:\Users\x\app`: gone(`C:\Users\x\app`), `c:/Users/x/app/sub`: gone(`C:\Users\x\app`),
			`C:\Users\x\app\.claude\worktrees\a`: goneTree(`C:\Users\x\app`), `C:/Users/x/app-worktrees/b`: goneTree(`C:\Users\x\app`),
			`D:\web\.worktrees\b\c`: goneTree(`D:\web`), `\\nas\share\app\.worktrees\a`: goneTree(`\\nas\share\app`), `C:`: gone(`C:\`),
		}},
		{"a file in its place", tree("/r/.git/", "/r/x: text"), map[string]Place{"/r/x": gone("/r"), "/r/x/y": gone("/r")}},
		{"backslashes in a unix path", tree(`/a\b/`), map[string]Place{`/a\b/c`: gone(`/a\b/c`)}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			checkGroup(t, newGrouping(Places{Files: &fakeFiles{tree: tt.disk}, Home: "/home/u"}, false), tt.want)
		})
	}
}

func checkGroup(t *testing.T, g *grouping, want map[string]Place) {
	t.Helper()
	var dirs []string
	for dir := range want {
		dirs = append(dirs, dir, dir)
	}
	got := g.group(t.Context(), dirs)
	if len(got) != len(want) {
		t.Errorf("%d places, want %d", len(got), len(want))
	}
	for dir, w := range want {
		if got[dir] != w {
			t.Errorf("%s\n got %+v\nwant %+v", dir, got[dir], w)
		}
	}
}

// TestGroupWindows: paths with a drive are read. Paths with a server aren't.
func TestGroupWindows(t *testing.T) {
	t.Parallel()
	files := &fakeFiles{tree: tree(`C:\Users\x\app\.git/`, `C:\Users\x\app\sub/`, `C:\wt\a\.git: gitdir: C:/Users/x/app/.git/worktrees/a`,
		`C:\Users\x\app\.git\worktrees\a\commondir: ../..`, `C:\Users\x\app\.git\worktrees\b\gitdir: C:/wt/b/.git`)}
	checkGroup(t, newGrouping(Places{Files: files, Home: `C:\Users\x`}, true), map[string]Place{
		`C:\Users\x\app\sub`: {Project: `C:\Users\x\app`},
		`c:/Users/x/app/sub`: {Project: `C:\Users\x\app`},
		`C:\wt\a`:            {Project: `C:\Users\x\app`, Worktree: true},
		`C:\wt\b\sub`:        {Project: `C:\Users\x\app`, Worktree: true, Gone: true},
		`/home/u/app`:        {Project: `/home/u/app`, Gone: true},
		`\\nas\share\app`:    {Project: `\\nas\share\app`, NoAnswer: true},
	})
	for _, name := range files.asked {
		if strings.HasPrefix(name, `\\`) || strings.HasPrefix(name, "/") {
			t.Errorf("asked for %s", name)
		}
	}
}

// TestGroupErrors: a directory is Gone only if it doesn't exist. A mount whose server is down isn't Gone.
func TestGroupErrors(t *testing.T) {
	t.Parallel()
	files := &fakeFiles{fail: map[string]error{
		"/secret/x": fs.ErrPermission, "/mnt/x": syscall.EIO, "/mnt/r/.worktrees/a": syscall.EIO, "/long": syscall.ENAMETOOLONG, "/nul\x00": syscall.EINVAL,
	}}
	checkGroup(t, newGrouping(Places{Files: files}, false), map[string]Place{
		"/secret/x":           {Project: "/secret/x"},
		"/mnt/x":              {Project: "/mnt/x", NoAnswer: true},
		"/mnt/r/.worktrees/a": {Project: "/mnt/r", Worktree: true, NoAnswer: true},
		"/long":               {Project: "/long", Gone: true},
		"/nul\x00":            {Project: "/nul\x00", Gone: true},
	})
}

// TestGroupDeadMount: a mount that hangs costs one second and one goroutine.
func TestGroupDeadMount(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		files := &fakeFiles{tree: tree("/home/u/app/.git/"), stuck: []string{"/mnt/dead"}, release: make(chan struct{})}
		dirs := []string{"/home/u/app", "/mnt/dead/r/.worktrees/a/b", "/mnt/dead/r/.claude/worktrees/c", "/mnt/dead/r/sub"}
		for i := range 100 {
			dirs = append(dirs, fmt.Sprintf("/mnt/dead/p%d/sub", i))
		}
		began := time.Now()
		got := newGrouping(Places{Files: files, Home: "/home/u"}, false).group(t.Context(), dirs)
		if took := time.Since(began); took != time.Second {
			t.Errorf("took %v", took)
		}
		stuck := 0
		for _, name := range files.asked {
			if strings.HasPrefix(name, "/mnt/dead") {
				stuck++
			}
		}
		if stuck != 1 {
			t.Errorf("%d calls hang, want 1: %q", stuck, files.asked)
		}
		for dir, want := range map[string]Place{
			"/home/u/app":                     {Project: "/home/u/app"},
			"/mnt/dead/r/.worktrees/a/b":      {Project: "/mnt/dead/r", Worktree: true, NoAnswer: true},
			"/mnt/dead/r/.claude/worktrees/c": {Project: "/mnt/dead/r", Worktree: true, NoAnswer: true},
			"/mnt/dead/r/sub":                 {Project: "/mnt/dead/r", NoAnswer: true},
			"/mnt/dead/p7/sub":                {Project: "/mnt/dead/p7/sub", NoAnswer: true},
		} {
			if got[dir] != want {
				t.Errorf("%s\n got %+v\nwant %+v", dir, got[dir], want)
			}
		}
		close(files.release)
	})
}

// TestGroupBounds: at most 8 calls run at a time. When the context ends, the missing answers are NoAnswer.
func TestGroupBounds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		files := &fakeFiles{release: make(chan struct{})}
		var dirs []string
		for i := range 40 {
			dir := fmt.Sprintf("/m%d", i)
			dirs, files.stuck = append(dirs, dir), append(files.stuck, dir)
		}
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan map[string]Place)
		go func() { done <- newGrouping(Places{Files: files}, false).group(ctx, dirs) }()
		synctest.Wait()
		if len(files.asked) != 8 {
			t.Errorf("%d calls at once, want 8", len(files.asked))
		}
		cancel()
		for dir, p := range <-done {
			if p != (Place{Project: dir, NoAnswer: true}) {
				t.Errorf("%s: %+v", dir, p)
			}
		}
		if len(files.asked) != 8 {
			t.Errorf("%d calls after the end, want 8", len(files.asked))
		}
		close(files.release)
	})
}

// TestGroupWork counts the calls for 2,000 sessions in 60 projects.
func TestGroupWork(t *testing.T) {
	t.Parallel()
	var paths, dirs []string
	for i := range 60 {
		paths = append(paths, fmt.Sprintf("/home/u/code/p%d/.git/", i))
	}
	for i := range 2000 {
		dirs = append(dirs, fmt.Sprintf("/home/u/code/p%d", i%60))
	}
	files := &fakeFiles{tree: tree(paths...)}
	got := newGrouping(Places{Files: files, Home: "/home/u"}, false).group(t.Context(), dirs)
	if len(got) != 60 || got["/home/u/code/p59"] != (Place{Project: "/home/u/code/p59"}) {
		t.Errorf("%d places", len(got))
	}
	const want = 60*2 + 2 // for each project, .git and the directory; also .git in /home/u and /home/u/code
	if len(files.asked) != want {
		t.Errorf("%d calls, want %d", len(files.asked), want)
	}
	seen := map[string]bool{}
	for _, name := range files.asked {
		if seen[name] || name == "/.git" || name == "/home/.git" {
			t.Errorf("asked for %s", name)
		}
		seen[name] = true
	}

	files = &fakeFiles{tree: tree("/a/b/c/d/e/")}
	newGrouping(Places{Files: files, Home: "/home/u"}, false).group(t.Context(), []string{"/a/b/c/d/e"})
	if len(files.asked) != 6 {
		t.Errorf("outside of home: %q, want five .git and the directory", files.asked)
	}
}

// TestGroupDisk reads repositories that git has written.
func TestGroupDisk(t *testing.T) {
	t.Parallel()
	base := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(base, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	at := func(name string) string { return filepath.Join(base, filepath.FromSlash(name)) }
	write("home/repo/.git/HEAD", "ref: refs/heads/main")
	write("home/repo/sub/file", "x")
	write("home/repo/.git/worktrees/one/commondir", "../..")
	write("home/repo/.git/worktrees/one/gitdir", at("home/trees/one/.git"))
	write("home/repo/.git/worktrees/old/commondir", "../..")
	write("home/repo/.git/worktrees/old/gitdir", "../../../../trees/old/.git")
	write("home/trees/one/.git", "gitdir: "+at("home/repo/.git/worktrees/one"))
	write("home/repo/.claude/worktrees/two/.git", "gitdir: ../../../.git/worktrees/two")
	write("home/repo/.git/worktrees/two/commondir", "../..")
	write("home/repo/lib/.git", "gitdir: ../.git/modules/lib")
	write("home/repo/.git/modules/lib/HEAD", "ref: refs/heads/main")
	write("home/big/.git", "gitdir: x"+strings.Repeat(" ", 64<<10))
	write("home/plain/file", "x")

	repo := at("home/repo")
	want := map[string]Place{
		repo:                                    {Project: repo},
		at("home/repo/sub"):                     {Project: repo},
		at("home/trees/one"):                    {Project: repo, Worktree: true},
		at("home/trees/old/sub"):                {Project: repo, Worktree: true, Gone: true},
		at("home/repo/.claude/worktrees/two"):   {Project: repo, Worktree: true},
		at("home/repo/.claude/worktrees/three"): {Project: repo, Worktree: true, Gone: true},
		at("home/repo-worktrees/four"):          {Project: repo, Worktree: true, Gone: true},
		at("home/repo/lib"):                     {Project: at("home/repo/lib")},
		at("home/repo/gone"):                    {Project: repo, Gone: true},
		at("home/big"):                          {Project: at("home/big")},
		at("home/plain"):                        {Project: at("home/plain")},
		at("home/plain/file"):                   {Project: at("home/plain"), Gone: true},
		at("home/none"):                         {Project: at("home/none"), Gone: true},
	}
	var dirs []string
	for dir := range want {
		dirs = append(dirs, dir)
	}
	got := Places{Home: at("home")}.Group(t.Context(), dirs)
	for dir, w := range want {
		if got[dir] != w {
			t.Errorf("%s\n got %+v\nwant %+v", dir, got[dir], w)
		}
	}
}

func TestSpot(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"/": "/", "//": "/", "/a//b/../c/": "/a/c", `/a\b`: `/a\b`,
		`c:\`: `C:\`, "c:": `C:\`, `c:/a\b/`: `C:\a\b`, `C:\..\a`: `C:\a`, `\\s\h\a/b`: `\\s\h\a\b`, `\\s`: `\\s\\`,
		"": "", "a": "", "c:a": "", `\a`: "", "1:/a": "", "~": "",
	} {
		s, ok := parseAbsPath(in)
		if ok != (want != "") || ok && s.String() != want {
			t.Errorf("parseAbsPath(%q) = %q, %v; want %q", in, s.String(), ok, want)
		}
	}
	ab, _ := parseAbsPath("/a/b")
	for in, want := range map[string]bool{"/": true, "/a": true, "/a/b": true, "/a/b/c": false, "/a/bc": false, "/b": false, `C:\a`: false} {
		if dir, _ := parseAbsPath(in); ab.within(dir) != want {
			t.Errorf("/a/b within %s: %v", in, !want)
		}
	}
}
