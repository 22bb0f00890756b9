//go:build unix

package cli

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions/demo"
)

// world is a terminal with its own home. Its continuo is the test binary (see TestMain), so the race detector
// covers it. The clock is fixed at now(). All terminal output is recorded.
type world struct {
	screen
	root   string            // parent of the test's directories
	home   string            // has only .claude at first
	config string            // home/.claude
	before map[string]string // files in the home before the test; see contents
}

// newWorld starts a shell in an empty directory. fill writes the config directory.
func newWorld(t *testing.T, width, height int, fill func(t *testing.T, config string), env ...string) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("drives a terminal")
	}
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	program, err := exec.LookPath("continuo")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{root: root, home: filepath.Join(root, "home")}
	w.config = filepath.Join(w.home, ".claude")
	for _, dir := range []string{w.home, w.in("here"), w.in("temp"), w.in("notes")} {
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	fill(t, w.config)
	w.before = contents(t, w.home)
	w.screen = newScreen(t, width, height, w.in("here"), append([]string{
		"HOME=" + w.home, "TZ=UTC", "TMPDIR=" + w.in("temp"), "TEST_NOW=" + now().Format(time.RFC3339),
		"PATH=" + filepath.Dir(program) + string(filepath.ListSeparator) + os.Getenv("PATH"),
		"XDG_CONFIG_HOME=" + filepath.Join(w.home, "config"), "XDG_CACHE_HOME=" + filepath.Join(w.home, "cache"),
		"XDG_STATE_HOME=" + filepath.Join(w.home, "state"), "XDG_DATA_HOME=" + filepath.Join(w.home, "data"),
		"GORACE=atexit_sleep_ms=0 exitcode=0 log_path=" + filepath.Join(w.in("notes"), "race"),
	}, env...)...)
	w.tmux("pipe-pane", "cat > '"+w.in("notes", "stream")+"'")
	return w
}

func (w *world) in(names ...string) string {
	return filepath.Join(append([]string{w.root}, names...)...)
}

// start runs a command, and records the terminal settings before and after.
func (w *world) start(command string) {
	w.t.Helper()
	notes := w.in("notes")
	w.text("stty -g >" + notes + "/was; " + command + "; echo code $?; stty -g >" + notes + "/is")
	w.keys("Enter")
}

// ended waits until the command has ended, and checks its exit code. The terminal, the directory and the home
// must be unchanged, except the paths in wrote.
func (w *world) ended(code int, wrote ...string) {
	w.t.Helper()
	if got := w.match(`^code (\d+)$`)[1]; got != fmt.Sprint(code) {
		w.t.Errorf("exit code %s, want %d:\n%s", got, code, w.look())
	}
	w.wait(`^\$ *$`)
	if got := w.ask("#{alternate_on} #{cursor_flag} #{mouse_any_flag}"); got != "0 1 0" {
		w.t.Errorf("alternate screen, cursor, mouse: %s", got)
	}
	w.text("echo o''k")
	w.keys("Enter")
	w.wait(`^\$ echo o''k\nok$`)
	was, is := readFile(w.t, w.in("notes", "was")), readFile(w.t, w.in("notes", "is"))
	if was == "" || was != is {
		w.t.Errorf("the terminal was %s and is %s", was, is)
	}
	if left := modesLeft(w.stream("ok\r\n")); len(left) > 0 {
		w.t.Errorf("the terminal is left with %q", left)
	}
	w.untouched(wrote)
}

// untouched checks that the home is unchanged, except the paths in wrote, the known projects and the index.
func (w *world) untouched(wrote []string) {
	w.t.Helper()
	for _, name := range []string{"cache", ".cache"} {
		cache := filepath.Join(w.home, name)
		wrote = append(wrote, cache, filepath.Join(cache, "continuo"), filepath.Join(cache, "continuo", "projects"))
	}
	isIndex := func(path string) bool {
		return strings.Contains(path, filepath.Join("cache", "continuo", "index"))
	}
	after := contents(w.t, w.home)
	maps.DeleteFunc(after, func(path, _ string) bool { return isIndex(path) })
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if before, ok := w.before[path]; !ok && !slices.Contains(wrote, path) {
			w.t.Errorf("made: %s", path)
		} else if ok && before != after[path] && !slices.Contains(wrote, path) {
			w.t.Errorf("changed: %s from %s to %s", path, before, after[path])
		}
	}
	for path := range w.before {
		if _, ok := after[path]; !ok && !isIndex(path) && !slices.Contains(wrote, path) {
			w.t.Errorf("removed: %s", path)
		}
	}
	for _, dir := range []string{"here", "temp"} {
		if entries, err := os.ReadDir(w.in(dir)); err != nil || len(entries) > 0 {
			w.t.Errorf("left in %s: %v, %v", dir, entries, err)
		}
	}
	w.raced()
}

