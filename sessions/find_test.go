package sessions_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/internal/drilltest"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	idA = "aaaaaaaa-0000-4000-8000-000000000001"
	idB = "bbbbbbbb-0000-4000-8000-000000000002"
)

func now() time.Time { return time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC) }

func turn(uuid, text, cwd string) string {
	return fmt.Sprintf(`{"parentUuid":null,"type":"user","message":{"role":"user","content":%q},"uuid":%q,"timestamp":"2026-02-28T10:00:00.000Z","cwd":%q,"gitBranch":"main","version":"2.1.0","entrypoint":"cli"}`+"\n", text, uuid, cwd)
}

// answer returns an assistant record with its token usage.
func answer(uuid, parent, id, at string, out int) string {
	return fmt.Sprintf(`{"parentUuid":%q,"type":"assistant","message":{"id":%q,"model":"claude-x","role":"assistant","content":[{"type":"text","text":"ok"}],"usage":{"input_tokens":1,"output_tokens":%d,"cache_read_input_tokens":3,"cache_creation_input_tokens":4}},"requestId":"r-%s","uuid":%q,"timestamp":%q}`+"\n", parent, id, out, id, uuid, at)
}

// tree writes two-day-old files to a new config dir and returns the dir.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, data := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now().AddDate(0, 0, -2), now().AddDate(0, 0, -2)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func find(t *testing.T, dirs ...string) *sessions.Set {
	t.Helper()
	set, err := sessions.Find(t.Context(), sessions.Options{Dirs: dirs, Now: now()})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func exact(t *testing.T, dirs ...string) []sessions.Session {
	t.Helper()
	set := find(t, dirs...)
	if err := set.Exact(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	return set.Sessions
}

func byID(list []sessions.Session) map[string]sessions.Session {
	out := map[string]sessions.Session{}
	for _, s := range list {
		out[s.ID] = s
	}
	return out
}

func TestFigures(t *testing.T) {
	t.Parallel()
	p := "projects/-home-ada-tea/"
	dir := tree(t, map[string]string{
		p + idA + ".jsonl": turn("u1", "Fix the kettle", "/home/ada/tea") +
			answer("a1", "u1", "m1", "2026-02-28T10:00:05.000Z", 2) + answer("a2", "a1", "m1", "2026-02-28T10:00:06.000Z", 9) +
			`{"type":"custom-title","customTitle":"Kettle","sessionId":"x"}` + "\n" + `{"type":"ai-title","aiTitle":"Later","sessionId":"x"}` + "\n" +
			`{"type":"last-prompt","lastPrompt":"x"}` + "\n",
		p + idA + "/subagents/agent-1.jsonl":         turn("s1", "task", "/home/ada/tea"),
		p + idA + "/subagents/agent-1.meta.json":     "{}",
		p + "agent-old.jsonl":                        strings.Replace(turn("s2", "task", "/x"), `"type"`, `"sessionId":"`+idA+`","isSidechain":true,"type"`, 1),
		p + "agent-orphan.jsonl":                     strings.Replace(turn("s3", "lost", "/x"), `"type"`, `"sessionId":"gone","isSidechain":true,"type"`, 1),
		p + "memory/MEMORY.md":                       "no session",
		p + "notes.txt":                              "no session",
		"projects/-home-ada-other/" + idB + ".jsonl": "",
		"projects/stray.jsonl":                       "not in a project",
	})
	got := byID(exact(t, dir))
	if len(got) != 3 {
		t.Fatalf("%d sessions: %v", len(got), got)
	}
	a := got[idA]
	if a.Name != "Kettle" || a.Prompt != "Fix the kettle" || a.Branch != "main" || a.Workdir != "/home/ada/tea" || a.Version != "2.1.0" {
		t.Errorf("words: %+v", a)
	}
	if a.Tokens.Fresh() != 14 { // without tokens read from the cache
		t.Errorf("%d fresh tokens", a.Tokens.Fresh())
	}
	if a.Messages != 2 || a.Tokens != (transcript.Usage{Input: 1, Output: 9, CacheRead: 3, CacheWrite: 4}) || !slices.Equal(a.Models, []string{"claude-x"}) {
		t.Errorf("figures: %d messages, %+v, %v", a.Messages, a.Tokens, a.Models)
	}
	if a.First.Format(time.TimeOnly) != "10:00:00" || a.Last.Format(time.TimeOnly) != "10:00:06" || a.State != sessions.StateOK || !a.Exact {
		t.Errorf("times and state: %v %v %s %v", a.First, a.Last, a.State, a.Exact)
	}
	if len(a.Agents) != 2 {
		t.Errorf("agents %v", a.Agents)
	}
	if o := got["agent-orphan"]; o.Messages != 1 || !strings.Contains(o.Reason, "gone") || !o.Has(sessions.FlagNotResumable) {
		t.Errorf("orphaned sub-agent: %+v", o)
	}
	if b := got[idB]; b.State != sessions.StateEmpty || b.Reason == "" {
		t.Errorf("empty: %+v", b)
	}
}

func TestCommandOnly(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"projects/p/" + idA + ".jsonl": turn("u1", "<command-name>/model</command-name><command-args></command-args>", "/w") +
		turn("u2", "<command-name>/goal</command-name><command-args>tidy the shelves</command-args>", "/w")})
	if s := exact(t, dir)[0]; s.Prompt != "/goal tidy the shelves" || s.Name != s.Prompt || s.Messages != 0 {
		t.Errorf("%+v", s)
	}
}

