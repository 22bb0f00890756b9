package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// diskWanted is how many bytes should be free: the client keeps silent about a transcript that it cannot write.
const diskWanted = 1_000_000_000

// machine are the checks of this machine and this terminal.
func (x *exam) machine(ctx context.Context) []check {
	checks := []check{x.claude(ctx)}
	checks = append(checks, x.configDirs()...)
	checks = append(checks, x.permissions()...)
	checks = append(checks, x.disk(ctx)...)
	checks = append(checks, x.terminal()...)
	checks = append(checks, x.tmux(ctx)...)
	checks = append(checks, x.editor(), x.configFile())
	return append(checks, x.leftovers(ctx)...)
}

// configFile checks the config file of continuo.
func (x *exam) configFile() check {
	c := check{Name: "config file", State: verdictOK, Text: x.env.tilde(x.conf.Path)}
	switch {
	case x.bad != nil:
		c.State, c.Text = verdictFinding, x.bad.Error()
		c.Fix = `"${EDITOR:-vi}" ` + x.shell(x.conf.Path)
		if runtime.GOOS == "windows" {
			c.Fix = "notepad " + shellWord(x.conf.Path)
		}
	case x.conf.Path == "":
		c.State, c.Text = verdictNote, "there is no home directory for it"
	case !x.conf.Found:
		c.State, c.Note = verdictNote, "does not exist, everything has its default"
	case len(x.conf.Roots) > 0 && x.from != keyRoots:
		c.Note = "roots do not count beside " + x.from
	}
	return c
}

// setIn says where a setting is from, "" for a default.
func (x *exam) setIn(key string) string {
	if line := x.conf.Lines[key]; line > 0 {
		return fmt.Sprintf("line %d of the config file", line)
	}
	return ""
}

// claude checks that there is a client that answers.
func (x *exam) claude(ctx context.Context) check {
	c := check{Name: "claude", State: verdictFinding, Note: x.setIn(keyCommand)}
	name := x.conf.ClaudeCommand
	path, err := x.env.host.LookPath(name)
	switch {
	case err == nil:
	case filepath.IsAbs(name):
		c.Text = x.env.tilde(name) + " cannot be started: " + programReason(err)
		c.See = []string{"ls -l " + x.shell(name)}
		return c
	default:
		c.Text = out.Quoted(name) + " is not on the PATH"
		c.Fix, c.See = x.installClaude(name)
		return c
	}
	where := ", from " + x.env.tilde(path)
	out, err := x.env.host.Ask(ctx, x.limit, path, "--version")
	version := clientVersion(out)
	switch {
	case errors.Is(err, host.ErrSilent):
		c.State, c.Text = verdictWarning, fmt.Sprintf("does not say its version in %.2g s%s", x.limit.Seconds(), where)
	case err != nil:
		c.Text = "does not say its version: " + programReason(err) + where
	case version == "":
		c.State, c.Text = verdictWarning, "says something else than a version"+where
	default:
		c.State, c.Text = verdictOK, words.Cut(version, valueLimit)+where
		return c
	}
	c.See = []string{x.shell(path) + " --version"}
	return c
}

// installClaude is the command that puts the client on the PATH: its directory where one of the installers has put
// it, else the installation.
func (x *exam) installClaude(name string) (fix string, see []string) {
	if x.conf.Lines[keyCommand] > 0 {
		return "", []string{"continuo config"}
	}
	for _, dir := range []string{filepath.Join(x.env.home, ".local", "bin"), filepath.Join(x.env.home, ".claude", "local")} {
		if _, err := x.env.host.LookPath(filepath.Join(dir, name)); err == nil && x.env.home != "" && runtime.GOOS != "windows" {
			return "export PATH=" + x.shell(dir) + `:"$PATH"`, nil
		}
	}
	return "npm install -g @anthropic-ai/claude-code", nil
}

// programReason says why a program did not do what it was asked for.
func programReason(err error) string {
	if e, ok := errors.AsType[*host.ExitError](err); ok && e.ExitCode() > 0 {
		return fmt.Sprintf("exit code %d", e.ExitCode())
	}
	return out.Reason(err)
}

// configDirs checks that each Claude config directory is there, and private: its transcripts are.
func (x *exam) configDirs() []check {
	if len(x.dirs) == 0 {
		return []check{{Name: "config directory", State: verdictFinding, Text: "HOME is not set, so the sessions cannot be found"}}
	}
	var checks []check
	for _, dir := range x.dirs {
		c := check{Name: "config directory", State: verdictOK, Text: x.env.tilde(dir)}
		if x.from != "" {
			c.Text += ", from " + x.from
		}
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist) && x.from == "":
			c.State, c.Note = verdictNote, "does not exist yet: claude makes it"
		case err != nil:
			c.State, c.Note = verdictFinding, out.Reason(err)
		case !info.IsDir():
			c.State, c.Note = verdictFinding, "it is a file"
		default:
			n, size := x.count(dir)
			c.Note = out.Count(n, "session") + ", " + words.Size(size)
			x.private(&c, dir, info.Mode())
		}
		checks = append(checks, c)
	}
	return checks
}

