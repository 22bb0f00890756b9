package cli

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions/hook"
)

func TestBackupCommandLine(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]struct {
		code int
		text string // expected in stdout or stderr
	}{
		"backup":                     {out.ExitDone, "Show, create and discard raw backups"},
		"backup --help":              {out.ExitDone, "Show, create and discard raw backups"},
		"help backup":                {out.ExitDone, "Show, create and discard raw backups"},
		"help backup list":           {out.ExitDone, "List the raw backups of every known project"},
		"backup list --help":         {out.ExitDone, "List the raw backups of every known project"},
		"help backup lisst":          {out.ExitFailed, "There is no command lisst of backup. Did you mean list?"},
		"backup lisst":               {out.ExitFailed, "There is no command lisst of backup. Did you mean list?\n  hint  continuo backup --help"},
		"backup list one":            {out.ExitFailed, "list takes no argument one. It has flags only.\n  hint  continuo backup list --help"},
		"backup list --nope":         {out.ExitFailed, "There is no flag --nope here. See the help.\n  hint  continuo backup list --help"},
		"backup show":                {out.ExitFailed, "show takes one backup"},
		"backup show a b":            {out.ExitFailed, "show takes one backup"},
		"backup show 2026 --width 0": {out.ExitFailed, "--width takes a number of columns"},
		"backup show 20261121":       {out.ExitNone, "No backup has the name, time or session 20261121. List all backups."},
		"backup show 202":            {out.ExitNone, "202 is too short. Type at least 4 characters"},
		"backup show no/such.jsonl":  {out.ExitNone, "No backup has the name"},
		"backup restore":             {out.ExitFailed, "restore takes one backup"},
		"backup restore 20261121":    {out.ExitNone, "No backup has the name"},
		"backup discard 20261121":    {out.ExitNone, "No backup has the name"},
		"backup verify 20261121":     {out.ExitNone, "No backup has the name"},
		"backup discard":             {out.ExitFailed, "This folder isn't in a known project."},
		"backup prune":               {out.ExitFailed, "This folder isn't in a known project."},
		"backup undo":                {out.ExitFailed, "This folder isn't in a known project."},
		"backup verify":              {out.ExitFailed, "This folder isn't in a known project."},
		"backup discard --project .": {out.ExitFailed, "has no .claude/memory. Create it.\n  hint  continuo init"},
		"backup undo 20261121_x":     {out.ExitNone, "The trash is empty. Nothing to undo.\n"},
		"backup undo a b":            {out.ExitFailed, "undo takes one entry of the trash, not 2 words."},
		"backup prune --keep 0":      {out.ExitFailed, "--keep takes 1 or more"},
		"backup prune --keep x":      {out.ExitFailed, "--keep takes a number, not x."},
		"backup prune --older-than x": {
			out.ExitFailed, "--older-than takes an age (30m 12h 7d 2w 3mo 1y) or a date (2026-11-21), not x.\n  hint  continuo backup prune --help",
		},
		"backup prune --empty-trash --keep 5": {out.ExitFailed, "--empty-trash deletes the whole trash."},
		"backup create":                       {out.ExitFailed, "create takes a session"},
		"backup create one --missed":          {out.ExitFailed, "--missed takes no session: it backs up every session without a backup."},
		"backup create one --project .":       {out.ExitFailed, "--project needs --missed: a named session has its own project."},
		"backup create one":                   {out.ExitNone, "No session has the ID or title one."},
		"backup create --missed":              {out.ExitDone, "No session ended without a backup"},
		"backup list --trash":                 {out.ExitDone, ""},
		"backup list --trash --json":          {out.ExitDone, "[\n]\n"},
	} {
		code, stdout, stderr := testRun{args: strings.Fields(line)}.do(t)
		if text := stdout + stderr; code != want.code || !strings.Contains(text, want.text) {
			t.Errorf("%s: exit code %d, want %d\n%s", line, code, want.code, text)
		}
	}
}