func TestStates(t *testing.T) {
	t.Parallel()
	u := turn("u1", "hello", "/w")
	for _, c := range []struct {
		name, data string
		state      sessions.State
		flags      string
	}{
		{"ok", u, sessions.StateOK, ""},
		{"empty", " \n\n", sessions.StateEmpty, ""},
		{"stub", `{"type":"mode","mode":"normal"}` + "\n", sessions.StateStub, ""},
		{"bad line", u + "{garbage\n" + u, sessions.StateDamaged, ""},
		{"number", u + "42\n" + u, sessions.StateDamaged, ""},
		{"missing parent", u + answer("a1", "gone", "m1", "2026-02-28T10:00:05.000Z", 1), sessions.StateDamaged, ""},
		{"torn tail", u + u[:50], sessions.StateOK, "torn-tail"},
		{"torn only", u[:50], sessions.StateStub, "torn-tail"},
		{
			"hidden branch",
			u + answer("a1", "u1", "m1", "2026-02-28T10:00:05.000Z", 1) + answer("a2", "u1", "m2", "2026-02-28T10:00:06.000Z", 1),
			sessions.StateOK, "hidden-branch",
		},
		{"sdk", strings.Replace(u, `"cli"`, `"sdk-cli"`, 1), sessions.StateOK, "sdk"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			list := exact(t, tree(t, map[string]string{"projects/p/" + idA + ".jsonl": c.data}))
			var flags []string
			for _, f := range list[0].Flags {
				flags = append(flags, string(f))
			}
			if list[0].State != c.state || strings.Join(flags, " ") != c.flags {
				t.Errorf("state %s, flags %v", list[0].State, flags)
			}
			if (list[0].Reason == "") != (c.state == sessions.StateOK) {
				t.Errorf("reason %q", list[0].Reason)
			}
		})
	}
}

func TestFlagsOfPlace(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"projects/-a/" + idA + ".jsonl": turn("u1", "x", "/a"),
		"projects/-b/" + idA + ".jsonl": turn("u1", "x", "/b"),
		"projects/-a/" + idB + ".jsonl": turn("u1", "x", "/a"),
		"projects/-a/named-file.jsonl":  turn("u1", "x", "/a"),
		"settings.json":                 `{"cleanupPeriodDays": 15}`,
	})
	old := filepath.Join(dir, "projects/-a/"+idB+".jsonl")
	if err := os.Chtimes(old, now(), now().AddDate(0, 0, -6)); err != nil {
		t.Fatal(err)
	}
	for _, s := range exact(t, dir) {
		if s.Has(sessions.FlagDuplicateID) != (s.ID == idA) || s.Has(sessions.FlagNotResumable) != (s.ID == "named-file") || s.Has(sessions.FlagPurgeSoon) != (s.ID == idB) {
			t.Errorf("%s: %v", s.Path, s.Flags)
		}
	}
}

