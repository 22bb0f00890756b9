package launch

import (
	"strings"
	"testing"
)

func TestChoosesSession(t *testing.T) {
	t.Parallel()
	for args, want := range map[string]string{
		"":                          "",
		"--model opus":              "",
		"-p hello":                  "",
		"--resume x":                "--resume",
		"--resume=x":                "--resume",
		"-r x":                      "-r",
		"-rx":                       "-rx",
		"-pc":                       "-pc",
		"-c":                        "-c",
		"--model opus --continue":   "--continue",
		"--session-id x":            "--session-id",
		"--fork-session":            "--fork-session",
		"--permission-mode plan -d": "",
	} {
		if got := choosesSession(strings.Fields(args)); got != want {
			t.Errorf("%q: %q, want %q", args, got, want)
		}
	}
}