func TestBackupNames(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	made := func(day int) time.Time { return time.Date(2026, 11, day, 11, 2, 13, 0, time.UTC) }
	s.backup("20261121_110213Z_exit", "teahouse", "3f9ac1e0-0001", made(21), 1, "{}\n")
	s.backup("20261120_110213Z_compact", "teahouse", "3f9ac1e0-0001", made(20), 1, "{}\n")
	s.backup("20261120_110213Z_compact", "pantry", "d20b91c4-0002", made(20), 1, "{}\n")
	s.backup("20261119_110213Z_exit", "pantry", "3f9ac1e0-0003", made(19), 1, "{}\n")
	s.backup("20261118_110213Z_exit", "pantry", "", made(18), 1, "{}\n")
	s.backup("20261118_110213Z_exit-2", "pantry", "", made(18), 1, "{}\n")
	s.backup("20261101_110213Z_exit", "pantry", "20261121-0004", made(1), 1, "{}\n")
	l := &backups.Rows{Rows: s.rows}
	l.Sort(nil)
	d := newDeps(Program{Dir: filepath.Join(s.dir, "teahouse"), Env: []string{"HOME=" + s.dir}, Now: now, Stdout: io.Discard, Stderr: io.Discard})
	for word, want := range map[string][]int{
		"20261121_110213Z_exit":       {0},
		"20261121_110213Z_exit.jsonl": {0},
		"20261121":                    {0}, // a name has priority over an ID
		"20261121-0004":               {6},
		"20261121-":                   {6},
		"2026112":                     {0, 1, 2},
		"20261120_1102":               {1, 2},
		"20261120_110213Z_compact":    {1, 2},
		"20261118_110213Z_exit":       {4}, // a complete name has priority over a longer name
		"3F9AC1E0-0001":               {0, 1},
		"3f9a":                        {0, 1, 3},
		"3f9ac1e0-0003":               {3},
		"3f9":                         nil,
		"":                            nil,
		"Z_exit":                      nil,
		s.rows[2].Path:                {2},
		"../pantry/.claude/memory/raw/20261119_110213Z_exit.jsonl":      {3},
		"~/pantry/.claude/memory/raw/20261119_110213Z_exit.jsonl":       {3},
		"./.claude/memory/raw/20261121_110213Z_exit.jsonl":              {0},
		"../pantry/.claude/memory/raw/gone.jsonl":                       nil,
		"../pantry/.claude/memory/raw":                                  nil,
		filepath.Join(s.dir, "teahouse", "20261121_110213Z_exit.jsonl"): nil,
	} {
		var got []int
		for _, b := range backups.Named(d.Env, l.Of(find.Scope{}), word) {
			got = append(got, slices.IndexFunc(l.List, func(o backups.Row) bool { return o.Row.Path == b.Row.Path }))
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", word, got, want)
		}
	}
	// Only commands that change nothing accept a session ID.
	if b, err := backups.One(d.Env, l, l.Of(find.Scope{}), "3f9ac1e0-0001", true); err != nil || b.Row.Path != s.rows[0].Path {
		t.Errorf("%v, %v", b, err)
	}
	for word, want := range map[string]string{
		"3f9ac1e0-0001": "2 backups match the session ID 3f9ac1e0-0001. Name one by its file name.",
		"2026112":       "3 backups begin with 2026112. Type more of the name.",
		"20261120":      "2 backups have the name 20261120. Name one by its path.",
	} {
		_, err := backups.One(d.Env, l, l.Of(find.Scope{}), word, false)
		f := out.AsFailure(err)
		if f.What != want || len(f.Facts) < 2 || f.ExitCode() != out.ExitFailed {
			t.Errorf("%q: %q %q", word, f.What, f.Facts)
		}
	}
	if _, err := backups.One(d.Env, l, l.Of(find.Scope{}), "3f9a", true); err == nil {
		t.Error("the newest of several sessions is taken")
	}
	if all, err := backups.All(d.Env, l, l.Of(find.Scope{}), []string{"20261121", "20261121_110213Z_exit", "20261101"}); err != nil || len(all) != 2 {
		t.Errorf("%d, %v", len(all), err)
	}
}

