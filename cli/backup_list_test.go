package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/continuo-tui/continuo/cli/backups"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/sessions"
)

// shelf is a directory of projects with backups, and their rows.
type shelf struct {
	t    *testing.T
	dir  string
	rows []sessions.Row
}

func newShelf(t *testing.T) *shelf {
	t.Helper()
	return &shelf{t: t, dir: t.TempDir()}
}

func (s *shelf) write(path, text string) string {
	s.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		s.t.Fatal(err)
	}
	return path
}

func (s *shelf) live(id, project, text string) {
	s.t.Helper()
	r := row(id, "Session "+id, in(filepath.Join(s.dir, project), filepath.Join(s.dir, project)))
	r.Path = s.write(filepath.Join(s.dir, "claude", "projects", project, id+".jsonl"), text)
	r.Last = now()
	s.rows = append(s.rows, r)
}

// backup adds a backup. Its row has the given size, whatever the length of text.
func (s *shelf) backup(name, project, of string, made time.Time, bytes int64, text string, change ...func(*sessions.Row)) {
	s.t.Helper()
	r := sessions.Row{Kind: sessions.KindBackup, Of: of}
	r.Path = s.write(filepath.Join(s.dir, project, ".claude", "memory", "raw", name+".jsonl"), text)
	r.ID, r.State, r.Created, r.Modified, r.Bytes = name, sessions.StateOK, made, made, bytes
	r.Project, r.Workdir = filepath.Join(s.dir, project), filepath.Join(s.dir, project)
	if _, reason, ok := strings.Cut(strings.TrimPrefix(name[8:], "_"), "_"); ok {
		r.Name = reason
	}
	for _, c := range change {
		c(&r)
	}
	s.rows = append(s.rows, r)
}

func (s *shelf) document(project string, at time.Time) {
	r := row("session-"+at.Format("2006-01-02-1504"), "Notes", kind(sessions.KindDocument), in(filepath.Join(s.dir, project), filepath.Join(s.dir, project)))
	r.Path, r.Created = filepath.Join(s.dir, project, ".claude", "memory", r.ID+".md"), at
	s.rows = append(s.rows, r)
}

func pending(r *sessions.Row) { r.Pending = true }

func screenShelf(t *testing.T) *shelf {
	t.Helper()
	at := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2026, month, day, hour, minute, 0, 0, time.UTC)
	}
	s := newShelf(t)
	s.live("3f9ac1e0-same", "teahouse", "{}\n")
	s.live("d20b91c4-grown", "pantry", "{}\n{}\n")
	s.live("44f0aa19-rewritten", "teahouse", "[]\n{}\n")
	s.live("8b3e6f02-grown", "lamplight", "{}\n{}\n")
	s.backup("20261121_110213Z_compact", "teahouse", "3f9ac1e0-same", at(11, 21, 11, 2), 2_200_000, "{}\n", pending)
	s.backup("20261120_184207Z_prompt_input_exit", "pantry", "d20b91c4-grown", at(11, 20, 18, 42), 890_000, "{}\n", pending)
	s.backup("20261011_192104Z_exit", "teahouse", "7c41e9d2-gone", at(10, 11, 19, 21), 1_400_000, "{}\n", pending)
	s.backup("20261119_220700Z_clear", "teahouse", "44f0aa19-rewritten", at(11, 19, 22, 7), 3_100_000, "{}\n")
	s.backup("20261118_093000Z_compact", "lamplight", "8b3e6f02-grown", at(11, 18, 9, 30), 610_000, "{}\n")
	s.backup("20261116_171100Z_compact", "lamplight", "8b3e6f02-grown", at(11, 16, 17, 11), 402_000, "{}\n")
	s.backup("20261115_084900Z", "pantry", "", at(11, 15, 8, 49), 18_000, "{}\n{\"type\":")
	s.backup("20261114_181000Z_exit", "teahouse", "3f9ac1e0-same", at(11, 14, 18, 10), 1_900_000, "{}\n")
	s.document("teahouse", at(11, 14, 19, 0))
	s.document("lamplight", at(11, 1, 19, 0))
	return s
}

