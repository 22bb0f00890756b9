package place

import (
	"crypto/rand"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// WritePanic writes a crash report, and returns an error that names the file. The report has arguments, but no
// environment variables. stack belongs to the goroutine that panicked.
func WritePanic(env *Env, v any, stack []byte) *out.Failure {
	if p, ok := v.(*sessions.PanicError); ok {
		v, stack = p.Value, p.Stack
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nargs: %q\n\npanic: %s\n\n%s", VersionLine(env), env.Args, transcript.Clean(fmt.Sprint(v)), stack)
	f := &out.Failure{Code: out.ExitBug, What: "continuo has a bug and had to stop."}
	path, err := writeReport(env, b.String())
	if err == nil {
		f.What += " A report is in " + env.Tilde(path) + "."
		f.Hints = []string{"read the report before you send it to anyone: it may name your files and sessions"}
	} else {
		f.What += " The report could not be written, so here it is."
		f.Facts = strings.Split(strings.ReplaceAll(b.String(), "\t", "  "), "\n")
	}
	return f
}

// writeReport writes a private report to the state directory, or to the temporary directory.
func writeReport(env *Env, text string) (string, error) {
	var dirs []string
	if dir := env.StateDir(); dir != "" {
		dirs = append(dirs, dir)
	}
	var last error
	for _, dir := range append(dirs, os.TempDir()) {
		name := "continuo-panic-" + rand.Text() + ".txt"
		if last = ReplaceFile(filepath.Join(dir, name), []byte(text), 0o600, 0o700); last == nil {
			return filepath.Join(dir, name), nil
		}
	}
	return "", fmt.Errorf("write report: %w", last)
}

// build describes how the binary was built.
type build struct {
	Version  string `json:"version"`
	Revision string `json:"revision"`
	Time     string `json:"time"`
	Modified bool   `json:"modified"` // has uncommitted changes
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// NewBuild returns the build of this binary. version is "" unless this is a release.
func NewBuild(version string) build {
	b := build{Version: version, Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH}
	info, ok := debug.ReadBuildInfo()
	if ok {
		if b.Version == "" && info.Main.Version != "(devel)" {
			b.Version = info.Main.Version
		}
		for _, s := range info.Settings {
			switch s.Key {
			case "vcs.revision":
				b.Revision = s.Value
			case "vcs.time":
				b.Time = s.Value
			case "vcs.modified":
				b.Modified = s.Value == "true"
			}
		}
	}
	if b.Version == "" {
		b.Version = "devel"
	}
	return b
}

// VersionLine returns a line such as "continuo 1.2.3 (0f3c2a91, go1.26.8, linux/amd64)".
func VersionLine(env *Env) string {
	b := NewBuild(env.Version)
	facts := b.Go + ", " + b.Platform
	if b.Revision != "" {
		revision := b.Revision[:min(len(b.Revision), 8)]
		if b.Modified {
			revision += " with changes"
		}
		facts = revision + ", " + facts
	}
	return "continuo " + b.Version + " (" + facts + ")"
}
