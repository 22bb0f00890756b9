package setup

import (
	"bytes"
	"embed"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions/hook"
)

//go:embed texts
var texts embed.FS

// shimOf returns the path of a hook's script, relative to .claude (spec 000).
func shimOf(event string) string { return "hooks/on-" + event + ".sh" }

// file is a file that continuo installs in a project. name is relative to .claude.
type file struct {
	name string
	text []byte
	mode fs.FileMode
	// starts is true for a file that belongs to the project after its creation. It is never replaced.
	starts bool
}

// projectFiles returns the spec's files for a project whose whole text is continuo's. Scripts of the backup hooks
// need ScopeProject. The gate, the snapshot and tasks have their own functions.
func projectFiles(scope Scope) []file {
	files := []file{
		// The .gitignore files come first, so that git never sees a backup.
		{name: "memory/.gitignore", text: []byte(ignoreText), mode: 0o644, starts: true},
		{name: "memory/raw/.gitignore", text: []byte("*\n"), mode: 0o600, starts: true},
		{name: "memory/trash/.gitignore", text: []byte("*\n"), mode: 0o600, starts: true},
	}
	for _, name := range textNames() {
		f := file{name: name, text: textFile(name), mode: 0o644}
		switch dir := path.Dir(name); dir {
		case ".", "snapshot", "tasks": // texts for a section of CLAUDE.md, and commands that need a flag
			continue
		case "memory":
			f.mode, f.starts = 0o600, true
		case "hooks", "scripts":
			f.mode = 0o755
			if dir == "hooks" && scope != ScopeProject || slices.Contains(extraScripts(), name) {
				continue
			}
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b file) int { return memoryFirst(a) - memoryFirst(b) })
	return files
}

// extraScripts returns the names of the scripts that need a flag.
func extraScripts() []string {
	return []string{shimOf(hook.EventGate), shimOf(hook.EventSnapshot), shimOf(hook.EventTask)}
}

// scriptFile returns the script of the gate, the snapshot or tasks.
func scriptFile(event string) file {
	return file{name: shimOf(event), text: textFile(shimOf(event)), mode: 0o755}
}

// snapshotCommands returns the two commands of the snapshot (spec 004).
func snapshotCommands() []file {
	var files []file
	for _, name := range []string{"save-session-protocol.md", "load-session-protocol.md"} {
		files = append(files, file{name: "commands/" + name, text: textFile("snapshot/" + name), mode: 0o644})
	}
	return files
}

// taskCommands returns the four commands of tasks (spec 003).
func taskCommands() []file {
	var files []file
	for _, name := range []string{"task-start.md", "task-checkpoint.md", "task-end.md", "task-status.md"} {
		files = append(files, file{name: "commands/" + name, text: textFile("tasks/" + name), mode: 0o644})
	}
	return files
}

func memoryFirst(f file) int {
	if strings.HasPrefix(f.name, "memory/") {
		return 0
	}
	return 1
}

// ignoreText is the .gitignore of a memory. A test compares it with backup.Memory.Guard.
const (
	ignoreTitle = "# continuo: transcripts hold secrets"
	// ignoreBefore is the text of earlier versions.
	ignoreBefore = ignoreTitle + `
raw/
trash/
.pending-backup*
.backup-log
.lock
.continuo-*.tmp
`
	ignoreText = ignoreBefore + ".staged-recovery\n"
)

// ignores reports whether a .gitignore contains ignoreTitle, or all patterns of ignoreText.
func ignores(text []byte) bool {
	if bytes.Contains(text, []byte(ignoreTitle)) {
		return true
	}
	has := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		has[strings.TrimRight(line, blanks)] = true
	}
	_, patterns, _ := strings.Cut(strings.TrimSpace(ignoreText), "\n")
	for pattern := range strings.SplitSeq(patterns, "\n") {
		if !has[pattern] {
			return false
		}
	}
	return true
}

// textNames returns the sorted names of the embedded files.
func textNames() []string {
	var names []string
	_ = fs.WalkDir(texts, "texts", func(name string, e fs.DirEntry, err error) error { // never fails for embedded files
		if err == nil && !e.IsDir() {
			names = append(names, strings.TrimPrefix(name, "texts/"))
		}
		return err
	})
	slices.Sort(names)
	return names
}

// textFile returns an embedded file.
func textFile(name string) []byte {
	text, _ := texts.ReadFile("texts/" + name) // never fails: a test reads all files
	return text
}
