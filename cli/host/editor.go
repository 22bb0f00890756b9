package host

import (
	"errors"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode"
)

var (
	// errNoEditor means that no editor is set, and that no system editor is installed.
	errNoEditor = errors.New("there is no editor")
	// ErrQuotes means that a quote isn't closed.
	ErrQuotes = errors.New("quote is not closed")
)

// EditorError means that the editor in a variable can't be started.
type EditorError struct {
	Variable string // VISUAL or EDITOR
	Program  string // the program that the variable names; "" for ErrQuotes
	Err      error
}

// Error implements error.
func (e *EditorError) Error() string { return e.Variable + ": " + e.Err.Error() }

// Unwrap returns the error that caused this one.
func (e *EditorError) Unwrap() error { return e.Err }

// Editor returns the command that opens a file in $VISUAL, $EDITOR or the first system editor. A known editor starts
// at line, if that isn't 0. No shell is used. The error is errNoEditor or an *EditorError.
func (h Host) Editor(file string, line int) ([]string, error) {
	argv, err := h.editorCommand()
	if err != nil {
		return nil, err
	}
	return append(argv, atLine(argv[0], file, line)...), nil
}

func (h Host) editorCommand() ([]string, error) {
	for _, name := range [...]string{"VISUAL", "EDITOR"} {
		value := strings.TrimSpace(h.Getenv(name))
		if value == "" {
			continue
		}
		if path, err := exec.LookPath(value); err == nil { // value may be a path with blanks
			return []string{path}, nil
		}
		argv, err := SplitWords(value)
		if err != nil {
			return nil, &EditorError{Variable: name, Err: err}
		}
		path, err := exec.LookPath(argv[0])
		if err != nil {
			return nil, &EditorError{name, argv[0], err}
		}
		argv[0] = path
		return argv, nil
	}
	for _, name := range SystemEditors() {
		if path, err := exec.LookPath(name); err == nil {
			return []string{path}, nil
		}
	}
	return nil, errNoEditor
}

// SystemEditors returns the names of common system editors, best first.
func SystemEditors() []string {
	if runtime.GOOS == "windows" {
		return []string{"notepad"}
	}
	return []string{"vi", "nano"}
}

// SplitWords splits a command line as a POSIX shell does, but expands nothing. On Windows, a backslash isn't an
// escape. A non-blank text gives at least one word. The error is ErrQuotes.
func SplitWords(s string) ([]string, error) { return splitWords(s, runtime.GOOS != "windows") }

func splitWords(s string, escapes bool) ([]string, error) {
	var words []string
	var word strings.Builder
	quote, started := rune(0), false // started: a word has begun; it may be empty, such as ''
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
		return nil, ErrQuotes
	}
	if started {
		words = append(words, word.String())
	}
	return words, nil
}

// atLine returns the arguments that open a file at a line. For an unknown editor, it returns only the file. Source:
// manuals of vim 9, nano 8, emacs 30, kakoune 2024, ne 3.3, joe 4.6, micro 2.0, helix 25, zed, VS Code, Sublime Text 4
// and JetBrains 2025.
func atLine(program, file string, line int) []string {
	if line < 1 {
		return []string{file}
	}
	n := strconv.Itoa(line)
	name, _, _ := strings.Cut(strings.ToLower(filepath.Base(program)), ".") // such as vim.basic, idea.sh, code.cmd
	// FILE:LINE is ambiguous if the file name has a colon.
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