// raced fails the test after a race. It ignores races in cancelreader: Bubble Tea waits at most half a second
// for its reader.
func (w *world) raced() {
	w.t.Helper()
	races, err := filepath.Glob(w.in("notes", "race.*"))
	if err != nil {
		w.t.Fatal(err)
	}
	for _, path := range races {
		if text := readFile(w.t, path); !strings.Contains(text, "cancelreader") {
			w.t.Errorf("data race:\n%s", text)
		}
	}
}

// contents returns the modes below a directory by path, and the times and hashes of files.
func contents(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		all[path] = info.Mode().String()
		if info.Mode().IsRegular() {
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			all[path] += fmt.Sprintf(" %d %x", info.ModTime().UnixNano(), sha256.Sum256(text))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// stream waits for the text end and a prompt. It returns the whole output.
func (w *world) stream(end string) string {
	w.t.Helper()
	var text string
	if !patiently(func() bool {
		text = readFile(w.t, w.in("notes", "stream"))
		return strings.HasSuffix(text, end+"$ ")
	}) {
		w.t.Fatalf("the terminal never got %q:\n%q", end, text[max(0, len(text)-400):])
	}
	return text
}

// modesLeft returns the terminal modes that differ from the default at the end.
func modesLeft(stream string) []string {
	state := map[string]string{}
	for _, m := range regexp.MustCompile(`\x1b\[\?([\d;]+)([hl])`).FindAllStringSubmatch(stream, -1) {
		for _, mode := range strings.Split(m[1], ";") {
			state[mode] = m[2]
		}
	}
	var left []string
	for _, mode := range slices.Sorted(maps.Keys(state)) {
		if on := mode == "25" || mode == "7"; on != (state[mode] == "h") { // modes that are on by default
			left = append(left, mode+state[mode])
		}
	}
	last := func(name, pattern, want string) {
		if all := regexp.MustCompile(pattern).FindAllStringSubmatch(stream, -1); len(all) > 0 && all[len(all)-1][1] != want {
			left = append(left, name+" "+all[len(all)-1][1])
		}
	}
	last("shape of the cursor", `\x1b\[(\d*) q`, "0")
	last("modified keys", `\x1b\[>4;?(\d*)m`, "")
	if pushed, popped := len(regexp.MustCompile(`\x1b\[>\d*u`).FindAllString(stream, -1)), len(regexp.MustCompile(`\x1b\[<\d*u`).FindAllString(stream, -1)); pushed != popped {
		left = append(left, fmt.Sprintf("%d keyboards", pushed-popped))
	}
	return left
}

// writeDemo writes the demo's config directory.
func writeDemo(t *testing.T, config string) {
	t.Helper()
	if _, err := demo.Write(t.Context(), config, demo.Options{Now: now().Add(-2 * time.Minute), Root: filepath.Join(filepath.Dir(config), "code")}); err != nil {
		t.Fatal(err)
	}
}

// writeFullDemo also writes the demo's projects, with backups and documents.
func writeFullDemo(t *testing.T, config string) {
	t.Helper()
	_, err := demo.Write(t.Context(), config, demo.Options{
		Now: now().Add(-2 * time.Minute), Root: filepath.Join(filepath.Dir(config), "code"), Memory: true,
	})
	if err != nil {
		t.Fatal(err)
	}
}

// writeReal copies the first config directory in $CONTINUO_CORPUS.
func writeReal(t *testing.T, config string) {
	t.Helper()
	dirs := filepath.SplitList(os.Getenv("CONTINUO_CORPUS"))
	if len(dirs) == 0 {
		t.Skip("CONTINUO_CORPUS is not set")
	}
	err := filepath.WalkDir(dirs[0], func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dirs[0], path)
		if err != nil {
			return err
		}
		switch to := filepath.Join(config, name); {
		case e.IsDir():
			return os.Mkdir(to, 0o700)
		case e.Type().IsRegular():
			text, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return os.WriteFile(to, text, 0o600)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
