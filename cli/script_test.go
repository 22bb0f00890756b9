package cli

import (
	"context"
	"flag"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions/demo"
)

// bindRootEnv names the variable that makes file permissions apply to a continuo that runs as root.
const bindRootEnv = "TEST_BIND_ROOT"

// TestMain makes the test binary behave like continuo when a test runs it under the name continuo. The clock is
// then fixed at $TEST_NOW; the value "panic" makes the clock panic.
func TestMain(m *testing.M) {
	// Most tests wait for a terminal or a process, so more of them run at once than there are processors. -parallel
	// overrides this.
	if err := flag.Set("test.parallel", "8"); err != nil {
		panic(err)
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
			var clock func() time.Time
			switch value := os.Getenv("TEST_NOW"); value {
			case "":
			case "panic":
				clock = func() time.Time { panic("the clock is broken") }
			default:
				at, err := time.Parse(time.RFC3339, value)
				if err != nil {
					panic(err)
				}
				clock = func() time.Time { return at }
			}
			os.Exit(Run(context.Background(), Program{
				Args: os.Args[1:], Env: os.Environ(), Version: "1.2.3", Now: clock,
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
				{"GORACE", "atexit_sleep_ms=0"}, // otherwise every run under -race sleeps for a second at its end
			} {
				env.Setenv(v[0], v[1])
			}
			return os.MkdirAll(home, 0o700)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"demo": scriptDemo, "expand": scriptExpand, "status": scriptStatus},
	})
}

// scriptDemo writes a demo config directory: demo DIR. Its projects are in $WORK/code. It sets $DEMO_TOTAL to the
// number of transcripts.
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

// scriptStatus runs continuo and checks its exit code: status CODE ARGS.
func scriptStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: status CODE ARGS...")
	}
	got := 0
	if err := ts.Exec("continuo", args[1:]...); err != nil {
		_, code, ok := strings.Cut(err.Error(), "exit status ")
		if got, err = strconv.Atoi(code); !ok || err != nil {
			ts.Fatalf("continuo did not exit: %s", code)
		}
	}
	if want := args[0]; strconv.Itoa(got) != want {
		ts.Fatalf("continuo exits with %d, not %s", got, want)
	}
}
