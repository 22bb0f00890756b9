package sessions

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSlug compares with an independent implementation.
func TestSlug(t *testing.T) {
	t.Parallel()
	long := "/home/dev/long" + strings.Repeat("/"+strings.Repeat("a", 60), 4)
	tests := []struct {
		name, path, want string
	}{
		{"empty", "", ""},
		{"root", "/", "-"},
		{"plain", "/home/dev/demo", "-home-dev-demo"},
		{"digits and case stay", "/Srv/App2", "-Srv-App2"},
		{"dots and underscores", "/home/dev/my.app_v2", "-home-dev-my-app-v2"},
		{"dashes look alike", "/home/dev/my-app-v2", "-home-dev-my-app-v2"},
		{"hidden directory", "/home/dev/demo/.claude/worktrees/x", "-home-dev-demo--claude-worktrees-x"},
		{"space and accents", "/home/dev/we ird/Ünï_cødé.x-y", "-home-dev-we-ird--n--c-d--x-y"},
		{"a decomposed accent is a unit of its own", "/cafe\u0301", "-cafe-"},
		{"an emoji is two units", "/home/dev/emoji😀dir", "-home-dev-emoji--dir"},
		{"windows", `C:\Users\dev\demo`, "C--Users-dev-demo"},
		{"bytes that are no UTF-8", "/a\xff\xfeb", "-a--b"},
		{"200 units are not cut", "/" + strings.Repeat("a", 199), "-" + strings.Repeat("a", 199)},
		{"201 units are", "/" + strings.Repeat("a", 200), "-" + strings.Repeat("a", 199) + "-b6ymvl"},
		{"long", long, "-home-dev-long" + strings.Repeat("-"+strings.Repeat("a", 60), 3) + "-aa-nuwfyv"},
		{"long, all accents", "/" + strings.Repeat("é", 210), strings.Repeat("-", 200) + "-jqt9qn"},
		{"102 runes, 202 units", "/home/dev/" + strings.Repeat("😀", 96), "-home-dev-" + strings.Repeat("-", 190) + "-bsa151"},
		{"the hash is -2^31", "/" + strings.Repeat("a", 197) + "adgszdzo", "-" + strings.Repeat("a", 198) + "d-zik0zk"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			if got := Slug(tt.path); got != tt.want {
				t.Errorf("Slug(%q)\n got %q\nwant %q", tt.path, got, tt.want)
			}
		})
	}
}

func TestNamed(t *testing.T) {
	t.Parallel()
	long := "/home/dev/" + strings.Repeat("a", 250)
	named := Named("/home/dev/tea", long, `C:\work\tea`)
	for slug, want := range map[string]bool{
		"-home-dev-tea": true, "-home-dev-tea-src": true, "-home-dev-tea--claude-worktrees-x": true, "-home-dev-teapot": false,
		"-home-dev": false, "-": false, "C--work-tea-src": true, "C--work": false, "D--work-tea": false,
		"tea": true, "my-sessions": true, "": true, Slug(long): true, Slug(long + "/src"): true, Slug("/home/dev/" + strings.Repeat("b", 250)): false,
	} {
		if got := named(slug); got != want {
			t.Errorf("%q: %v, want %v", slug, got, want)
		}
	}
}

// TestSlugOfCorpus: most real transcripts are in the directory with the slug of their first cwd. Copies may be
// elsewhere.
func TestSlugOfCorpus(t *testing.T) {
	t.Parallel()
	corpus := filepath.SplitList(os.Getenv("CONTINUO_CORPUS"))
	if len(corpus) == 0 {
		t.Skip("CONTINUO_CORPUS is not set")
	}
	made := regexp.MustCompile(`^(-|[A-Z]--)`) // beginning of the slug of an absolute path
	for _, dir := range corpus {
		files, err := filepath.Glob(filepath.Join(dir, "projects", "*", "*.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		known, match := 0, 0
		for _, file := range files {
			name := filepath.Base(filepath.Dir(file))
			cwd := firstCwd(t, file)
			if cwd == "" || strings.Contains(cwd, "…[elided") || !made.MatchString(name) {
				continue
			}
			known++
			if Slug(cwd) == name {
				match++
			} else {
				t.Logf("%s: the first cwd %q would be in %s", name, cwd, Slug(cwd))
			}
		}
		t.Logf("%s: %d transcripts, %d with a cwd, %d in the directory of that cwd", dir, len(files), known, match)
		if known > 0 && match*4 < known*3 {
			t.Errorf("%s: only %d of %d match", dir, match, known)
		}
	}
}

// firstCwd returns the first cwd in the first megabyte of a transcript, or "".
func firstCwd(t *testing.T, file string) string {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Logf("open %s: %v", file, err)
		return ""
	}
	defer f.Close()
	r := bufio.NewReader(io.LimitReader(f, 1<<20))
	for {
		line, err := r.ReadBytes('\n')
		var rec struct {
			Cwd string `json:"cwd"`
		}
		if json.Unmarshal(line, &rec) == nil && rec.Cwd != "" {
			return rec.Cwd
		}
		if err != nil {
			return ""
		}
	}
}

// TestConfigDirFor: a config dir that knows the folder is preferred.
func TestConfigDirFor(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	a, b := filepath.Join(root, "a"), filepath.Join(root, "b")
	if err := os.MkdirAll(filepath.Join(b, "projects", "-code-tea"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(a, "projects"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(a, "projects", "-code-tea"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		dirs         []string
		folder, want string
	}{
		{[]string{a, b}, "/code/tea", b}, {[]string{a, b}, "/code/ferry", a}, {[]string{b, a}, "/code/ferry", b}, {nil, "/code/tea", ""},
	} {
		if got := ConfigDirFor(test.dirs, test.folder); got != test.want {
			t.Errorf("%s in %v: %q, want %q", test.folder, test.dirs, got, test.want)
		}
	}
}
