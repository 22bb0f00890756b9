package doctor

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
	"github.com/continuo-tui/continuo/cli/launch"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// machine returns the checks of this machine and of the terminal.
func (x *Exam) machine(ctx context.Context) []Check {
	checks := []Check{x.Claude(ctx)}
	checks = append(checks, x.configDirs()...)
	checks = append(checks, x.permissions()...)
	checks = append(checks, x.disk(ctx)...)
	checks = append(checks, x.terminal()...)
	checks = append(checks, x.Tmux(ctx)...)
	checks = append(checks, x.editor(), x.configFile())
	return append(checks, x.leftovers(ctx)...)
}

// configFile checks the config file of continuo.
func (x *Exam) configFile() Check {
	c := Check{Name: "config file", State: VerdictOK, Text: x.Env.Tilde(x.Conf.Path)}
	switch {
	case x.bad != nil:
		c.State, c.Text = VerdictFinding, x.bad.Error()
		c.Fix = `"${EDITOR:-vi}" ` + x.shell(x.Conf.Path)
		if runtime.GOOS == "windows" {
			c.Fix = "notepad " + place.ShellWord(x.Conf.Path)
		}
	case x.Conf.Path == "":
		c.State, c.Text = VerdictNote, "HOME is not set, so there is no config file"
	case !x.Conf.Found:
		c.State, c.Note = VerdictNote, "does not exist, so all settings have their defaults"
	case len(x.Conf.Roots) > 0 && x.from != place.KeyRoots:
		c.Note = "roots are ignored because of " + x.from
	}
	return c
}

// setIn says where a setting comes from; "" for a default.
func (x *Exam) setIn(key string) string {
	if line := x.Conf.Lines[key]; line > 0 {
		return fmt.Sprintf("line %d of the config file", line)
	}
	return ""
}

// Claude checks whether the client is installed and answers.
func (x *Exam) Claude(ctx context.Context) Check {
	c := Check{Name: "claude", State: VerdictFinding, Note: x.setIn(place.KeyCommand)}
	name := x.Conf.ClaudeCommand
	path, err := x.Env.Host.LookPath(name)
	switch {
	case err == nil:
	case filepath.IsAbs(name):
		c.Text = x.Env.Tilde(name) + " cannot be started: " + place.ProgramReason(err)
		c.See = []string{"ls -l " + x.shell(name)}
		return c
	default:
		c.Text = out.Quoted(name) + " is not on the PATH"
		c.Fix, c.See = x.installClaude(name)
		return c
	}
	where := ", from " + x.Env.Tilde(path)
	out, err := x.Env.Host.Ask(ctx, x.Limit, path, "--version")
	version := launch.ClientVersion(out)
	switch {
	case errors.Is(err, host.ErrSilent):
		c.State, c.Text = VerdictWarning, fmt.Sprintf("does not print its version within %.2g s%s", x.Limit.Seconds(), where)
	case err != nil:
		c.Text = "does not print its version: " + place.ProgramReason(err) + where
	case version == "":
		c.State, c.Text = VerdictWarning, "prints something other than a version"+where
	default:
		c.State, c.Text = VerdictOK, words.Cut(version, place.ValueLimit)+where
		return c
	}
	c.See = []string{x.shell(path) + " --version"}
	return c
}

// installClaude returns the command that installs the client, or that adds its directory to the PATH.
func (x *Exam) installClaude(name string) (fix string, see []string) {
	if x.Conf.Lines[place.KeyCommand] > 0 {
		return "", []string{"continuo config"}
	}
	for _, dir := range []string{filepath.Join(x.Env.Home, ".local", "bin"), filepath.Join(x.Env.Home, ".claude", "local")} {
		if _, err := x.Env.Host.LookPath(filepath.Join(dir, name)); err == nil && x.Env.Home != "" && runtime.GOOS != "windows" {
			return "export PATH=" + x.shell(dir) + `:"$PATH"`, nil
		}
	}
	return "npm install -g @anthropic-ai/claude-code", nil
}

