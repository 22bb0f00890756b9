//go:build unix

package cli

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// hookWorld is a clientWorld with hooks in the repository ~/code.
type hookWorld struct {
	*clientWorld
	bare map[string]string // the files in ~/code before init, by path
	had  []string          // backups returned by backedUp
	ran  int               // commands so far
}

// compactedTo is the mock's answer to a request for a summary.
const compactedTo = "<summary>It was about knots.</summary>"

func newHookWorld(t *testing.T, init string) *hookWorld {
	t.Helper()
	w := &hookWorld{clientWorld: newClientWorld(t)}
	w.api.reply = func(prompt string) string {
		if strings.Contains(prompt, "create a detailed summary") {
			return compactedTo
		}
		return heard(prompt[strings.LastIndex(prompt, "\n")+1:]) // after a compaction, the summary precedes the prompt
	}
	w.api.tokens = func(prompt string) int {
		if strings.HasPrefix(prompt[strings.LastIndex(prompt, "\n")+1:], "much") {
			return 990_000 // of 1,000,000 tokens: the client compacts before the next prompt
		}
		return 100
	}
	w.run("cd '" + w.code + "'; git init -q; git config user.name x; git config user.email x@example.com; echo do''ne")
	w.wait(`^done$`)
	for name, text := range map[string]string{
		"main.go": "package main\n", "CLAUDE.md": "Be brief.\n",
		".claude/settings.json": "{\n\t\"theme\": \"dark\", \"unknown\": [1,  2]\n}",
		".claude/CLAUDE.md":     "# Ours\n\nNo new line at the end",
	} {
		w.write(filepath.Join(w.code, name), text)
	}
	// With this setting, claude -p leaves pending backups too.
	w.write(filepath.Join(w.home, "config", "continuo", "config.toml"), "hooks.headless = \"pending\"\n")
	w.bare = w.files()
	w.does(0, init)
	return w
}

func (w *hookWorld) does(want int, command string) string {
	w.t.Helper()
	w.ran++
	w.run(fmt.Sprintf("%s; echo ran %d $?", command, w.ran))
	screen := w.wait(fmt.Sprintf(`^ran %d \d+$`, w.ran))
	if !strings.Contains(screen, fmt.Sprintf("\nran %d %d\n", w.ran, want)) {
		w.t.Errorf("%s: not exit code %d:\n%s", command, want, screen)
	}
	w.wait(`^\$ *$`)
	return screen
}

func (w *hookWorld) write(path, text string) {
	w.t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o700)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o600)
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

// files returns the contents of ~/code by path, without .git.
func (w *hookWorld) files() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(w.code, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if e.Name() == ".git" {
			return fs.SkipDir
		}
		if e.Type().IsRegular() {
			all[path] = readFile(w.t, path)
		}
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return all
}

func (w *hookWorld) memory(names ...string) string {
	return filepath.Join(append([]string{w.code, ".claude", "memory"}, names...)...)
}

func (w *hookWorld) backups() []string {
	w.t.Helper()
	paths, err := filepath.Glob(w.memory("raw", "*.jsonl"))
	if err != nil {
		w.t.Fatal(err)
	}
	var names []string
	for _, path := range paths {
		names = append(names, filepath.Base(path))
	}
	return names
}

