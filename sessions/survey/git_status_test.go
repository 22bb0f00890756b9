package survey

import "testing"

func TestGitStatus(t *testing.T) {
	t.Parallel()
	for out, want := range map[string]Repo{
		"": {Known: true},
		"# branch.oid 1a2b\x00# branch.head main\x00":                                                {Known: true, Branch: "main"},
		"# branch.head (detached)\x00":                                                               {Known: true},
		"# branch.head fix/a\x1b[2Jb\x00# branch.upstream origin/x\x00# branch.ab +12 -3\x00":        {Known: true, Branch: "fix/ab", Ahead: 12, Behind: 3},
		"1 .M N... 1 2 3 a b c.go\x002 R. N... 1 2 3 a b R100 new\x00? old\x00? new file\x00! x\x00": {Known: true, Changed: 3},
		"u UU N... 1 2 3 4 a b c d\x00nonsense\x00":                                                  {Known: true, Changed: 1},
	} {
		var got Repo
		if gitStatus(&got, out); got != want {
			t.Errorf("%q: %+v, want %+v", out, got, want)
		}
	}
}
