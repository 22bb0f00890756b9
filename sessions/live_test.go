package sessions

import (
	"context"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"
)

const ourDomain = "linux:0123456789abcdef0123456789abcdef:pid:[4026531836]"

// fakeProcess is the result of fakeProbe for a pid.
type fakeProcess struct {
	start   string
	unknown bool
}

type fakeProbe map[int]fakeProcess

func (p fakeProbe) Start(_ context.Context, pid int) (start string, alive, known bool) {
	proc, ok := p[pid]
	return proc.start, ok, !proc.unknown
}

func (fakeProbe) Domain() string { return ourDomain }

// registry creates a config dir with the given files in sessions/.
func registry(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "sessions"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, "sessions", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestReadRegistryFields(t *testing.T) {
	t.Parallel()
	dir := registry(t, map[string]string{
		"31.json": `{"pid":31,"sessionId":"s1","cwd":"/home/dev/demo","startedAt":1795239744539,"procStart":"128477",
			"version":"2.1.329","kind":"interactive","pidDomain":"` + ourDomain + `","asksForConvertedSkills":null,
			"status":"waiting","updatedAt":1795239749020,"statusUpdatedAt":1795239749020,"waitingFor":"permission prompt"}`,
		"4.json":          `{"pid":4,"sessionId":"s1","status":"idle","procStart":"7","startedAt":1795239744539}`,
		"31.0123abcd.key": "secret",
	})
	probe := fakeProbe{31: {start: "128477"}, 4: {start: "7"}}
	got, errs := ReadRegistry(t.Context(), dir, probe)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	started := time.Date(2026, 11, 21, 5, 42, 24, 539e6, time.UTC)
	want := []Live{
		{PID: 4, SessionID: "s1", Status: StatusIdle, Started: started, Updated: started, Verified: true},
		{
			PID: 31, SessionID: "s1", Cwd: "/home/dev/demo", Status: StatusWaiting, WaitingFor: "permission prompt",
			Started: started, Updated: time.Date(2026, 11, 21, 5, 42, 29, 20e6, time.UTC), Verified: true,
		},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
}

func TestReadRegistryLiveness(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	ms := func(ago time.Duration) string { return strconv.FormatInt(now.Add(-ago).UnixMilli(), 10) }
	fresh, stale := ms(6*24*time.Hour), ms(8*24*time.Hour)
	const foreign = `,"pidDomain":"linux:0123456789abcdef0123456789abcdef:pid:[4026532201]"`
	tests := []struct {
		name     string
		fields   string
		probe    fakeProbe
		live     bool
		verified bool
	}{
		{"same start", `,"procStart":"5"`, fakeProbe{9: {start: "5"}}, true, true},
		{"same start, our domain", `,"procStart":"5","pidDomain":"` + ourDomain + `"`, fakeProbe{9: {start: "5"}}, true, true},
		{"start as a number", `,"procStart":5`, fakeProbe{9: {start: "5"}}, true, true},
		{"windows file time", `,"procStart":"1","procStartFt":"134344744676615681"`, fakeProbe{9: {start: "134344744676615681"}}, true, true},
		{"pid used again", `,"procStart":"5"`, fakeProbe{9: {start: "6"}}, false, false},
		{"pid gone", `,"procStart":"5"`, fakeProbe{}, false, false},
		{"pid gone, no start recorded", ``, fakeProbe{}, false, false},
		{"pid gone, our domain, fresh", `,"pidDomain":"` + ourDomain + `","updatedAt":` + fresh, fakeProbe{}, false, false},
		{"no start recorded", ``, fakeProbe{9: {start: "5"}}, true, false},
		{"start of another type", `,"procStart":{"ticks":5}`, fakeProbe{9: {start: "5"}}, true, false},
		{"start cannot be learned", `,"procStart":"5"`, fakeProbe{9: {}}, true, false},
		{"start of another form", `,"procStart":"Sat Nov 21 12:00:00 2026"`, fakeProbe{9: {start: "5"}}, true, false},
		{"nothing can be learned", `,"procStart":"5"`, fakeProbe{9: {unknown: true}}, true, false},
		{"mac, same second", `,"procStart":"Thu Jul  2 04:26:55 2026"`, fakeProbe{9: {start: "Thu Jul 2 04:26:55 2026"}}, true, true},
		{"mac, pid used again", `,"procStart":"Thu Jul  2 04:26:55 2026"`, fakeProbe{9: {start: "Thu Jul  2 06:30:11 2026"}}, false, false},
		{"other namespace, fresh", foreign + `,"procStart":"5","updatedAt":` + fresh, fakeProbe{}, true, false},
		{"other namespace, that pid is another's here", foreign + `,"procStart":"5","updatedAt":` + fresh, fakeProbe{9: {start: "6"}}, true, false},
		{"other namespace, stale", foreign + `,"procStart":"5","updatedAt":` + stale, fakeProbe{9: {start: "5"}}, false, false},
		{"other namespace, newer status", foreign + `,"updatedAt":` + stale + `,"statusUpdatedAt":` + fresh, fakeProbe{}, true, false},
		{"other namespace, clock ahead", foreign + `,"updatedAt":` + ms(-time.Hour), fakeProbe{}, true, false},
		{"other machine", `,"pidDomain":"darwin","updatedAt":` + fresh, fakeProbe{}, true, false},
		{"other machine, times make no sense, file is new", `,"pidDomain":"darwin","updatedAt":1e300,"startedAt":-4`, fakeProbe{}, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := registry(t, map[string]string{"9.json": `{"sessionId":"s"` + tt.fields + `}`})
			if err := os.Chtimes(filepath.Join(dir, "sessions", "9.json"), now, now); err != nil {
				t.Fatal(err)
			}
			got, errs := readRegistry(t.Context(), dir, tt.probe, now)
			if len(errs) > 0 {
				t.Fatal(errs)
			}
			if live := len(got) == 1; live != tt.live {
				t.Fatalf("live %v, want %v", live, tt.live)
			}
			if tt.live && got[0].Verified != tt.verified {
				t.Errorf("verified %v, want %v", got[0].Verified, tt.verified)
			}
		})
	}
}

func TestReadRegistrySkipsAndReports(t *testing.T) {
	t.Parallel()
	good := `{"sessionId":"s"}`
	dir := registry(t, map[string]string{
		"1.json": good,
		// These names don't belong to the registry, so the files aren't opened or reported.
		"2.key": "x", "2.json.tmp": "x", "x2.json": "x", ".json": "x", "-2.json": "x", "2.0.json": "x",
		// These files can't be parsed. They are reported if their process runs.
		"3.json":              "",
		"4.json":              `{"pid":4,"sessionId":"s"`,
		"5.json":              `["s"]`,
		"6.json":              `null`,
		"7.json":              `{"pid":7}`,
		"8.json":              `{"pid":8,"sessionId":3}`,
		"9.json":              `{"pid":10,"sessionId":"s"}`,
		"0.json":              good,
		"4294967297.json":     good,
		"11.json":             good + strings.Repeat(" ", registryLimit),
		"99999999999999.json": good,
	})
	sub := filepath.Join(dir, "sessions")
	if err := os.Mkdir(filepath.Join(sub, "12.json"), 0o700); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"3.json": "not a JSON object", "4.json": "not a JSON object", "5.json": "not a JSON object", "6.json": "session ID is missing",
		"7.json": "session ID is missing", "8.json": "session ID is missing", "9.json": "another process (10)", "11.json": "larger than 1 MB",
		"12.json": "not a regular file",
	}
	if os.Symlink(filepath.Join(sub, "1.json"), filepath.Join(sub, "13.json")) == nil {
		want["13.json"] = "not a regular file"
	}
	got, errs := ReadRegistry(t.Context(), dir, fakeProbe{1: {}})
	if len(got) != 1 || got[0].PID != 1 || len(errs) != 0 {
		t.Errorf("live %+v, want pid 1 alone; the others have ended: %v", got, errs)
	}
	all := fakeProbe{}
	for pid := range 14 {
		all[pid] = fakeProcess{}
	}
	_, errs = ReadRegistry(t.Context(), dir, all)
	if len(errs) != len(want) {
		t.Errorf("%d errors, want %d", len(errs), len(want))
	}
	for _, err := range errs {
		name, _, _ := strings.Cut(filepath.Base(strings.TrimPrefix(err.Error(), "live registry ")), ":")
		if w := want[name]; w == "" || !strings.Contains(err.Error(), w) {
			t.Errorf("%v: want %q in it", err, w)
		}
	}
}