// TestQuick: the quick figures of long transcripts equal the exact figures, and both passes read little.
func TestQuick(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	for i := range 20 {
		var b strings.Builder
		b.WriteString(turn("u1", fmt.Sprint("Prompt ", i), "/home/ada/p"))
		for k := range 400 {
			b.WriteString(answer(fmt.Sprint("a", k), "u1", fmt.Sprint("m", k), time.Date(2026, 2, 1+i, 0, 0, k, 0, time.UTC).Format("2006-01-02T15:04:05.000Z"), k))
		}
		fmt.Fprintf(&b, `{"type":"ai-title","aiTitle":"Title %d"}`+"\n", i)
		files[fmt.Sprintf("projects/-home-ada-p/%08d-0000-4000-8000-000000000000.jsonl", i)] = b.String()
	}
	set := find(t, tree(t, files))
	quick := slices.Clone(set.Sessions)
	peeked, opened := set.Work().Peeked.Load(), set.Work().Files.Load()
	if peeked > 20*2*16<<10 || opened != 20 {
		t.Errorf("peeked %d bytes in %d files", peeked, opened)
	}
	var size int64
	for _, s := range quick {
		size += s.Bytes
		if s.Exact || s.Name == "" || s.Last.IsZero() || s.Workdir == "" {
			t.Errorf("quick: %+v", s)
		}
	}
	if err := set.Exact(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := set.Work().Scanned.Load(); got != size {
		t.Errorf("scanned %d bytes of %d", got, size)
	}
	for i, s := range set.Sessions {
		q := quick[i]
		if q.Path != s.Path || q.Name != s.Name || !q.Last.Equal(s.Last) || q.Workdir != s.Workdir || q.Prompt != s.Prompt || q.Branch != s.Branch {
			t.Errorf("quick %+v\nexact %+v", q, s)
		}
		if s.Messages != 401 {
			t.Errorf("%d messages", s.Messages)
		}
	}
}

// TestByteOrderMark: the first key is unusual, so that the reader can't find it in damaged lines.
func TestByteOrderMark(t *testing.T) {
	t.Parallel()
	first := strings.Replace(turn("u1", "Fix the kettle", "/w"), `{"parent`, `{"userType":"external","parent`, 1)
	long := strings.Repeat(answer("a", "u1", "m", "2026-02-28T10:00:05.000Z", 1), 400)
	for name, data := range map[string]string{"short": first, "long": first + long} {
		set := find(t, tree(t, map[string]string{"projects/p/" + idA + ".jsonl": "\ufeff" + data}))
		quick := set.Sessions[0]
		if err := set.Exact(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		for _, s := range []sessions.Session{quick, set.Sessions[0]} {
			if s.Name != "Fix the kettle" || s.Workdir != "/w" || s.State != sessions.StateOK || len(s.Flags) != 0 {
				t.Errorf("%s: exact %v: %q in %q, %s %v", name, s.Exact, s.Name, s.Workdir, s.State, s.Flags)
			}
		}
	}
}

// TestDoubledMessage: the first record has two "message" keys. As in the client, the last one counts.
func TestDoubledMessage(t *testing.T) {
	t.Parallel()
	for _, pad := range []int{0, 2 << 20, 9 << 20} {
		first := strings.Replace(turn("u1", "Fix the kettle", "/w"), `"message"`, `"x":"`+strings.Repeat("x", pad)+`","message":{"role":"user","content":"Replaced"},"message"`, 1)
		if s := exact(t, tree(t, map[string]string{"projects/p/" + idA + ".jsonl": first}))[0]; s.Name != "Fix the kettle" || s.Prompt != s.Name || s.Messages != 1 {
			t.Errorf("%d bytes more: %q, prompt %q, %d messages", pad, s.Name, s.Prompt, s.Messages)
		}
	}
}

// TestHostileNames: directories, pipes and other files have the path of a transcript.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"projects/p/" + idA + ".jsonl": turn("u1", "fine", "/w"), "projects/p/caf\xe9.jsonl": turn("u1", "name", "/w")})
	p := filepath.Join(dir, "projects", "p")
	for _, err := range []error{
		os.Mkdir(filepath.Join(p, "folder.jsonl"), 0o700),
		os.Symlink("loop.jsonl", filepath.Join(p, "loop.jsonl")),
		os.Symlink(filepath.Join(p, idA+".jsonl"), filepath.Join(p, "link.jsonl")),
		os.Symlink(filepath.Join(dir, "projects"), filepath.Join(dir, "projects", "again")),
		os.WriteFile(filepath.Join(p, ".jsonl"), nil, 0o600),
		makePipe(filepath.Join(p, "pipe.jsonl")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	got := byID(exact(t, dir))
	for id, want := range map[string]sessions.State{
		idA: sessions.StateOK, "caf\xe9": sessions.StateOK, "link": sessions.StateOK,
		"folder": sessions.StateUnreadable, "loop": sessions.StateUnreadable, "pipe": sessions.StateUnreadable,
	} {
		s, ok := got[id]
		if !ok || s.State != want || (want == sessions.StateUnreadable) != (s.Reason != "") {
			t.Errorf("%q: %v %s %q", id, ok, s.State, s.Reason)
		}
	}
	if len(got) != 6 {
		t.Errorf("%d rows", len(got))
	}
}

// TestPermissionDenied is skipped for root, who can read everything.
func TestPermissionDenied(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"projects/p/" + idA + ".jsonl": turn("u1", "x", "/w"), "projects/q/" + idB + ".jsonl": turn("u1", "x", "/w")})
	path, folder := filepath.Join(dir, "projects/p/"+idA+".jsonl"), filepath.Join(dir, "projects/q")
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(folder, 0o700) })
	if _, err := os.ReadFile(path); err == nil {
		t.Skip("this user may read everything")
	}
	set := find(t, dir)
	if len(set.Sessions) != 1 || set.Sessions[0].State != sessions.StateUnreadable || !strings.Contains(set.Sessions[0].Reason, "Permission") {
		t.Errorf("%+v", set.Sessions)
	}
	if len(set.Problems) != 1 || set.Problems[0].Error() != "project directory "+folder+": permission denied" || !errors.Is(set.Problems[0], fs.ErrPermission) {
		t.Errorf("problems %v", set.Problems)
	}
}