// backedUp waits for a new backup, and checks everything that names the backup.
func (w *hookWorld) backedUp(id, reason, log, marker string) string {
	w.t.Helper()
	var added []string
	w.eventually("a backup "+reason, func() bool {
		added = slices.DeleteFunc(w.backups(), func(name string) bool { return slices.Contains(w.had, name) })
		return len(added) > 0 && strings.HasSuffix(w.log(), w.memory("raw", added[0])+"\n")
	})
	name := added[0]
	path := w.memory("raw", name)
	if len(added) != 1 || !regexp.MustCompile(`^\d{8}_\d{6}Z_`+reason+`(-\d)?\.jsonl$`).MatchString(name) {
		w.t.Fatalf("new backups: %v, not one %s", added, reason)
	}
	w.had = append(w.had, name)
	text := readFile(w.t, path)
	rest, ok := strings.CutPrefix(w.transcript(id), text)
	if !ok || text == "" {
		w.t.Errorf("%s is not the beginning of the transcript", name)
	}
	if turns, _ := w.turns(rest, id); len(turns) > 0 && log == "SessionEnd" {
		w.t.Errorf("%s lacks these turns:\n%s", name, turnLines(turns))
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		w.t.Errorf("%s: %v, %v", name, info.Mode(), err)
	}
	if sum := fmt.Sprintf("%x  %s\n", sha256.Sum256([]byte(text)), name); !strings.Contains(readFile(w.t, w.memory("raw", ".sums")), sum) {
		w.t.Errorf("no sum %s", sum)
	}
	line := w.log()[strings.LastIndex(strings.TrimSuffix(w.log(), "\n"), "\n")+1:]
	if !regexp.MustCompile(`^\[\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ\] ` + log + ` \([a-z_]+\): Saved backup to ` + regexp.QuoteMeta(path) + "\n$").MatchString(line) {
		w.t.Errorf("the log ends with %q", line)
	}
	if got := readFile(w.t, w.memory(marker)); got != path+"\n" {
		w.t.Errorf("%s names %q, not %s", marker, got, path)
	}
	if log != "continuo" { // a hook updated the context
		w.context(path)
	}
	return path
}

func (w *hookWorld) log() string {
	text, _ := os.ReadFile(w.memory(".backup-log")) // the file may not exist yet
	return string(text)
}

// context checks that active-context.md names a backup, and repeats no line.
func (w *hookWorld) context(path string) {
	w.t.Helper()
	var text string
	w.eventually("the context names "+path, func() bool {
		text = readFile(w.t, w.memory("active-context.md"))
		return strings.Contains(text, "- Transcript backup: "+path+"\n")
	})
	for _, once := range []string{"## Session Exit", "- Last exit: ", "## Compaction", "- Last compaction: ", "- Transcript backup: " + path} {
		if n := strings.Count(text, "\n"+once); n > 1 {
			w.t.Errorf("the context has %q %d times:\n%s", once, n, text)
		}
	}
}

func (w *hookWorld) eventually(what string, ok func() bool) {
	w.t.Helper()
	if !patiently(ok) {
		w.t.Fatalf("never: %s\n%s", what, w.look())
	}
}

func (w *hookWorld) begin(prompt string, args ...string) string {
	w.t.Helper()
	before := w.transcripts()
	w.run("cd '" + w.code + "'; claude " + strings.Join(args, " "))
	w.ready("")
	w.say(prompt)
	return w.newest(before)
}

// newest waits for a transcript that isn't in before, and returns its session ID.
func (w *hookWorld) newest(before map[string]string) string {
	w.t.Helper()
	var id string
	w.eventually("a transcript", func() bool {
		for name := range w.transcripts() {
			if before[name] == "" {
				id = name
			}
		}
		return id != ""
	})
	return id
}

func (w *hookWorld) end() {
	w.t.Helper()
	w.exit()
	w.wait(`^claude --resume `)
	w.wait(`^\$ *$`)
}

// startMessage checks the lines of the SessionStart hook in the newest request.
func (w *hookWorld) startMessage(source string, lines ...string) {
	w.t.Helper()
	all := w.api.requests()
	output := regexp.MustCompile(`(?s)SessionStart:`+source+` hook success: (.*?)(?:\n\n|\n?</system-reminder>|$)`).FindAllStringSubmatch(all[len(all)-1].Whole, -1)
	want := strings.Join(lines, "\n")
	switch {
	case want == "" && len(output) > 0:
		w.t.Errorf("the model got %q", output)
	case want != "" && (len(output) != 1 || strings.TrimSpace(output[0][1]) != want):
		w.t.Errorf("the model got %q, not %q", output, want)
	}
	w.quiet()
}

// quiet checks that only the SessionStart hook has output.
func (w *hookWorld) quiet() {
	w.t.Helper()
	for _, r := range w.api.requests() {
		// This line comes from the client, not from the hook.
		whole := strings.ReplaceAll(r.Whole, "on-pre-compact.sh] completed successfully", "")
		if m := regexp.MustCompile(`(?i)(SessionEnd|PreCompact)[^\n]*hook\b[^\n]*|Additional Instructions:[^\n]*\n?[^\n]*`).FindString(whole); m != "" {
			w.t.Errorf("the model got %q", m)
		}
	}
}

