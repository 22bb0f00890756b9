//go:build unix

package cli

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/cli/out"
)

// resumeWorld is a world in which claude is a script that runs until enter is pressed.
type resumeWorld struct {
	*world
	// The files version, status, exit and hold in dir control the script. It writes runs/<pid> at each start,
	// and asked/<pid> before it prints its version.
	dir     string
	program string // directory of continuo
	paths   string // PATH
	code    string // home/code, the folder of the sessions
	seen    map[string]bool
	inside  string // prefix that makes a command run inside tmux
}

// run is a recorded start of the client.
type run struct {
	pid     int
	pwd     string // $PWD
	folder  string // physical current directory
	config  string // $CLAUDE_CONFIG_DIR, or "unset"
	leftOut string // variables that continuo should have removed
	args    []string
}

// fakeClient is the script of the client. The two %s are dir and the config directory. Like client 2.1.329, it
// first adds itself to the registry if the file status exists.
const fakeClient = `#!/bin/sh
desk='%s' config=${CLAUDE_CONFIG_DIR:-'%s'}
if [ "$1" = --version ]; then
	[ -f "$desk/hold" ] && >"$desk/asked/$$"
	while [ -f "$desk/hold" ]; do sleep 0.05; done
	cat "$desk/version"
	exit
fi
printf '%%s\0' "$$" "$PWD" "$(pwd -P; echo x)" "${CLAUDE_CONFIG_DIR-unset}" \
	"${CLAUDECODE+CLAUDECODE}${CLAUDE_CODE_CHILD_SESSION+CHILD}${CLAUDE_CODE_ENTRYPOINT+ENTRYPOINT}" "$@" >"$desk/part.$$"
if [ -f "$desk/status" ]; then
	id='' was=''
	for word; do
		[ "$was" = --resume ] && id=$word
		[ "$word" = --fork-session ] && id=f0000000-0000-4000-8000-000000000000
		was=$word
	done
	if [ -r /proc/$$/stat ]; then
		stat=$(cat /proc/$$/stat) && set -- ${stat##*) } && shift 19 && start=$1
	else
		start=$(LC_ALL=C TZ=UTC ps -o lstart= -p $$)
	fi
	mkdir -p "$config/sessions"
	trap 'rm -f "$config/sessions/$$.json"' EXIT
	trap 'exit 1' HUP TERM
	printf '{"pid":%%s,"sessionId":"%%s","cwd":"%%s","procStart":"%%s",%%s}' $$ "$id" "$PWD" "$start" "$(cat "$desk/status")" >"$desk/entry.$$"
	mv "$desk/entry.$$" "$config/sessions/$$.json"
fi
trap 'echo; exit 130' INT
mv "$desk/part.$$" "$desk/runs/$$"
echo the client runs
read answer
[ -f "$desk/exit" ] && exit "$(cat "$desk/exit")"
exit 0
`

