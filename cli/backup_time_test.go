package cli

import (
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/out"
)

func TestBackupTimes(t *testing.T) {
	t.Parallel()
	k := newMemoryHome(t)
	k.session(1, "tea", 2)
	k.backup("20261121_110213Z_compact", 1, "tea", 2, "")
	k.backup("20261121_110240Z_exit", 1, "tea", 2, "")
	k.backup("20261120_184207Z_exit", 1, "tea", 2, "")
	k.backup("20261117_151900Z_exit", 2, "pantry", 2, "")
	k.session(3, "pantry", 1)
	for line, want := range map[string]struct {
		code int
		text string
	}{
		"backup show Yesterday 18:42":                           {out.ExitDone, "made       2026-11-20 18:42:07, at the end of its session: exit\n"},
		"backup discard 18:42 --dry-run":                        {out.ExitDone, "raw/20261120_184207Z_exit.jsonl"},
		"backup discard Yesterday 18:42 Nov 17 15:19 --dry-run": {out.ExitDone, "Touched    2 files, "},
		"backup restore 2026-11-17 --dry-run":                   {out.ExitDone, "1 new file: the session of Nov 17 15:19"},
		"backup verify Nov 17 15:19":                            {out.ExitDone, "no-record\t"},
		"backup show Today 11:02":                               {out.ExitFailed, "2 backups match the time \"Today 11:02\". Name one by its file name.\n    20261121_110240Z_exit     Today 11:02  tea  3f9ac1e1\n"},
		"backup verify 20261121":                                {out.ExitFailed, "2 backups begin with 20261121. Type more of the name."},
		"backup verify " + k.id(1)[:8]:                          {out.ExitDone, "ok-by-transcript\t"},
		"backup verify 3f9a":                                    {out.ExitFailed, "4 backups have a session ID that begins with 3f9a. Type more of the ID."},
		"backup restore Today 11:03 --dry-run":                  {out.ExitNone, "No backup has the name, time or session \"Today 11:03\"."},
		"backup restore Yesterday 18:42 20261121 --dry-run":     {out.ExitFailed, "restore takes one backup"},
	} {
		code, stdout, stderr := k.run("tea", "-", strings.Fields(line)...)
		if code != want.code || !strings.Contains(stdout+stderr, want.text) {
			t.Errorf("%s: exit code %d, want %d\n%s%s", line, code, want.code, stdout, stderr)
		}
	}
}
