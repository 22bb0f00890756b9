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

// shimOf returns the path of a hook's script below .claude (spec 000).
func shimOf(event string) string { return "hooks/on-" + event + ".sh" }

// file is a file of continuo in a project. name is relative to .claude.
type file struct {
	name string
	text []byte
	mode fs.FileMode
	// starts means that an existing file is never replaced, because it belongs to the project.
	starts bool
}

// projectFiles returns the files that the spec defines for a project, except CLAUDE.md and settings.json, which contain
// other text too. It returns the scripts of the backup hooks only for ScopeProject. gateFile returns the script of the
// gate.
func projectFiles(scope Scope) []file {
	files := []file{
		// These come first, so that git never sees a copy of a conversation.
		{name: "memory/.gitignore", text: []byte(ignoreText), mode: 0o644, starts: true},
		{name: "memory/raw/.gitignore", text: []byte("*\n"), mode: 0o600, starts: true},
		{name: "memory/trash/.gitignore", text: []byte("*\n"), mode: 0o600, starts: true},
	}
	for _, name := range textNames() {
		f := file{name: name, text: textFile(name), mode: 0o644}
		switch dir := path.Dir(name); dir {
		case ".": // CLAUDE.md: its text is only a section of the file
			continue
		case "memory":
			f.mode, f.starts = 0o600, true
		case "hooks", "scripts":
			f.mode = 0o755
			if dir == "hooks" && scope != ScopeProject || name == shimOf(hook.EventGate) {
				continue
			}
		}
		files = append(files, f)
	}
	slices.SortStableFunc(files, func(a, b file) int { return memoryFirst(a) - memoryFirst(b) })
	return files
}

// gateFile returns the script of the gate in a project.
func gateFile() file {
	name := shimOf(hook.EventGate)
	return file{name: name, text: textFile(name), mode: 0o755}
}

func memoryFirst(f file) int {
	if strings.HasPrefix(f.name, "memory/") {
		return 0
	}
	return 1
}

// ignoreText is the .gitignore of a memory. backup.Memory.Guard writes the same text; a test compares the two. It is
// repeated here so that the file is part of the plan that the user sees.
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

// ignores reports whether a .gitignore has the part written by continuo, or all of its patterns.
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
	_ = fs.WalkDir(texts, "texts", func(name string, e fs.DirEntry, err error) error { // in memory: can't fail
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
	text, _ := texts.ReadFile("texts/" + name) // a test reads them all
	return text
}