func TestReadRegistryDirectory(t *testing.T) {
	t.Parallel()
	if got, errs := ReadRegistry(t.Context(), t.TempDir(), fakeProbe{}); got != nil || errs != nil {
		t.Errorf("no directory: got %v, %v", got, errs)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "sessions"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got, errs := ReadRegistry(t.Context(), dir, fakeProbe{}); got != nil || len(errs) != 1 {
		t.Errorf("a file in its place: got %v, %v", got, errs)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir = registry(t, map[string]string{"1.json": `{"sessionId":"s"}`, "2.json": `{"sessionId":"s"}`})
	if got, errs := ReadRegistry(ctx, dir, fakeProbe{1: {}}); got != nil || len(errs) != 1 {
		t.Errorf("cancelled: got %v, %v", got, errs)
	}
}

func TestSameStart(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b             string
		same, comparable bool
	}{
		{"", "", false, false},
		{"5", "", false, false},
		{"5", "5", true, true},
		{"5", "05", false, true},
		{"5", "Thu Jul 2 04:26:55 2026", false, false},
		{"odd", "odd", true, true},
		{"odd", "even", false, false},
		{"Thu Jul  2 04:26:55 2026", "Thu Jul 2 04:26:56 2026", true, true},
		{"Thu Jul  2 04:26:55 2026", "Thu  2 Jul 04:26:55 2026", true, true},
		{"Thu Jul  2 04:26:55 2026", "Thu Jul  2 06:26:54 2026", true, true},  // UTC and local
		{"Thu Jul  2 04:26:55 2026", "Wed Jul  1 22:56:55 2026", true, true},  // half an hour off
		{"Thu Jul  2 04:26:55 2026", "Thu Jul  2 04:27:05 2026", false, true}, // ten seconds
		{"Thu Jul  2 04:26:55 2026", "Sat Jul  4 04:26:55 2026", false, true}, // two days
		{"Do  2 Jul 04:26:55 2026", "Thu Jul  2 04:26:55 2026", false, false}, // another language
	}
	for _, tt := range tests {
		for _, swap := range []bool{false, true} {
			a, b := tt.a, tt.b
			if swap {
				a, b = b, a
			}
			if same, comparable := sameStart(a, b); same != tt.same || comparable != tt.comparable {
				t.Errorf("sameStart(%q, %q) = %v, %v; want %v, %v", a, b, same, comparable, tt.same, tt.comparable)
			}
		}
	}
}

// TestSystemProbe: without a recorded start, the process is live but unverified.
func TestSystemProbe(t *testing.T) {
	t.Parallel()
	probe := SystemProbe()
	pid := os.Getpid()
	start, alive, known := probe.Start(t.Context(), pid)
	if !alive || !known {
		t.Fatalf("own process: alive %v, known %v", alive, known)
	}
	entry := func(pid int, start string) map[string]string {
		n := strconv.Itoa(pid)
		return map[string]string{n + ".json": `{"pid":` + n + `,"sessionId":"s","procStart":"` + start +
			`","pidDomain":` + strconv.Quote(probe.Domain()) + `}`}
	}
	got, errs := ReadRegistry(t.Context(), registry(t, entry(pid, start)), probe)
	if len(errs) > 0 || len(got) != 1 || got[0].Verified != (start != "") {
		t.Errorf("own process: %+v, %v; start %q", got, errs, start)
	}
	if start != "" {
		other := "1"
		if !isDigits(start) {
			other = "Thu Jan  1 00:00:11 1970"
		}
		if got, _ := ReadRegistry(t.Context(), registry(t, entry(pid, other)), probe); len(got) != 0 {
			t.Errorf("own pid, another start: %+v", got)
		}
	}
	const noPID = 1<<22 + 12345 // larger than any pid on Linux and macOS
	if got, _ := ReadRegistry(t.Context(), registry(t, entry(noPID, start)), probe); len(got) != 0 {
		t.Errorf("a pid that no process has: %+v", got)
	}
}

func TestSameDomain(t *testing.T) {
	t.Parallel()
	const here = "linux:3d12:pid:[4026531836]"
	for domain, want := range map[string]bool{
		here: true, "linux:0000:pid:[4026531836]": true, "linux::pid:[4026531836]": true,
		"linux:3d12:pid:[4026532000]": false, "linux:0000:pid:[4026532000]": false, "linux:ffff:pid:[4026531836]": false,
		"darwin": false, "": false, "win32:0:pid:[4026531836]": false,
	} {
		if got := sameDomain(domain, here); got != want {
			t.Errorf("%q: %v", domain, got)
		}
	}
}