// pendingOne and pendingEach return lines of the SessionStart hook.
func pendingOne(path string) []string {
	return []string{
		"SESSION_BACKUP_PENDING: A previous session backup exists at " + path,
		"User should run /resume-latest to restore context, or /discard-backup to discard.",
	}
}

func pendingEach(lines ...string) []string {
	for i, line := range lines {
		kind, path, _ := strings.Cut(line, " ")
		lines[i] = "SESSION_BACKUP_PENDING (" + kind + "): Backup exists at " + path
	}
	return append(lines, "User should run /resume-latest to restore context, or /discard-backup to discard.")
}

func (w *hookWorld) staged() {
	w.t.Helper()
	screen := w.does(0, "git add -A; git ls-files .claude/memory")
	if !regexp.MustCompile(`(?m)^\.claude/memory/active-context\.md$`).MatchString(screen) {
		w.t.Errorf("git has not staged the context:\n%s", screen)
	}
	for _, not := range []string{".jsonl", ".pending-backup", ".backup-log", ".sums", ".lock"} {
		if strings.Contains(screen, not) {
			w.t.Errorf("git has staged %s:\n%s", not, screen)
		}
	}
}

func (w *hookWorld) discarded(pending ...string) {
	w.t.Helper()
	before := w.kept()
	w.does(0, "continuo backup discard --yes")
	now := w.kept()
	for _, path := range pending {
		if now[path] != "" {
			w.t.Errorf("%s is still there", path)
		}
	}
	if n := len(before) - len(now); n != 2*len(pending) {
		w.t.Errorf("%d files are gone, not %d backups and their markers", n, len(pending))
	}
	if output := w.does(0, ".claude/scripts/discard-backup.sh"); !strings.HasPrefix(output, "No pending backup to discard.\n") {
		w.t.Errorf("the script printed:\n%s", output)
	}
	w.does(0, "continuo backup undo --yes")
	if now := w.kept(); !maps.Equal(now, before) {
		w.t.Errorf("undone: %v, not %v", slices.Sorted(maps.Keys(now)), slices.Sorted(maps.Keys(before)))
	}
}

// kept returns the contents of backups and markers by path.
func (w *hookWorld) kept() map[string]string {
	w.t.Helper()
	all := map[string]string{}
	for _, pattern := range []string{w.memory("raw", "*.jsonl"), w.memory(".pending-backup*")} {
		paths, err := filepath.Glob(pattern)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, path := range paths {
			all[path] = readFile(w.t, path)
		}
	}
	return all
}

func (w *hookWorld) restored(id, backup string) {
	w.t.Helper()
	path := w.transcripts()[id]
	if err := os.Remove(path); err != nil {
		w.t.Fatal(err)
	}
	w.does(0, "continuo backup restore "+filepath.Base(backup)+" --yes")
	if now := w.transcripts()[id]; now != path || readFile(w.t, now) != readFile(w.t, backup) {
		w.t.Log(now, w.look())
		w.t.Error("the transcript is not that of the backup")
	}
	if now := w.kept(); now[w.memory(".pending-backup")] != "" || now[backup] == "" {
		w.t.Errorf("left: %v", slices.Sorted(maps.Keys(now)))
	}
	w.run("continuo resume " + id)
	w.ready("how is a bowline tied")
	w.say("once more")
	sameTurns(w.t, "the model got", w.lastAsked(), append(turnsOf("how is a bowline tied"), apiTurn{"user", "once more"}))
	w.end()
}

// uninstalled checks that uninstall restores all files except .claude/memory.
func (w *hookWorld) uninstalled() {
	w.t.Helper()
	before := w.kept()
	w.does(0, "continuo uninstall --yes")
	now := w.files()
	maps.DeleteFunc(now, func(path, _ string) bool { return strings.HasPrefix(path, w.memory()) })
	if !maps.Equal(now, w.bare) {
		w.t.Errorf("left: %q\nwas: %q", now, w.bare)
	}
	if !maps.Equal(w.kept(), before) {
		w.t.Error("the backups are not all there")
	}
	w.does(0, "claude -p 'without hooks'")
	if !maps.Equal(w.kept(), before) {
		w.t.Error("there was one more backup")
	}
}
