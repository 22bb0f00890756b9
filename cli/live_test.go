package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
)

func runLive(t *testing.T, home string, terminal bool, args ...string) string {
	t.Helper()
	var stdout, errs bytes.Buffer
	d := newDeps(Program{Env: []string{"HOME=" + home}, Dir: home, Now: now, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &errs})
	d.Out.Terminal, d.Out.Width = terminal, 100
	if code := execute(t.Context(), d.Env, d.Output, append([]string{"live"}, args...)); code != out.ExitDone || errs.Len() > 0 {
		t.Errorf("%d %s", code, errs.String())
	}
	return stdout.String()
}

// TestLive: one session waits, one is busy, and one belongs to a killed client.
func TestLive(t *testing.T) {
	t.Parallel()
	home := mustReal(t, t.TempDir())
	if got := runLive(t, home, true); got != "No session is open.\n" {
		t.Errorf("without sessions: %q", got)
	}
	code := home + `/code/tea\u001b[31mhouse` // as JSON
	put := func(path, text string) {
		path = filepath.Join(home, ".claude", path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	const fresh, killed = "11111111-0000-4000-8000-000000000001", "22222222-0000-4000-8000-000000000002"
	put("projects/x/"+resumeID+".jsonl", fmt.Sprintf(`{"type":"user","uuid":"a","parentUuid":null,"timestamp":"2026-11-21T15:00:00Z","cwd":"%s","sessionId":%q,"message":{"role":"user","content":"Pour\u001b[2J tea"}}`+"\n", code, resumeID))
	for pid, entry := range map[int]string{
		os.Getpid():  `"sessionId":"` + fresh + `","status":"busy","entrypoint":"continuo"`,
		os.Getppid(): `"sessionId":"` + resumeID + `","status":"waiting","waitingFor":"Edit\u001b[2J","entrypoint":"cli"`,
		1<<31 - 1:    `"sessionId":"` + killed + `","status":"busy"`,
	} {
		put(fmt.Sprintf("sessions/%d.json", pid), fmt.Sprintf(`{"pid":%d,"cwd":"%s","startedAt":%d,"updatedAt":%[3]d,%s}`, pid, code, now().UnixMilli()-600_000, entry))
	}
	want := "Waits for you 1\n? Pour tea"
	if got := runLive(t, home, true); !strings.HasPrefix(got, want) || !strings.Contains(got, "  Edit  teahouse") || !strings.Contains(got, "\nBusy 1\n● New session") || strings.Contains(got, "\x1b[2J") {
		t.Errorf("on a terminal\n%s", got)
	}
	want = "waiting\t" + resumeID + "\t2026-11-21T15:42:00Z\t-\tEdit\t" + home + "/code/teahouse\tPour tea\n" +
		"busy\t" + fresh + "\t2026-11-21T15:42:00Z\tcontinuo\t-\t" + home + "/code/teahouse\t-\n"
	if got := runLive(t, home, false); got != want {
		t.Errorf("in a pipe\n%swant\n%s", got, want)
	}
	js := runLive(t, home, false, "--json")
	checkNoEscape(t, "json", js)
	for _, part := range []string{`"id":"` + fresh + `","status":"busy"`, `"driven":true`, `"driven":false`, `"name":"Pour tea"`} {
		if !strings.Contains(js, part) {
			t.Errorf("no %s in %s", part, js)
		}
	}
}
