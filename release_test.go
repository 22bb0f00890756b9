package main

import (
	"bytes"
	"debug/buildinfo"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// generated is a directory. A release creates completions and the manual page there.
const generated = ".release/"

// releaseFile has the checked fields of .goreleaser.yaml.
type releaseFile struct {
	Version int
	Dist    string
	Before  struct{ Hooks []string }
	Builds  []struct {
		Main, Binary        string
		Env, Flags, Ldflags []string
		Goos, Goarch        []string
		Timestamp           string `yaml:"mod_timestamp"`
	}
	Archives []struct {
		Formats   []string
		Overrides []struct {
			Goos    string
			Formats []string
		} `yaml:"format_overrides"`
		Program fileInfo `yaml:"builds_info"`
		Files   []struct {
			Src, Dst string
			Strip    bool `yaml:"strip_parent"`
			Info     fileInfo
		}
	}
	Nfpms []struct {
		Formats                            []string
		Maintainer, License, Bindir, Mtime string
		Rpm                                struct{ Buildhost string }
		Contents                           []struct {
			Src, Dst, Packager string
			Info               fileInfo `yaml:"file_info"`
		}
	}
	Checksum struct {
		Name string `yaml:"name_template"`
	}
	Sboms []struct{ Artifacts string }
}

// fileInfo is the metadata of a file in an archive. Without it, a file gets that of the build machine.
type fileInfo struct {
	Owner, Group, Mtime string
	Mode                int
}

func readRelease(t *testing.T) releaseFile {
	t.Helper()
	text, err := os.ReadFile(".goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var r releaseFile
	if err := yaml.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Builds) != 1 || len(r.Archives) != 1 || len(r.Nfpms) != 1 {
		t.Fatalf("%d builds, %d archives, %d packages", len(r.Builds), len(r.Archives), len(r.Nfpms))
	}
	return r
}

// TestRelease checks the systems and formats. Two releases of the same commit must be identical.
func TestRelease(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	build, archive, packages := r.Builds[0], r.Archives[0], r.Nfpms[0]
	for name, check := range map[string]struct{ got, want []string }{
		"systems":         {build.Goos, []string{"linux", "darwin", "windows"}},
		"processors":      {build.Goarch, []string{"amd64", "arm64"}},
		"environment":     {build.Env, []string{"CGO_ENABLED=0"}},
		"flags":           {build.Flags, []string{"-trimpath"}},
		"linker flags":    {build.Ldflags, []string{"-s -w -X main.version={{ .Version }}"}},
		"archives":        {archive.Formats, []string{"tar.gz"}},
		"packages":        {packages.Formats, []string{"deb", "rpm"}},
		"schema and dist": {[]string{string(rune('0' + r.Version)), r.Dist}, []string{"2", ".dist"}},
		"times": {
			[]string{build.Timestamp, archive.Program.Mtime, packages.Mtime},
			[]string{"{{ .CommitTimestamp }}", "{{ .CommitDate }}", "{{ .CommitDate }}"},
		},
		"others": {
			[]string{build.Main, build.Binary, r.Checksum.Name, packages.License, packages.Bindir, packages.Rpm.Buildhost},
			[]string{".", "continuo", "checksums.txt", "MIT", "/usr/bin", "continuo"},
		},
	} {
		if !slices.Equal(check.got, check.want) {
			t.Errorf("%s: %q, want %q", name, check.got, check.want)
		}
	}
	if o := archive.Overrides; len(o) != 1 || o[0].Goos != "windows" || !slices.Equal(o[0].Formats, []string{"zip"}) {
		t.Errorf("formats of systems: %+v", o)
	}
	if len(r.Sboms) != 1 || r.Sboms[0].Artifacts != "archive" || packages.Maintainer == "" {
		t.Errorf("bills of materials %+v, maintainer %q", r.Sboms, packages.Maintainer)
	}
	for _, f := range archive.Files {
		checkFileInfo(t, f.Src, f.Info)
	}
	for _, c := range packages.Contents {
		checkFileInfo(t, c.Src, c.Info)
	}
}

func checkFileInfo(t *testing.T, src string, info fileInfo) {
	t.Helper()
	if want := (fileInfo{Owner: "root", Group: "root", Mtime: "{{ .CommitDate }}", Mode: 0o644}); info != want {
		t.Errorf("%s: %+v, want %+v", src, info, want)
	}
}

// TestReleaseContents: archives and packages contain exactly the files that the hooks create.
func TestReleaseContents(t *testing.T) {
	t.Parallel()
	r := readRelease(t)
	dir := t.TempDir()
	made := runHooks(t, r.Before.Hooks, dir)
	want := []string{
		generated + "completions/_continuo", generated + "completions/continuo.bash", generated + "completions/continuo.fish",
		generated + "completions/continuo.ps1", generated + "man/continuo.1",
	}
	if !slices.Equal(made, want) {
		t.Fatalf("the hooks make %q, want %q", made, want)
	}

	packed := map[string]string{} // destination by source
	for _, f := range r.Archives[0].Files {
		if !strings.HasPrefix(f.Src, generated) {
			if _, err := os.Stat(f.Src); err != nil || f.Dst != "" {
				t.Errorf("the archives take %s to %q: %v", f.Src, f.Dst, err)
			}
			packed[f.Src] = f.Src
			continue
		}
		found, err := filepath.Glob(filepath.Join(dir, strings.TrimPrefix(f.Src, generated)))
		if err != nil || len(found) == 0 || !f.Strip {
			t.Errorf("the archives take %s, and there are %q, %v", f.Src, found, err)
		}
		for _, path := range found {
			packed[made[slices.Index(made, below(t, dir, path))]] = f.Dst + "/" + filepath.Base(path)
		}
	}
	for _, src := range append(made, "LICENSE", "README.md", "CHANGELOG.md") {
		if packed[src] == "" {
			t.Errorf("no archive holds %s", src)
		}
	}
	if dst := packed[generated+"completions/_continuo"]; dst != "completions/_continuo" {
		t.Errorf("the completion of zsh is %s in the archives", dst)
	}

	for _, format := range r.Nfpms[0].Formats {
		at := map[string]string{}
		for _, c := range r.Nfpms[0].Contents {
			if c.Src != "LICENSE" && !slices.Contains(made, c.Src) {
				t.Errorf("the packages take %s, which nobody makes", c.Src)
			}
			if c.Packager == "" || c.Packager == format {
				at[c.Dst] = c.Src
			}
		}
		zsh, license := "/usr/share/zsh/vendor-completions/_continuo", "/usr/share/doc/continuo/copyright"
		if format == "rpm" {
			zsh, license = "/usr/share/zsh/site-functions/_continuo", "/usr/share/licenses/continuo/LICENSE"
		}
		for dst, src := range map[string]string{
			"/usr/share/bash-completion/completions/continuo":    generated + "completions/continuo.bash",
			"/usr/share/fish/vendor_completions.d/continuo.fish": generated + "completions/continuo.fish",
			zsh:                              generated + "completions/_continuo",
			"/usr/share/man/man1/continuo.1": generated + "man/continuo.1",
			license:                          "LICENSE",
		} {
			if at[dst] != src {
				t.Errorf("%s: %s is %q, want %q", format, dst, at[dst], src)
			}
			delete(at, dst)
		}
		if len(at) > 0 {
			t.Errorf("%s has additional files: %q", format, at)
		}
	}
}

// runHooks runs the hooks with dir instead of .release, and returns the created paths.
func runHooks(t *testing.T, hooks []string, dir string) []string {
	t.Helper()
	for _, hook := range hooks {
		// A hook is "go run FLAGS . ARGS". ARGS are used here.
		template := strings.ReplaceAll(hook, "{{ .Version }}", "1.2.3")
		words := strings.Fields(template)
		at := slices.Index(words, ".")
		if at < 0 || words[0] != "go" || words[1] != "run" || !slices.Contains(words[:at], "-trimpath") {
			t.Fatalf("a hook is %q", hook)
		}
		args := words[at+1:]
		for i := range args {
			if rest, ok := strings.CutPrefix(args[i], strings.TrimSuffix(generated, "/")); ok {
				args[i] = filepath.Join(dir, rest)
			}
		}
		var stdout, stderr bytes.Buffer
		if code := run(args, stdio{strings.NewReader(""), &stdout, &stderr}, []string{"HOME=" + dir}); code != 0 {
			t.Fatalf("%q ends with %d: %s", hook, code, stderr.String())
		}
	}
	var made []string
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			made = append(made, below(t, dir, path))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// below returns the path in a release of a file in dir.
func below(t *testing.T, dir, path string) string {
	t.Helper()
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		t.Fatal(err)
	}
	return generated + filepath.ToSlash(rel)
}

func TestReleaseIgnored(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(".gitignore")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, dir := range []string{"/" + generated, "/" + readRelease(t).Dist + "/"} {
		if !slices.Contains(lines, dir) {
			t.Errorf(".gitignore has no %s", dir)
		}
	}
}

func TestReleaseCheck(t *testing.T) {
	t.Parallel()
	goreleaser, err := exec.LookPath("goreleaser")
	if err != nil {
		t.Skip("goreleaser is not installed")
	}
	if out, err := exec.CommandContext(t.Context(), goreleaser, "check").CombinedOutput(); err != nil {
		t.Fatalf("goreleaser check: %v\n%s", err, out)
	}
}

// TestReleaseVersion: the version comes from the linker flags, or else from the go command.
func TestReleaseVersion(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("links the program twice")
	}
	version := func(flags ...string) (printed, recorded string) {
		t.Helper()
		binary := filepath.Join(t.TempDir(), "continuo")
		if runtime.GOOS == "windows" {
			binary += ".exe"
		}
		build := exec.CommandContext(t.Context(), "go", append(append([]string{"build"}, flags...), "-o", binary, ".")...)
		if out, err := build.CombinedOutput(); err != nil {
			t.Fatalf("go build: %v\n%s", err, out)
		}
		out, err := exec.CommandContext(t.Context(), binary, "version").Output()
		if err != nil {
			t.Fatal(err)
		}
		info, err := buildinfo.ReadFile(binary)
		if err != nil {
			t.Fatal(err)
		}
		return string(out), info.Main.Version
	}
	if printed, _ := version("-ldflags", "-X main.version=v9.9.9"); !strings.HasPrefix(printed, "continuo v9.9.9 (") {
		t.Errorf("with the version of a release: %q", printed)
	}
	printed, recorded := version()
	if recorded == "" || recorded == "(devel)" {
		recorded = "devel" // without a repository
	}
	if !strings.HasPrefix(printed, "continuo "+recorded+" (") {
		t.Errorf("without one: %q, and the Go command recorded %q", printed, recorded)
	}
}
