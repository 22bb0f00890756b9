package place

import "testing"

func TestShellWord(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]string{
		"/tmp/continuo-demo-1/.claude": "/tmp/continuo-demo-1/.claude",
		"/tmp/with blank":              "'/tmp/with blank'",
		"/tmp/it's":                    `'/tmp/it'\''s'`,
		"/tmp/$(x)":                    "'/tmp/$(x)'",
		"":                             "''",
	} {
		if got := ShellWord(path); got != want {
			t.Errorf("%s is %s, want %s", path, got, want)
		}
	}
}