func TestConfigDirDenied(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"projects/p/" + idA + ".jsonl": turn("u1", "x", "/w")})
	if err := os.Chmod(dir, 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(dir, 0o700) })
	if _, err := os.ReadDir(dir); err == nil {
		t.Skip("this user may read everything")
	}
	set, err := sessions.Find(t.Context(), sessions.Options{Dirs: []string{dir}, Now: now(), Probe: started{}})
	if err != nil || len(set.Problems) != 2 {
		t.Fatalf("%v, problems %v", err, set.Problems)
	}
	for _, p := range set.Problems {
		if strings.Count(p.Error(), dir) != 1 || !strings.HasSuffix(p.Error(), ": permission denied") || !errors.Is(p, fs.ErrPermission) {
			t.Errorf("problem %q", p)
		}
	}
}

// TestChangesWhileRead: files are deleted or truncated between the passes and during the second one.
func TestChangesWhileRead(t *testing.T) {
	t.Parallel()
	files := map[string]string{}
	long := turn("u1", "start", "/w") + strings.Repeat(answer("a", "u1", "m", "2026-02-28T10:00:05.000Z", 1), 4000)
	for i := range 12 {
		files[fmt.Sprintf("projects/p/%08d-0000-4000-8000-000000000000.jsonl", i)] = long
	}
	dir := tree(t, files)
	set := find(t, dir)
	paths := make([]string, 0, len(set.Sessions))
	for _, s := range set.Sessions {
		paths = append(paths, s.Path)
	}
	if err := os.Remove(paths[0]); err != nil {
		t.Fatal(err)
	}
	gone := 0
	err := set.Exact(t.Context(), func(ses sessions.Session, lost bool) {
		for _, p := range paths[6:] { // during the second pass
			_ = os.Truncate(p, 100)
		}
		if lost {
			gone++
		} else if ses.State == sessions.StateUnreadable {
			t.Errorf("%s: %s", ses.Path, ses.Reason)
		}
	})
	if err != nil || gone != 1 || len(set.Sessions) != 11 {
		t.Errorf("%v, %d gone, %d left", err, gone, len(set.Sessions))
	}
}

func TestRoots(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"projects/a/" + idA + ".jsonl": turn("u1", "x", "/home/ada/code/tea"),
		"projects/b/" + idB + ".jsonl": turn("u1", "x", "/home/ada/code-private"),
	})
	set, err := sessions.Find(t.Context(), sessions.Options{Dirs: []string{dir}, Roots: []string{"/home/ada/code"}, Now: now()})
	if err != nil || len(set.Sessions) != 1 || set.Sessions[0].ID != idA {
		t.Errorf("%v %+v", err, set.Sessions)
	}
}

