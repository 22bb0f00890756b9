package keeping

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/place"
)

// oddEnv has values that a service file must quote.
func oddEnv(home string) *place.Env {
	return &place.Env{Home: home, Host: host.Host{Environ: []string{"PATH=/usr/bin:/with a blank", `CLAUDE_CONFIG_DIR=/a "b" \c %d $e <&>`}}}
}

func TestUnit(t *testing.T) {
	t.Parallel()
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd is not installed")
	}
	program := filepath.Join(t.TempDir(), "con tinuo %n")
	if err := os.WriteFile(program, nil, 0o700); err != nil { //nolint:gosec // systemd checks that it can be run
		t.Fatal(err)
	}
	s, err := serviceOf(oddEnv(t.TempDir()), "linux", program)
	if err != nil {
		t.Fatal(err)
	}
	verify := func(text string) string {
		path := filepath.Join(t.TempDir(), s.name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		cmd := exec.CommandContext(t.Context(), analyze, "verify", "--user", path)
		cmd.Env = append(os.Environ(), "XDG_RUNTIME_DIR="+t.TempDir())
		said, err := cmd.CombinedOutput()
		if _, ended := errors.AsType[*exec.ExitError](err); err != nil && !ended {
			t.Fatal(err)
		}
		return strings.TrimSpace(string(said))
	}
	if said := verify(strings.Replace(s.text, "KillMode=mixed", "KillMode=none at all", 1)); !strings.Contains(said, "kill mode") {
		t.Skipf("systemd-analyze doesn't work here: %s", said)
	}
	if said := verify(s.text); said != "" {
		t.Errorf("systemd says %s about\n%s", said, s.text)
	}
}

func TestAgent(t *testing.T) {
	t.Parallel()
	s, err := serviceOf(oddEnv("/home/a"), "darwin", "/bin/continuo")
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for d := xml.NewDecoder(strings.NewReader(s.text)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if text, ok := token.(xml.CharData); ok && strings.TrimSpace(string(text)) != "" {
			texts = append(texts, string(text))
		}
	}
	want := `Label|continuo.keeper|ProgramArguments|/bin/continuo|keeper|start|EnvironmentVariables|PATH|/usr/bin:/with a blank|CLAUDE_CONFIG_DIR|/a "b" \c %d $e <&>|RunAtLoad`
	if got := strings.Join(texts, "|"); got != want {
		t.Errorf("texts\n%s\nwant\n%s", got, want)
	}
	if _, err := serviceOf(oddEnv("/home/a"), "windows", ""); err == nil {
		t.Error("there is a service for Windows")
	}
}
