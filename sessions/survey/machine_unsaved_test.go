package survey

import (
	"context"
	"path/filepath"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// TestUnsavedUnknown: a folder that doesn't respond is counted in Unknown.
func TestUnsavedUnknown(t *testing.T) {
	t.Parallel()
	const id = "aaaaaaaa-0000-4000-8000-000000000001"
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	ended := sessions.Session{ID: id, Workdir: "/p/tea", Last: noon.Add(time.Hour), State: sessions.StateOK}
	for name, tt := range map[string]struct {
		hangs            string
		unsaved, unknown int
	}{
		"all answer":                 {"", 1, 0},
		"the transcripts hang":       {"traces", 0, 1},
		"the memory hangs":           {"owner", 0, 1},
		"the transcript itself does": {"peek", 0, 1},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			forever := make(chan struct{})
			t.Cleanup(func() { close(forever) })
			hang := func(what string) {
				if what == tt.hangs {
					<-forever
				}
			}
			l := MachineLook{
				Dirs: []string{"/c"}, Now: func() time.Time { return noon.Add(24 * time.Hour) },
				traces: func(_ context.Context, dir string) []sessions.Listed {
					hang("traces")
					return []sessions.Listed{{Path: filepath.Join(dir, id+".jsonl"), ID: id, Bytes: 9, Modified: noon.Add(2 * time.Hour)}}
				},
				Owner: func(*backup.Backup) string { hang("owner"); return "another" },
				Peek:  func(context.Context, string) sessions.Session { hang("peek"); return ended },
			}
			keeps := map[string]keep{"/p/tea": {Found: backup.Found{Since: noon, Backups: []backup.Backup{{Made: noon.Add(time.Hour), Bytes: 7}}}}}
			var s Machine
			l.unsaved(t.Context(), time.Now(), &s, keeps, map[string][]string{"/c": {"-p-tea"}})
			if len(s.Unsaved) != tt.unsaved || s.Unknown != tt.unknown {
				t.Errorf("%+v, %d unknown", s.Unsaved, s.Unknown)
			}
		})
	}
}