// newResumeWorld creates a resumeWorld. fill writes files to the home.
func newResumeWorld(t *testing.T, width, height int, fill func(home string), env ...string) *resumeWorld {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	d := &resumeWorld{dir: dir, seen: map[string]bool{}}
	d.say("version", "2.1.329 (Claude Code)\n")
	for _, name := range []string{"bin", "runs", "asked"} {
		if err := os.Mkdir(filepath.Join(dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	program, err := exec.LookPath("continuo")
	if err != nil {
		t.Fatal(err)
	}
	d.program = filepath.Dir(program)
	d.paths = strings.Join([]string{filepath.Join(dir, "bin"), d.program, os.Getenv("PATH")}, ":")
	d.world = newWorld(t, width, height, func(t *testing.T, config string) {
		home := filepath.Dir(config)
		d.code = filepath.Join(home, "code")
		putProgram(t, filepath.Join(dir, "bin", "claude"), fmt.Sprintf(fakeClient, dir, config))
		fill(home)
	}, append([]string{"PATH=" + d.paths}, env...)...)
	d.home = filepath.Dir(d.config)
	return d
}

// say writes a file in dir that controls the client.
func (d *resumeWorld) say(name, text string) {
	if err := os.WriteFile(filepath.Join(d.dir, name), []byte(text), 0o600); err != nil {
		panic(err)
	}
}

// live makes later clients add themselves to the registry.
func (d *resumeWorld) live(status string) {
	at := func(ago time.Duration) int64 { return now().Add(-ago).UnixMilli() }
	d.say("status", fmt.Sprintf(`"startedAt":%d,"updatedAt":%d,"status":%s`, at(3*time.Minute), at(40*time.Second), status))
}

// sit makes commands run inside tmux. It returns the screen of a second tmux that is attached: only an attached
// client shows popups.
func (d *resumeWorld) sit() screen {
	d.t.Helper()
	for _, name := range []string{"CONFIG", "CACHE", "STATE", "DATA"} {
		d.tmux("set-environment", "-g", "XDG_"+name+"_HOME", filepath.Join(d.home, strings.ToLower(name)))
	}
	for name, value := range map[string]string{
		"HOME": d.home, "TZ": "UTC", "TMPDIR": d.in("temp"), "TEST_NOW": now().Format(time.RFC3339), "PATH": d.paths, "LC_ALL": "C.UTF-8",
	} {
		d.tmux("set-environment", "-g", name, value)
	}
	d.inside = "TMUX='" + d.ask("#{socket_path}") + ",1,0' TMUX_PANE=" + d.ask("#{pane_id}") + " "
	return d.watch()
}

// start runs a command. After sit, the command runs inside tmux.
func (d *resumeWorld) start(command string) { d.t.Helper(); d.world.start(d.inside + command) }

// browse opens the browser with the given number of sessions, and selects one by name.
func (d *resumeWorld) browse(name string, of int, flags ...string) {
	d.t.Helper()
	d.start(strings.Join(append([]string{"continuo"}, flags...), " "))
	d.wait(` 1 of ` + strconv.Itoa(of) + `(?:$|  )`)
	d.pick(name)
}

func (d *resumeWorld) pick(name string) {
	d.t.Helper()
	under := `(?m)^▌ \S .*` + name
	if !regexp.MustCompile(under).MatchString(d.look()) {
		x, y := d.cell(name)
		d.click(x, y)
	}
	d.wait(under)
}

// runs returns the recorded starts that ran hasn't returned.
func (d *resumeWorld) runs() []string {
	d.t.Helper()
	entries, err := os.ReadDir(filepath.Join(d.dir, "runs"))
	if err != nil {
		d.t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if !d.seen[e.Name()] {
			names = append(names, e.Name())
		}
	}
	return names
}

// ran waits for the next start of the client, and checks its folder and arguments. There must be no other start.
func (d *resumeWorld) ran(folder string, args ...string) run {
	d.t.Helper()
	return d.ranWith("unset", folder, args...)
}

// ranWith is ran that also checks CLAUDE_CONFIG_DIR.
func (d *resumeWorld) ranWith(config, folder string, args ...string) run {
	d.t.Helper()
	eventually(d.t, "started the client", func() bool { return len(d.runs()) > 0 })
	names := d.runs()
	if len(names) > 1 {
		d.t.Errorf("%d clients were started", len(names))
	}
	d.seen[names[0]] = true
	text := readFile(d.t, filepath.Join(d.dir, "runs", names[0]))
	f := strings.Split(strings.TrimSuffix(text, "\x00"), "\x00")
	pid, _ := strconv.Atoi(f[0])
	got := run{pid: pid, pwd: f[1], folder: strings.TrimSuffix(f[2], "\nx"), config: f[3], leftOut: f[4], args: f[5:]}
	if got.folder != folder || got.pwd != folder || got.config != config || got.leftOut != "" || !slices.Equal(got.args, args) {
		d.t.Errorf("the client was started as\n%+v, want\n%q in %s with %s", got, args, folder, config)
	}
	return got
}

// none checks that no client was started since the last call of ran.
func (d *resumeWorld) none() {
	d.t.Helper()
	if names := d.runs(); len(names) > 0 {
		d.t.Errorf("clients were started: %v", names)
		for _, name := range names {
			d.seen[name] = true
		}
	}
}

// started waits for the client. Enter may be pressed only after a client runs: the screen may have the output of
// an earlier client.
func (d *resumeWorld) started() {
	d.t.Helper()
	eventually(d.t, "started the client", func() bool {
		entries, _ := os.ReadDir(filepath.Join(d.dir, "runs"))
		return slices.ContainsFunc(entries, func(e os.DirEntry) bool {
			pid, err := strconv.Atoi(e.Name())
			return err == nil && syscall.Kill(pid, 0) == nil
		})
	})
	d.wait(`^the client runs`)
}

// back waits for the client, ends it, and waits for the browser.
func (d *resumeWorld) back() {
	d.t.Helper()
	d.started()
	d.keys("Enter")
	d.behind(`^ continuo`)
}

// behind waits until a pattern appears on the screen after a pane has closed. A tmux with utempter may notice late that
// the program of the pane has ended. run-shell makes tmux check.
func (d *resumeWorld) behind(pattern string) {
	d.t.Helper()
	re := regexp.MustCompile("(?m)" + pattern)
	d.until(pattern, func(now string) bool {
		ok := re.MatchString(now)
		if !ok {
			d.tmux("run-shell", "true")
		}
		return ok
	})
}

// panel waits for a panel with these texts, in this order.
func (d *resumeWorld) panel(says ...string) string {
	d.t.Helper()
	return d.until("a plan with "+strings.Join(says, " … "), func(now string) bool {
		_, now, _ = strings.Cut(now, "─ ") // of the border
		now = strings.Join(strings.Fields(strings.NewReplacer("│", " ", "▌", " ").Replace(now)), " ")
		for _, text := range says {
			_, rest, ok := strings.Cut(now, text)
			if !ok {
				return false
			}
			now = rest
		}
		return true
	})
}

// offers checks the letters of the choices in the panel.
func (d *resumeWorld) offers(want string) {
	d.t.Helper()
	var keys strings.Builder
	for _, m := range regexp.MustCompile(`(?m)│[▌ ]  ([a-z])  \S`).FindAllStringSubmatch(d.look(), -1) {
		keys.WriteString(m[1])
	}
	if keys.String() != want {
		d.t.Errorf("the plan offers %q, not %q:\n%s", keys.String(), want, d.look())
	}
}

func (d *resumeWorld) dismiss() {
	d.t.Helper()
	d.keys("Escape")
	d.gone(`^ ✗`)
}

// leave closes the browser, and checks that only the given paths were written.
func (d *resumeWorld) leave(wrote ...string) {
	d.t.Helper()
	d.keys("q")
	d.ended(out.ExitDone, wrote...)
}

// ended calls world.ended, allows continuo's own files, and checks that no client was started.
func (d *resumeWorld) ended(code int, wrote ...string) {
	d.t.Helper()
	d.none()
	for _, path := range []string{"state", "state/continuo", "state/continuo/starting.json", "cache", "cache/continuo", "cache/continuo/projects"} {
		wrote = append(wrote, filepath.Join(d.home, path))
	}
	d.world.ended(code, wrote...)
	d.tmux("send-keys", "-R")
}

func (d *resumeWorld) registry() []string { return everything(filepath.Join(d.config, "sessions")) }

// elsewhere starts the client without a terminal. The returned function ends the client.
func (d *resumeWorld) elsewhere(k past) (run, func()) {
	d.t.Helper()
	cmd := exec.CommandContext(d.t.Context(), filepath.Join(d.dir, "bin", "claude"), "--resume", k.id())
	cmd.Dir = k.workdir(d.home)
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "PWD=" + cmd.Dir}
	in, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		d.t.Fatal(err)
	}
	end := func() {
		_, _ = io.WriteString(in, "\n") // the client may have ended
		_ = cmd.Wait()
	}
	d.t.Cleanup(end)
	return d.ran(cmd.Dir, "--resume", k.id()), end
}

// leave presses q for each level of the browser. It waits after each q: the shell would receive a surplus q.
func (s screen) leave() {
	s.t.Helper()
	for range 5 {
		s.keys("q")
		for range 40 {
			if strings.TrimSpace(s.tmux("display-message", "-p", "#{alternate_on}")) == "0" {
				return
			}
			time.Sleep(50 * time.Millisecond)
		}
	}
	s.t.Errorf("q does not leave:\n%s", s.look())
}