// private adds what a mode says. On Windows it says nothing.
func (x *exam) private(c *check, dir string, mode fs.FileMode) {
	if runtime.GOOS == "windows" {
		return
	}
	c.Note = fmt.Sprintf("%04o, ", mode.Perm()) + c.Note
	const group, write = 0o077, 0o022
	if mode.Perm()&group == 0 {
		return
	}
	can := "look into"
	if mode.Perm()&write != 0 {
		can = "change"
	}
	c.State, c.Fix = verdictWarning, "chmod 700 "+x.shell(dir)
	c.Text += ", which others can " + can
}

// permissions checks that what the client writes can be read.
func (x *exam) permissions() []check {
	var checks []check
	read := map[string]bool{}
	for _, dir := range x.dirs {
		for _, name := range []string{"projects", "sessions"} {
			err := readable(filepath.Join(dir, name))
			if err == nil {
				read[name] = true
			}
			if err == nil || errors.Is(err, fs.ErrNotExist) {
				continue
			}
			path := filepath.Join(dir, name)
			c := check{Name: "permissions", State: verdictFinding, Text: x.env.tilde(path) + " cannot be read: " + out.Reason(err)}
			if errors.Is(err, fs.ErrPermission) {
				c.Fix = "chmod u+rwx " + x.shell(path)
			}
			checks = append(checks, c)
		}
	}
	switch {
	case len(checks) > 0 || len(x.dirs) == 0:
	case read["projects"] && read["sessions"]:
		checks = []check{{Name: "permissions", State: verdictOK, Text: "projects/ and sessions/ can be read"}}
	case read["projects"]:
		checks = []check{{Name: "permissions", State: verdictOK, Text: "projects/ can be read", Note: "no registry of live sessions"}}
	default:
		checks = []check{{Name: "permissions", State: verdictNote, Text: "there are no projects/ yet"}}
	}
	return checks
}

// readable reads the first name of a directory.
func readable(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err = f.Readdirnames(1); errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// disk checks that there is room where the transcripts are; no check where that is not known.
func (x *exam) disk(ctx context.Context) []check {
	for _, dir := range x.dirs {
		if info, err := os.Stat(dir); err != nil || !info.IsDir() {
			continue
		}
		free := make(chan int64, 1)
		go func() { free <- freeBytes(dir) }() // a dead mount keeps it
		ctx, cancel := context.WithTimeout(ctx, x.limit)
		defer cancel()
		select {
		case <-ctx.Done():
			return []check{{Name: "disk", State: verdictFinding, Text: "the disk of " + x.env.tilde(dir) + " does not answer"}}
		case n := <-free:
			return diskCheck(n)
		}
	}
	return nil
}

// diskCheck judges the free bytes of a disk; less than none is not known.
func diskCheck(free int64) []check {
	switch {
	case free < 0:
		return nil
	case free < diskWanted:
		return []check{{Name: "disk", State: verdictWarning, Text: words.Size(free) + " free, so a transcript may soon end in the middle", Note: "1 GB wanted"}}
	}
	return []check{{Name: "disk", State: verdictOK, Text: words.Size(free) + " free", Note: "1 GB wanted"}}
}

// editor checks the editor of the person: $VISUAL, else $EDITOR, else one of the system.
func (x *exam) editor() check {
	c := check{Name: "editor", State: verdictOK}
	for _, name := range []string{"VISUAL", "EDITOR"} {
		value := strings.TrimSpace(x.env.host.Getenv(name))
		if value == "" {
			continue
		}
		program, err := x.env.host.LookPath(value) // a path with spaces in it, without quotes
		if words, bad := host.SplitWords(value); err != nil && bad == nil {
			program, err = x.env.host.LookPath(words[0])
		}
		if err != nil {
			c.State, c.Text = verdictWarning, "$"+name+" is "+out.Quoted(words.Cut(transcript.CleanLine(value), valueLimit))+", which cannot be started"
			c.Fix = "export " + name + "=vi"
			return c
		}
		c.Text = x.env.tilde(program) + ", from $" + name
		return c
	}
	for _, name := range host.SystemEditors() {
		if path, err := x.env.host.LookPath(name); err == nil {
			c.State, c.Text, c.Note = verdictNote, x.env.tilde(path), "$EDITOR is not set"
			return c
		}
	}
	c.State, c.Text, c.Fix = verdictWarning, "$EDITOR is not set, and there is no vi", "export EDITOR=nano"
	return c
}