func TestBackupCompletion(t *testing.T) {
	t.Parallel()
	s := screenShelf(t)
	s.backup("20261110_000000Z_$(reboot)", "teahouse", "id", now(), 1, "{}\n")
	s.backup("20261110_000000Z_evil", "\x1b[31mtea", "id", now(), 1, "{}\n")
	const keep = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
	const compact = "20261121_110213Z_compact\tToday 11:02, teahouse"
	for words, want := range map[string][]string{
		"backup li":                             {"list\tList backups that are pending or not reviewed"},
		"backup show 20261121":                  {compact},
		"backup restore 20261121":               {compact},
		"backup discard 20261120 20261121":      {compact},
		"backup verify 20261121_110213Z_comp":   {compact},
		"backup show 20261110":                  {"20261110_000000Z_evil\tToday 15:52, tea"},
		"backup show 20261121_110213Z_compact ": nil,
		"backup list ":                          nil,
		"backup prune ":                         nil,
		"backup undo ":                          nil,
		"backup prune --empty":                  {"--empty-trash\tdelete everything in the trash instead; this can't be undone"},
		"backup create 3f9a":                    {"3f9ac1e0-same\tSession 3f9ac1e0-same"},
	} {
		got, directive := complete(t, testRun{src: fakeSource{rows: s.rows}, dir: s.dir}, strings.Split(words, " ")...)
		if !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
		if strings.Contains(words, "show 2") && !strings.HasSuffix(words, " ") && directive != keep {
			t.Errorf("%q: directive %d", words, directive)
		}
	}
}

func TestBackupFolders(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.backup("20261121_110213Z_exit", "teahouse", "gone", now(), 3, "{}\n")
	s.backup("20261120_110213Z_exit", "pantry", "gone", now(), 3, "{}\n")
	cache := filepath.Join(s.dir, "cache")
	s.write(filepath.Join(cache, "continuo", "projects"), filepath.Join(s.dir, "teahouse")+"\n"+filepath.Join(s.dir, "nowhere")+"\n")
	run := func(args ...string) string {
		t.Helper()
		return runIn(t, s.dir, []string{"XDG_CACHE_HOME=" + cache}, out.ExitDone, args...)
	}
	if out := run("backup", "list"); strings.Count(out, "\n") != 1 || !strings.Contains(out, "20261121_110213Z_exit\t") {
		t.Errorf("known: %q", out)
	}
	if out := run("backup", "list", "--project", "pantry"); strings.Count(out, "\n") != 1 || !strings.Contains(out, "20261120_110213Z_exit\t") {
		t.Errorf("--project: %q", out)
	}
	if out := run("backup", "verify", filepath.Join("pantry", ".claude", "memory", "raw", "20261120_110213Z_exit.jsonl")); !strings.HasPrefix(out, "no-record\t") {
		t.Errorf("a path: %q", out)
	}
}

func runIn(t *testing.T, home string, env []string, code int, args ...string) string {
	t.Helper()
	var stdout, stderr strings.Builder
	d := newDeps(Program{
		Args: args, Env: append([]string{"HOME=" + home}, env...), Dir: home, Now: now,
		Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
	})
	if got := execute(t.Context(), d.Env, d.Output, args); got != code {
		t.Fatalf("%q: exit code %d, want %d\n%s%s", args, got, code, stdout.String(), stderr.String())
	}
	return stdout.String()
}

func userHooks(home string) string {
	var events []string
	for _, event := range hook.Events() {
		events = append(events, fmt.Sprintf(`%q:[{"hooks":[{"type":"command","command":%q,"args":["hook",%q],"timeout":10}]}]`,
			hook.EventName(event), filepath.Join(home, "bin", "continuo"), event))
	}
	return `{"hooks":{` + strings.Join(events, ",") + `}}`
}
