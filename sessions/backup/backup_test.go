package backup

import (
	"errors"
	"io/fs"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/continuo-tui/continuo/sessions/document"
)

// east returns UTC+5:30, probably not the zone of the machine.
func east() *time.Location { return time.FixedZone("east", 5*3600+1800) }

func at(t *testing.T, rfc3339 string) time.Time {
	t.Helper()
	when, err := time.Parse(time.RFC3339, rfc3339)
	if err != nil {
		t.Fatal(err)
	}
	return when
}

func TestParseBackupName(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		made, reason string // made is "" if no hook writes such a name
	}{
		"20260115_143000.jsonl":                   {"2026-01-15T14:30:00+05:30", ""},
		"20260115_143000_compact.jsonl":           {"2026-01-15T14:30:00+05:30", "compact"},
		"20260115_143000_prompt_input_exit.jsonl": {"2026-01-15T14:30:00+05:30", "prompt_input_exit"},
		"20260115_143000_.jsonl":                  {"2026-01-15T14:30:00+05:30", ""},
		"20260115_143000_with space.jsonl":        {"2026-01-15T14:30:00+05:30", "with space"},
		"20260126_143000Z.jsonl":                  {"2026-01-26T14:30:00Z", ""},
		"20260126_143000Z_clear.jsonl":            {"2026-01-26T14:30:00Z", "clear"},
		"20260126_143000Z_.jsonl":                 {"2026-01-26T14:30:00Z", ""},
		"20260126_143000_Z.jsonl":                 {"2026-01-26T14:30:00+05:30", "Z"},
		"20260126_143000z_clear.jsonl":            {},
		"20261399_143000.jsonl":                   {},
		"20260115_256199_exit.jsonl":              {},
		"20260115_143000-2.jsonl":                 {},
		"20260115-143000_exit.jsonl":              {},
		"2026_01.jsonl":                           {},
		"20260115_143000_exit.json":               {},
		"20260115_143000":                         {},
		".jsonl":                                  {},
		"":                                        {},
	} {
		made, reason, ok := parseBackupName(name, east())
		if ok != (tt.made != "") {
			t.Errorf("%q: ok = %v", name, ok)
			continue
		}
		if ok && (!made.Equal(at(t, tt.made)) || reason != tt.reason) {
			t.Errorf("%q: %v %q, want %s %q", name, made, reason, tt.made, tt.reason)
		}
	}
}

func TestSessionID(t *testing.T) {
	t.Parallel()
	const id = "5e0c1f7a-93bb-4d0e-a3f4-0d8c6b1e2f90"
	for name, tt := range map[string]struct{ head, want string }{
		"first record":      {`{"type":"user","sessionId":"` + id + `"}`, id},
		"later record":      {`{"type":"summary"}` + "\n" + `{"sessionId":"` + id + `"}`, id},
		"space after colon": {`{"sessionId": "` + id + `"}`, id},
		"first wins":        {`{"sessionId":"a-1"}` + "\n" + `{"sessionId":"b-2"}`, "a-1"},
		"quoted in a text":  {`{"text":"\"sessionId\":\"no\"","sessionId":"` + id + `"}`, id},
		"null, then one":    {`{"sessionId":null}` + "\n" + `{"sessionId":"` + id + `"}`, id},
		"empty, then one":   {`{"sessionId":""}` + "\n" + `{"sessionId":"` + id + `"}`, id},
		"no id, then one":   {`{"sessionId":"a\u001b[31m"}` + "\n" + `{"sessionId":"` + id + `"}`, id},
		"torn":              {`{"sessionId":"5e0c1f7a-93bb`, ""},
		"torn at the colon": {`{"sessionId":`, ""},
		"too long":          {`{"sessionId":"` + strings.Repeat("a", maxSessionID+1) + `"}`, ""},
		"longest":           {`{"sessionId":"` + strings.Repeat("a", maxSessionID) + `"}`, strings.Repeat("a", maxSessionID)},
		"none":              {`{"type":"summary"}`, ""},
		"no JSON":           {"\x00\x01\xff", ""},
		"empty file":        {"", ""},
	} {
		if got := sessionID([]byte(tt.head)); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func TestUnreadableFileIsARow(t *testing.T) {
	t.Parallel()
	modified := at(t, "2026-02-01T10:00:00Z")
	info, err := fs.Stat(fstest.MapFS{"f": {Data: []byte("123456"), ModTime: modified}}, "f")
	if err != nil {
		t.Fatal(err)
	}
	g := fileHead{info: info, err: errors.New("read \x1b[31m/p/f: permission denied\n")}

	b := newBackup("/p", "/p/20260115_143000Z_exit.jsonl", g, east())
	if b.Problem != "read /p/f: permission denied" || b.Bytes != 6 || b.Reason != "exit" || b.SessionID != "" {
		t.Errorf("backup: %+v", b)
	}
	if !b.Made.Equal(at(t, "2026-01-15T14:30:00Z")) || !b.Modified.Equal(modified) {
		t.Errorf("backup: made %v, modified %v", b.Made, b.Modified)
	}
	d := document.New(document.KindSession, "/p", "/p/session-2026-01-15-1430Z.md", &document.Reading{Info: info, Err: g.err}, east())
	if d.Problem != "read /p/f: permission denied" || d.Bytes != 6 || d.Title != "session-2026-01-15-1430Z" {
		t.Errorf("document: %+v", d)
	}
	if !d.Date.Equal(at(t, "2026-01-15T14:30:00Z")) {
		t.Errorf("document: date %v", d.Date)
	}
}