func TestNoConfigDir(t *testing.T) {
	t.Parallel()
	if set := find(t, filepath.Join(t.TempDir(), "missing")); len(set.Sessions) != 0 || len(set.Problems) != 0 {
		t.Errorf("missing: %v %v", set.Sessions, set.Problems)
	}
	if set := find(t, tree(t, map[string]string{"projects": "a file"})); len(set.Problems) != 1 {
		t.Errorf("projects is a file: %v", set.Problems)
	}
	if set := find(t, t.TempDir()); len(set.Sessions) != 0 || len(set.Problems) != 0 {
		t.Errorf("without projects: %v %v", set.Sessions, set.Problems)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := sessions.Find(ctx, sessions.Options{Dirs: []string{tree(t, map[string]string{"projects/a/x.jsonl": "x"})}, Now: now()}); err == nil {
		t.Error("a cancelled search has no error")
	}
}

// TestCorpus: each transcript of real config dirs is a session or a sub-agent, and its figures are right.
func TestCorpus(t *testing.T) {
	drilltest.SkipUnderRace(t)
	t.Parallel()
	dirs := filepath.SplitList(os.Getenv("CONTINUO_CORPUS"))
	if len(dirs) == 0 {
		t.Skip("CONTINUO_CORPUS names no config dir")
	}
	var want, got []string
	for _, d := range dirs {
		err := filepath.WalkDir(filepath.Join(d, "projects"), func(p string, e fs.DirEntry, err error) error {
			if err == nil && strings.HasSuffix(p, ".jsonl") {
				want = append(want, p)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, s := range exact(t, dirs...) {
		got = append(append(got, s.Path), s.Agents...)
		if s.State == sessions.StateUnreadable {
			t.Errorf("%s: unreadable: %s", s.Path, s.Reason)
		}
		if s.Tokens != countTokens(t, s.Path) {
			t.Errorf("%s: tokens %+v, want %+v", s.Path, s.Tokens, countTokens(t, s.Path))
		}
	}
	compacts := func(path string) bool { return strings.HasPrefix(filepath.Base(path), "agent-acompact-") }
	want, got = slices.DeleteFunc(want, compacts), slices.DeleteFunc(got, compacts)
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("listed %d files of %d", len(got), len(want))
	}
}

// countTokens counts tokens independently. Of the records of one answer, it counts the last.
func countTokens(t *testing.T, path string) transcript.Usage {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	last := map[string]transcript.Usage{}
	for i, line := range strings.Split(string(data), "\n") {
		var r struct {
			Type      string
			RequestID string `json:"requestId"`
			Message   struct {
				ID    string
				Usage *struct {
					Input      int64 `json:"input_tokens"`
					Output     int64 `json:"output_tokens"`
					CacheRead  int64 `json:"cache_read_input_tokens"`
					CacheWrite int64 `json:"cache_creation_input_tokens"`
				}
			}
		}
		if json.Unmarshal([]byte(line), &r) != nil || r.Type != "assistant" || r.Message.Usage == nil {
			continue
		}
		key := r.Message.ID + " " + r.RequestID
		if r.Message.ID == "" {
			key = fmt.Sprint(i)
		}
		last[key] = transcript.Usage(*r.Message.Usage)
	}
	var sum transcript.Usage
	for _, u := range last {
		sum = sum.Add(u)
	}
	return sum
}

// TestOrder: a session without a time comes last, whatever its file's modification time.
func TestOrder(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{
		"projects/p/" + idA + ".jsonl": turn("u1", "long ago", "/w"),
		"projects/p/" + idB + ".jsonl": "",
		"projects/p/junk.jsonl":        "garbage",
	})
	for _, name := range []string{idB, "junk"} {
		if err := os.Chtimes(filepath.Join(dir, "projects/p", name+".jsonl"), now(), now()); err != nil {
			t.Fatal(err)
		}
	}
	if list := exact(t, dir); list[0].ID != idA || list[0].Dated() == list[1].Dated() {
		t.Errorf("%s %s %s", list[0].ID, list[1].ID, list[2].ID)
	}
}

// TestOrphans: the client has deleted the transcript of the sub-agents' session.
func TestOrphans(t *testing.T) {
	t.Parallel()
	agent := strings.Replace(turn("s1", "lost task", "/w"), `"type"`, `"isSidechain":true,"sessionId":"`+idA+`","type"`, 1)
	list := exact(t, tree(t, map[string]string{"projects/p/" + idA + "/subagents/agent-1.jsonl": agent, "projects/p/memory/x.jsonl": "no session"}))
	if len(list) != 1 || list[0].ID != "agent-1" || list[0].Prompt != "lost task" || !strings.Contains(list[0].Reason, idA) {
		t.Errorf("%+v", list)
	}
}

// TestAgentOfSession: the first record's parent may be in the transcript of the session. If not, the file is damaged.
func TestAgentOfSession(t *testing.T) {
	t.Parallel()
	agent := func(parents ...string) string {
		text := ""
		for i, p := range parents {
			text += strings.Replace(turn(fmt.Sprint("s", i), "task", "/w"), `"parentUuid":null`, fmt.Sprintf(`"isSidechain":true,"sessionId":%q,"parentUuid":%q`, idA, p), 1)
		}
		return text
	}
	session := turn("u1", "hello", "/w") + answer("a1", "u1", "m1", "2026-02-28T10:00:05.000Z", 1)
	dir := tree(t, map[string]string{
		"p/" + idA + ".jsonl":                     session,
		"p/" + idA + "/subagents/agent-1.jsonl":   agent("a1", "u1", "s1"),
		"p/agent-2.jsonl":                         agent("a1"),
		"p/" + idA + "/subagents/agent-3.jsonl":   agent("a1", "elsewhere"),
		"p/" + idA + "/subagents/agent-4.jsonl":   agent("a1") + "garbage\n" + agent("s0"),
		"p/" + idB + "/subagents/agent-5.jsonl":   agent("a1"),
		"p/" + idB + "/subagents/a-session.jsonl": agent("a1"),
	})
	for name, want := range map[string]string{
		idA + "/subagents/agent-1": "", "agent-2": "",
		idA + "/subagents/agent-3":   "1 message lost its parent. Everything else is shown.",
		idA + "/subagents/agent-4":   "1 line could not be parsed. Everything else is shown.",
		idB + "/subagents/agent-5":   "1 message lost its parent. Everything else is shown.",
		idB + "/subagents/a-session": "1 message lost its parent. Everything else is shown.",
	} {
		s := sessions.Read(t.Context(), filepath.Join(dir, "p", name+".jsonl"), time.Time{})
		if s.Reason != want || (s.State == sessions.StateOK) != (want == "") {
			t.Errorf("%s: %s, %q, want %q", name, s.State, s.Reason, want)
		}
	}
}

func TestDirTwice(t *testing.T) {
	t.Parallel()
	dir := tree(t, map[string]string{"projects/p/" + idA + ".jsonl": turn("u1", "x", "/w")})
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(dir, "projects", "p"), filepath.Join(dir, "projects", "q")); err != nil {
		t.Fatal(err)
	}
	if list := exact(t, dir, dir, link); len(list) != 1 || len(list[0].Flags) != 0 {
		t.Errorf("%+v", list)
	}
}

// TestRetentionNever: users set large values to turn the cleanup off. They must not overflow.
func TestRetentionNever(t *testing.T) {
	t.Parallel()
	for _, days := range []string{"365000", "999999", "9999999", "1e300", "0", "-1", `"x"`} {
		dir := tree(t, map[string]string{"projects/p/" + idA + ".jsonl": turn("u1", "x", "/w"), "settings.json": `{"cleanupPeriodDays":` + days + `}`})
		if s := exact(t, dir)[0]; s.Has(sessions.FlagPurgeSoon) {
			t.Errorf("%s days: %v", days, s.Flags)
		}
	}
}

// TestRootsLate: the workdir comes after a long line, so only the second pass can read it.
func TestRootsLate(t *testing.T) {
	t.Parallel()
	long := `{"type":"api-request","x":"` + strings.Repeat("x", 300<<10) + `"}` + "\n"
	dir := tree(t, map[string]string{
		"projects/p/" + idA + ".jsonl": long + turn("u1", "in", "/w/a") + long,
		"projects/p/" + idB + ".jsonl": long + turn("u1", "out", "/elsewhere") + long,
	})
	set, err := sessions.Find(t.Context(), sessions.Options{Dirs: []string{dir}, Roots: []string{"/w"}, Now: now()})
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Exact(t.Context(), nil); err != nil || len(set.Sessions) != 1 || set.Sessions[0].ID != idA {
		t.Errorf("%v %+v", err, set.Sessions)
	}
}
