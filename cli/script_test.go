package cli

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/demo"
)

// bindRootEnv names a variable. It makes file permissions apply to continuo under root.
const bindRootEnv = "TEST_BIND_ROOT"

// TestMain: under the name continuo, the test binary is continuo. $TEST_NOW fixes its clock; with "panic",
// reading the clock panics.
func TestMain(m *testing.M) {
	// Most tests wait, so more tests than processors run at once. The flag -parallel overrides this.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
	}
	// Less garbage collection in the tests and their thousand processes.
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(400)
		if err := os.Setenv("GOGC", "400"); err != nil {
			panic(err)
		}
	}
	testscript.Main(m, map[string]func(){
		"standin": func() {
			if err := runStandIn(); err != nil {
				panic(err)
			}
		},
		"continuo": func() {
			if os.Getenv(bindRootEnv) != "" {
				bindRoot()
			}
			os.Exit(Run(context.Background(), Program{
				Args: os.Args[1:], Env: os.Environ(), Version: "1.2.3", Now: testClock(os.Getenv("TEST_NOW")),
				Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr,
			}))
		},
	})
}

// TestScripts runs the scripts in testdata/script. Each script has its own HOME.
func TestScripts(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(env *testscript.Env) error {
			home := filepath.Join(env.WorkDir, "home")
			for _, v := range [][2]string{
				{"HOME", home},
				{"XDG_STATE_HOME", filepath.Join(home, "state")},
				{"XDG_CONFIG_HOME", filepath.Join(home, "config")},
				{"XDG_CACHE_HOME", filepath.Join(home, "cache")},
				{"CLAUDE_CONFIG_DIR", ""},
				{"TZ", "UTC"},
				{"NO_COLOR", "1"},
				{"TERM", "xterm-256color"},
				{"TEST_NOW", now().Format(time.RFC3339)},
				{"GORACE", "atexit_sleep_ms=0"}, // otherwise, every run under -race would sleep for a second at its end
			} {
				env.Setenv(v[0], v[1])
			}
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"demo": scriptDemo, "expand": scriptExpand, "status": scriptStatus},
	})
}

// scriptDemo implements "demo DIR": it writes the demo, and sets $DEMO_TOTAL to the number of transcripts.
func scriptDemo(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: demo DIR")
	}
	stats, err := demo.Write(context.Background(), ts.MkAbs(args[0]), demo.Options{
		Now: now(), Root: filepath.Join(ts.Getenv("WORK"), "code"),
	})
	ts.Check(err)
	ts.Setenv("DEMO_TOTAL", strconv.Itoa(stats.Sessions))
}

// scriptExpand replaces $WORK in files.
func scriptExpand(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: expand FILE...")
	}
	for _, name := range args {
		text := strings.ReplaceAll(ts.ReadFile(name), "$WORK", ts.Getenv("WORK"))
		ts.Check(os.WriteFile(ts.MkAbs(name), []byte(text), 0o600))
	}
}

// scriptStatus implements "status CODE ARGS": it runs continuo and checks the exit code. Without a separate
// process, a run is 30 ms faster. Runs that read stdin, call os.TempDir or need bindRoot get a process.
func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: status CODE ARGS...")
	}
	want, got := args[0], 0
	if args = args[1:]; slices.Contains(args, "-") || slices.Contains(args, "hook") || slices.Contains(args, "demo") || ts.Getenv(bindRootEnv) != "" {
		if err := ts.Exec("continuo", args...); err != nil {
			_, code, ok := strings.Cut(err.Error(), "exit status ")
			if got, err = strconv.Atoi(code); !ok || err != nil {
				ts.Fatalf("continuo did not exit: %s", code)
			}
		}
	} else {
		var env []string
		for _, key := range []string{
			"BR_FAILS", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CONFIG_DIR", "CLAUDE_PROJECT_DIR", "GIT_AUTHOR_EMAIL", "GIT_AUTHOR_NAME", "GIT_COMMITTER_EMAIL",
			"GIT_COMMITTER_NAME", "GIT_CONFIG_GLOBAL", "HOME", "NO_COLOR", "PATH", "TERM", "TMPDIR", "TZ", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME",
		} {
			if value := ts.Getenv(key); value != "" {
				env = append(env, key+"="+value)
			}
		}
		got = Run(context.Background(), Program{
			Args: args, Env: env, Dir: ts.MkAbs("."), Version: "1.2.3", Now: testClock(ts.Getenv("TEST_NOW")),
			Stdin: strings.NewReader(""), Stdout: ts.Stdout(), Stderr: ts.Stderr(),
		})
	}
	if strconv.Itoa(got) != want {
		ts.Fatalf("continuo exits with %d, not %s", got, want)
	}
}

func testClock(value string) func() time.Time {
	switch value {
	case "":
		return nil
	case "panic":
		return func() time.Time { panic("the clock is broken") }
	}
	at, err := time.Parse(time.RFC3339, value)
	if err != nil {
		panic(err)
	}
	return func() time.Time { return at }
}