func TestBackupListTerminal(t *testing.T) {
	t.Parallel()
	s := screenShelf(t)
	const want = `  when             session             made by  project    live file                size  id
Pending 3
! Today 11:02      Session 3f9ac1e0-…  compact  teahouse   = same                 2.2 MB  3f9ac1e0
! Yesterday 18:42  Session d20b91c4-…  exit     pantry     > has grown since      890 kB  d20b91c4
! Oct 11 19:21                         exit     teahouse   ◐ gone, the only copy  1.4 MB  7c41e9d2

Not reviewed 4
· Nov 19 22:07     Session 44f0aa19-…  clear    teahouse   ≠ rewritten since      3.1 MB  44f0aa19
· Nov 18 09:30     Session 8b3e6f02-…  compact  lamplight  > has grown since      610 kB  8b3e6f02
· Nov 16 17:11     Session 8b3e6f02-…  compact  lamplight  > has grown since      402 kB  8b3e6f02
✗ Nov 15 08:49                                  pantry     ✗ torn last line        18 kB  unknown

1 reviewed backup is hidden: --all shows it. 8 backups, 11 MB.
`
	code, stdout, stderr := testRun{src: fakeSource{rows: s.rows}, terminal: true, width: 100, dir: s.dir, args: []string{"backup", "list"}}.do(t)
	if code != out.ExitDone || stdout != want || stderr != "" {
		t.Errorf("exit code %d, %q\n%s\nwant\n%s", code, stderr, stdout, want)
	}
	code, stdout, _ = testRun{src: fakeSource{rows: s.rows}, terminal: true, width: 100, dir: s.dir, args: []string{"backup", "list", "--all"}}.do(t)
	if seen := "Reviewed 1\n  Nov 14 18:10     Session 3f9ac1e0-…  exit     teahouse   = same                 1.9 MB  3f9ac1e0\n\n8 backups"; code != out.ExitDone || !strings.Contains(stdout, seen) {
		t.Errorf("exit code %d\n%s", code, stdout)
	}
}

// TestBackupListFits: narrow terminals get fewer columns.
func TestBackupListFits(t *testing.T) {
	t.Parallel()
	s := screenShelf(t)
	s.backup("20261113_000000Z_exit", strings.Repeat("long-name-", 8), "3f9ac1e0-same", now().Add(-time.Hour), 1, "{}\n")
	for width, want := range map[int]string{
		10: "! Today…", 30: "! Today 11:02", 38: "! Today 11:02      Session 3f9ac1e0…", 50: "! Today 11:02      Session 3f9ac1e0-same",
		60:  "! Today 11:02      Session 3f9ac1e…  = same",
		70:  "! Today 11:02      Session 3f9ac1e…  = same                 3f9ac1e0",
		80:  "! Today 11:02      Session 3f9ac1e…  teahouse   = same                3f9ac1e0",
		140: "! Today 11:02      Session 3f9ac1e0-same      compact  teahouse                  = same                 2.2 MB  3f9ac1e0",
	} {
		_, stdout, _ := testRun{src: fakeSource{rows: s.rows}, terminal: true, width: width, dir: s.dir, args: []string{"backup", "list", "--all"}}.do(t)
		found := false
		for line := range strings.Lines(stdout) {
			line = strings.TrimSuffix(line, "\n")
			if w := ansi.StringWidth(line); w > min(max(width-out.ListMargin, 1), out.ListMax) {
				t.Errorf("width %d: %d cells: %q", width, w, line)
			}
			if strings.HasSuffix(line, " ") {
				t.Errorf("width %d: blanks behind %q", width, line)
			}
			found = found || strings.HasPrefix(line, want)
		}
		if !found {
			t.Errorf("width %d: no line %q in\n%s", width, want, stdout)
		}
	}
}

func TestBackupListPiped(t *testing.T) {
	t.Parallel()
	s := screenShelf(t)
	code, stdout, stderr := testRun{src: fakeSource{rows: s.rows}, dir: s.dir, args: []string{"backup", "list"}}.do(t)
	lines := strings.Split(strings.TrimSuffix(stdout, "\n"), "\n")
	if code != out.ExitDone || len(lines) != 8 || stderr != "8 backups, 11 MB.\n" {
		t.Fatalf("exit code %d, %q\n%s", code, stderr, stdout)
	}
	path := func(name, project string) string {
		return filepath.Join(s.dir, project, ".claude", "memory", "raw", name)
	}
	for i, want := range map[int]string{
		0: "20261121_110213Z_compact\tpending\t2026-11-21T11:02:00Z\tcompact\t" + filepath.Join(s.dir, "teahouse") + "\tsame\t2200000\t3f9ac1e0-same\t" +
			path("20261121_110213Z_compact.jsonl", "teahouse") + "\tSession 3f9ac1e0-same",
		5: "20261115_084900Z\tunseen\t2026-11-15T08:49:00Z\t-\t" + filepath.Join(s.dir, "pantry") + "\ttorn-last-line\t18000\t-\t" +
			path("20261115_084900Z.jsonl", "pantry") + "\t-",
		6: "20261114_181000Z_exit\tseen\t2026-11-14T18:10:00Z\texit\t" + filepath.Join(s.dir, "teahouse") + "\tsame\t1900000\t3f9ac1e0-same\t" +
			path("20261114_181000Z_exit.jsonl", "teahouse") + "\tSession 3f9ac1e0-same",
	} {
		if lines[i] != want {
			t.Errorf("line %d: %q\nwant %q", i, lines[i], want)
		}
	}
	_, stdout, _ = testRun{src: fakeSource{rows: s.rows}, dir: s.dir, args: []string{"backup", "list", "--project", "pantry"}}.do(t)
	if n := strings.Count(stdout, "\n"); n != 2 {
		t.Errorf("of one project %d:\n%s", n, stdout)
	}
}

