package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode"

	"github.com/continuo-tui/continuo/tui"
)

// editor prepares the editor of the person on a file, at a line where it can be told one; line 0 is none. A path from
// a transcript is foreign: it becomes absolute (a relative one is below the current directory), so that no program
// takes it for an option, and one argument, never seen by a shell. Only what is a regular file now is opened.
func (d *deps) editor(ctx context.Context, file string, line int) (tui.Takeover, error) {
	if file == "" {
		return nil, &failure{what: "There is no file to open here. Choose a call that names one."}
	}
	file = d.abs(file)
	if err := d.probeFile(ctx, file); err != nil {
		return nil, err
	}
	argv, err := d.editorCommand()
	if err != nil {
		return nil, err
	}
	argv = append(argv, atLine(argv[0], file, line)...)
	// It ends when the person ends it, not when this program is told to stop.
	cmd := exec.CommandContext(context.WithoutCancel(ctx), argv[0], argv[1:]...)
	cmd.Env = d.environ
	return &takeover{d: d, cmd: cmd}, nil
}

// editorCommand is the program of $VISUAL, else $EDITOR, else the first there is of those that a system comes with,
// and its arguments.
func (d *deps) editorCommand() ([]string, error) {
	for _, name := range [...]string{"VISUAL", "EDITOR"} {
		value := strings.TrimSpace(d.getenv(name))
		if value == "" {
			continue
		}
		if path, err := exec.LookPath(value); err == nil { // a path with spaces in it, without quotes
			return []string{path}, nil
		}
		argv, err := splitWords(value, runtime.GOOS != "windows")
		if err != nil {
			return nil, &failure{what: "The value of " + name + " ends inside quotes. Set it right, then open the file again.", cause: err}
		}
		path, err := exec.LookPath(argv[0])
		if err != nil {
			return nil, &failure{what: "The editor " + quoted(argv[0]) + " of " + name + " cannot be found. Install it, or set " + name + " to another.", cause: err}
		}
		argv[0] = path
		return argv, nil
	}
	for _, name := range systemEditors() {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path}, nil
		}
	}
	return nil, &failure{what: "There is no editor. Set VISUAL or EDITOR to one."}
}

func systemEditors() []string {
	if runtime.GOOS == "windows" {
		return []string{"notepad"}
	}
	return []string{"vi", "nano"}
}

// errQuotes is said of a text with a quote that is not closed.
var errQuotes = errors.New("quote is not closed")

// splitWords parts a command line like a POSIX shell does, with quotes, and with backslashes where they escape: in
// Windows they part paths. Nothing is expanded. A text that is not blank has at least one word.
func splitWords(s string, escapes bool) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, started := rune(0), false // a word of nothing but quotes is one
	runes := []rune(s)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		more := i+1 < len(runes)
		switch {
		case r == '\\' && escapes && more && (quote == 0 || quote == '"' && strings.ContainsRune("\\\"$`", runes[i+1])):
			i++
			word.WriteRune(runes[i])
			started = true
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, started = r, true
		case quote == 0 && unicode.IsSpace(r):
			if started {
				words = append(words, word.String())
			}
			word.Reset()
			started = false
		default:
			word.WriteRune(r)
			started = true
		}
	}
	if quote != 0 {
		return nil, errQuotes
	}
	if started {
		words = append(words, word.String())
	}
	return words, nil
}

// atLine is how an editor, known by its name, is told a file and a line in it; one that is not known gets the file.
// The forms are those of the manuals of vim 9, nano 8, emacs 30, kakoune 2024, ne 3.3, joe 4.6, micro 2.0, helix 25,
// zed, VS Code and those made of it, Sublime Text 4 and the launchers of JetBrains 2025.
func atLine(program, file string, line int) []string {
	if line < 1 {
		return []string{file}
	}
	n := strconv.Itoa(line)
	name, _, _ := strings.Cut(strings.ToLower(filepath.Base(program)), ".") // vim.basic, idea.sh, code.cmd
	// Of a name with a colon in it these would take a part for the line.
	colon := strings.Contains(filepath.Base(file), ":")
	switch strings.TrimSuffix(name, "64") {
	case "vi", "vim", "nvim", "gvim", "mvim", "nano", "emacs", "emacsclient", "kak", "ne", "joe", "micro":
		return []string{"+" + n, file}
	case "hx", "helix", "zed", "zeditor", "subl":
		if !colon {
			return []string{file + ":" + n}
		}
	case "code", "code-insiders", "codium", "vscodium", "cursor", "windsurf":
		if !colon {
			return []string{"--goto", file + ":" + n}
		}
	case "idea", "clion", "datagrip", "goland", "phpstorm", "pycharm", "rider", "rubymine", "rustrover", "webstorm":
		return []string{"--line", n, file}
	}
	return []string{file}
}

// probeFile checks that a path is a regular file, for at most probeTimeout: it may be on a dead mount.
func (d *deps) probeFile(ctx context.Context, path string) error {
	type answer struct {
		info os.FileInfo
		err  error
	}
	found := make(chan answer, 1)
	go func() {
		info, err := os.Stat(path)
		found <- answer{info, err}
	}()
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	var a answer
	select {
	case <-ctx.Done():
		return &failure{what: "The file " + d.tilde(path) + " does not answer. Mount its disk, then open it.", cause: ctx.Err()}
	case a = <-found:
	}
	switch {
	case errors.Is(a.err, fs.ErrNotExist):
		return &failure{what: "The file " + d.tilde(path) + " is gone.", cause: a.err}
	case a.err != nil:
		return &failure{what: "The file " + d.tilde(path) + " cannot be opened: " + reason(a.err) + ".", cause: a.err}
	case a.info.IsDir():
		return &failure{what: d.tilde(path) + " is a folder. Only files are opened."}
	case !a.info.Mode().IsRegular():
		return &failure{what: fmt.Sprintf("%s is no regular file. Only those are opened.", d.tilde(path))}
	}
	return nil
}