// configDirs checks whether each Claude config directory exists and is private.
func (x *Exam) configDirs() []Check {
	if len(x.dirs) == 0 {
		return []Check{{Name: "config directory", State: VerdictFinding, Text: "HOME is not set, so the sessions cannot be found"}}
	}
	var checks []Check
	for _, dir := range x.dirs {
		c := Check{Name: "config directory", State: VerdictOK, Text: x.Env.Tilde(dir)}
		if x.from != "" {
			c.Text += ", from " + x.from
		}
		info, err := os.Stat(dir)
		switch {
		case errors.Is(err, fs.ErrNotExist) && x.from == "":
			c.State, c.Note = VerdictNote, "does not exist yet: claude creates it"
		case err != nil:
			c.State, c.Note = VerdictFinding, out.Reason(err)
		case !info.IsDir():
			c.State, c.Note = VerdictFinding, "it is a file"
		default:
			n, size := x.count(dir)
			c.Note = out.Count(n, "session") + ", " + words.Size(size)
			x.private(&c, dir, info.Mode())
		}
		checks = append(checks, c)
	}
	return checks
}

// private adds a warning if other users can read or write a directory. It does nothing on Windows.
func (x *Exam) private(c *Check, dir string, mode fs.FileMode) {
	if runtime.GOOS == "windows" {
		return
	}
	c.Note = fmt.Sprintf("%04o, ", mode.Perm()) + c.Note
	const group, write = 0o077, 0o022
	if mode.Perm()&group == 0 {
		return
	}
	can := "read"
	if mode.Perm()&write != 0 {
		can = "change"
	}
	c.State, c.Fix = VerdictWarning, "chmod 700 "+x.shell(dir)
	c.Text += ", which others can " + can
}

// permissions checks whether the files of the client can be read.
func (x *Exam) permissions() []Check {
	var checks []Check
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
			c := Check{Name: "permissions", State: VerdictFinding, Text: x.Env.Tilde(path) + " cannot be read: " + out.Reason(err)}
			if errors.Is(err, fs.ErrPermission) {
				c.Fix = "chmod u+rwx " + x.shell(path)
			}
			checks = append(checks, c)
		}
	}
	switch {
	case len(checks) > 0 || len(x.dirs) == 0:
	case read["projects"] && read["sessions"]:
		checks = []Check{{Name: "permissions", State: VerdictOK, Text: "projects/ and sessions/ can be read"}}
	case read["projects"]:
		checks = []Check{{Name: "permissions", State: VerdictOK, Text: "projects/ can be read", Note: "no registry of live sessions"}}
	default:
		checks = []Check{{Name: "permissions", State: VerdictNote, Text: "there are no projects/ yet"}}
	}
	return checks
}

// readable tries to read the first name in a directory.
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

// editor checks the editor of the user: $VISUAL, $EDITOR, or an editor of the system.
func (x *Exam) editor() Check {
	c := Check{Name: "editor", State: VerdictOK}
	for _, name := range []string{"VISUAL", "EDITOR"} {
		value := strings.TrimSpace(x.Env.Host.Getenv(name))
		if value == "" {
			continue
		}
		program, err := x.Env.Host.LookPath(value) // a path with blanks but no quotes
		if words, bad := host.SplitWords(value); err != nil && bad == nil {
			program, err = x.Env.Host.LookPath(words[0])
		}
		if err != nil {
			c.State, c.Text = VerdictWarning, "$"+name+" is "+out.Quoted(words.Cut(transcript.CleanLine(value), place.ValueLimit))+", which cannot be started"
			c.Fix = "export " + name + "=vi"
			return c
		}
		c.Text = x.Env.Tilde(program) + ", from $" + name
		return c
	}
	for _, name := range host.SystemEditors() {
		if path, err := x.Env.Host.LookPath(name); err == nil {
			c.State, c.Text, c.Note = VerdictNote, x.Env.Tilde(path), "$EDITOR is not set"
			return c
		}
	}
	c.State, c.Text, c.Fix = VerdictWarning, "$EDITOR is not set, and there is no vi", "export EDITOR=nano"
	return c
}