func TestBackupListJSON(t *testing.T) {
	t.Parallel()
	s := screenShelf(t)
	code, stdout, stderr := testRun{src: fakeSource{rows: s.rows}, terminal: true, dir: s.dir, args: []string{"backup", "list", "--json"}}.do(t)
	var list []struct {
		Name, Group, Made, MadeBy, Workdir, Session, Relation string
		Live                                                  *string
	}
	if err := json.Unmarshal([]byte(stdout), &list); err != nil || code != out.ExitDone || stderr != "" || len(list) != 8 {
		t.Fatalf("exit code %d, %v, %q\n%s", code, err, stderr, stdout)
	}
	if b := list[7]; b.Name != "20261011_192104Z_exit" || b.Group != "pending" || b.Made != "2026-10-11T19:21:00Z" || b.Relation != "gone" || b.Live != nil || b.Session != "7c41e9d2-gone" {
		t.Errorf("%+v", b)
	}
	if b := list[0]; b.Live == nil || *b.Live != s.rows[0].Path || b.Workdir != filepath.Join(s.dir, "teahouse") || b.MadeBy != "compact" {
		t.Errorf("%+v", b)
	}
	if _, stdout, _ = (testRun{dir: s.dir, args: []string{"backup", "list", "--json"}}).do(t); stdout != "[\n]\n" {
		t.Errorf("none: %q", stdout)
	}
}

// TestBackupGroups: a backup counts as seen if a session document of its project isn't older.
func TestBackupGroups(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	for i, name := range []string{"20261101_000000Z_exit", "20261102_000000Z_exit", "20261103_000000Z_exit"} {
		s.backup(name, "teahouse", "id", time.Date(2026, 11, 1+i, 0, 0, 0, 0, time.UTC), 1, "{}\n")
	}
	groups := func(seen map[string]bool) (text string) {
		l := &backups.Rows{Rows: s.rows}
		l.Sort(seen)
		for i := range l.List {
			text += string(l.List[i].Group) + " "
		}
		return text
	}
	if got := groups(nil); got != "unseen unseen unseen " {
		t.Error(got)
	}
	if got := groups(map[string]bool{s.rows[1].Path: true}); got != "unseen seen unseen " {
		t.Error(got)
	}
	s.document("pantry", now()) // in another project
	if got := groups(nil); got != "unseen unseen unseen " {
		t.Error(got)
	}
	s.document("teahouse", s.rows[1].Created) // as old as the second backup
	if got := groups(nil); got != "seen seen unseen " {
		t.Error(got)
	}
	s.rows[0].Pending = true
	if got := groups(map[string]bool{s.rows[0].Path: true}); got != "pending seen unseen " {
		t.Error(got)
	}
}

// TestBackupLiveOf: two sessions have the same ID. The one in the backup's project is chosen.
func TestBackupLiveOf(t *testing.T) {
	t.Parallel()
	s := newShelf(t)
	s.live("one", "pantry", "{}\n")
	s.live("one", "teahouse", "{}\n")
	s.backup("20261101_000000Z_exit", "teahouse", "one", now(), 1, "{}\n")
	s.backup("20261101_000000Z_exit", "lamplight", "one", now(), 1, "{}\n")
	s.backup("20261101_000000Z_clear", "lamplight", "", now(), 1, "{}\n")
	l := &backups.Rows{Rows: s.rows}
	l.Sort(nil)
	for i, want := range []string{s.rows[1].Path, s.rows[0].Path, ""} {
		if got := l.List[i].Live; got != want {
			t.Errorf("%d: %q, want %q", i, got, want)
		}
	}
}
