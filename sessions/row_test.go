package sessions_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
)

func TestQuiet(t *testing.T) {
	t.Parallel()
	for _, kind := range []sessions.Kind{sessions.KindSession, sessions.KindBackup, sessions.KindDocument} {
		for state, want := range map[sessions.State]bool{
			sessions.StateOK: false, sessions.StateEmpty: true, sessions.StateStub: true, sessions.StateDamaged: false, sessions.StateUnreadable: false,
		} {
			r := sessions.Row{Kind: kind, Session: sessions.Session{State: state}}
			if r.Quiet() != (want && kind == sessions.KindSession) {
				t.Errorf("%s %s: %v", kind, state, r.Quiet())
			}
			if r.Flags = []sessions.Flag{sessions.FlagSDK}; r.Quiet() != (kind == sessions.KindSession) {
				t.Errorf("%s %s of claude -p: %v", kind, state, r.Quiet())
			}
			if r.Flags, r.Archived = nil, true; r.Quiet() != (kind == sessions.KindSession) {
				t.Errorf("archived %s %s: %v", kind, state, r.Quiet())
			}
		}
	}
}

func TestBadge(t *testing.T) {
	t.Parallel()
	none := sessions.FlagNoBackup
	for _, tt := range []struct {
		row  sessions.Session
		want sessions.Badge
	}{
		{sessions.Session{State: sessions.StateOK, Flags: []sessions.Flag{none, sessions.FlagSDK}}, sessions.BadgeOK},
		{sessions.Session{State: sessions.StateStub, Flags: []sessions.Flag{none}}, sessions.BadgeStub},
		{sessions.Session{State: sessions.StateEmpty}, sessions.BadgeStub},
		{sessions.Session{State: sessions.StateUnreadable, Flags: []sessions.Flag{sessions.FlagPurgeSoon}}, sessions.BadgeBroken},
		{sessions.Session{State: sessions.StateOK, Copied: true, Flags: []sessions.Flag{sessions.FlagPurgeSoon}}, sessions.BadgeOK},
		{sessions.Session{State: sessions.StateOK, Flags: []sessions.Flag{sessions.FlagHiddenBranch, none}}, sessions.BadgeHiddenBranch},
		{sessions.Session{State: sessions.StateOK, Flags: []sessions.Flag{sessions.FlagPurgeSoon, none}}, sessions.BadgePurgeSoon},
		{sessions.Session{State: sessions.StateDamaged, Flags: []sessions.Flag{none}}, sessions.BadgeOK},
		{sessions.Session{State: sessions.StateOK, Flags: []sessions.Flag{sessions.FlagLive, none}}, sessions.BadgeLive},
	} {
		r := sessions.Row{Kind: sessions.KindSession, Session: tt.row}
		if got := r.Badge(); got != tt.want {
			t.Errorf("%s %v: %s, want %s", tt.row.State, tt.row.Flags, got, tt.want)
		}
	}
}

// TestMayRun: a run of `claude -p` may be running if its file is new. Other sessions must be live.
func TestMayRun(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	sdk := []sessions.Flag{sessions.FlagSDK}
	for _, tt := range []struct {
		ses  sessions.Session
		want bool
	}{
		{sessions.Session{Modified: now}, false},
		{sessions.Session{Modified: now.AddDate(0, 0, -1), Live: &sessions.Live{}}, true},
		{sessions.Session{Modified: now.Add(-9 * time.Minute), Flags: sdk}, true},
		{sessions.Session{Modified: now.Add(-10 * time.Minute), Flags: sdk}, false},
	} {
		if got := tt.ses.MayRun(now); got != tt.want {
			t.Errorf("%+v: %v", tt.ses, got)
		}
	}
}

// TestSetFlag: the order of the flags stays, and a shared slice isn't changed.
func TestSetFlag(t *testing.T) {
	t.Parallel()
	was := []sessions.Flag{sessions.FlagHiddenBranch, sessions.FlagSDK}
	s := sessions.Session{Flags: was}
	for range 2 {
		s.SetFlag(sessions.FlagNoBackup, true)
	}
	if want := []sessions.Flag{sessions.FlagHiddenBranch, sessions.FlagNoBackup, sessions.FlagSDK}; !slices.Equal(s.Flags, want) {
		t.Errorf("%v, want %v", s.Flags, want)
	}
	for range 2 {
		s.SetFlag(sessions.FlagHiddenBranch, false)
	}
	if want := []sessions.Flag{sessions.FlagNoBackup, sessions.FlagSDK}; !slices.Equal(s.Flags, want) || was[0] != sessions.FlagHiddenBranch || was[1] != sessions.FlagSDK {
		t.Errorf("%v, want %v; before %v", s.Flags, want, was)
	}
}

// TestShellCommandFirst: a session is named after its first prompt, not after an earlier shell command.
func TestShellCommandFirst(t *testing.T) {
	t.Parallel()
	shell := turn("u1", "<bash-input>git switch main</bash-input>", "/w")
	ask := turn("u2", "Sort the tea", "/w")
	long := strings.Repeat(answer("a", "u1", "m", "2026-02-28T10:00:05.000Z", 1), 100) // more than 32 KB
	for data, want := range map[string]string{
		shell: "! git switch main", shell + ask: "Sort the tea", ask + shell: "Sort the tea",
		shell + long + ask + long: "Sort the tea", shell + long + long: "! git switch main",
	} {
		set := find(t, tree(t, map[string]string{"projects/p/" + idA + ".jsonl": data}))
		quick := set.Sessions[0]
		if err := set.Exact(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if s := set.Sessions[0]; quick.Name != want || s.Name != want || s.Prompt != want || quick.Exact != (len(data) < 32<<10) {
			t.Errorf("%d bytes: quick %q, exact %q, prompt %q, want %q", len(data), quick.Name, s.Name, s.Prompt, want)
		}
	}
}

func TestArchived(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]bool{
		"/p/.claude/memory/session-2026-11-14-1810.md": true,
		`C:\p\.claude\memory\session-x.md`:             true,
		"/session-p/active-context.md":                 false,
		"/p/.claude/memory/project-memory.md":          false,
	} {
		if r := (&sessions.Row{Kind: sessions.KindDocument, Session: sessions.Session{Path: path}}); r.IsSessionDocument() != want {
			t.Errorf("%s: %v", path, !want)
		}
	}
	if r := (&sessions.Row{Kind: sessions.KindBackup, Session: sessions.Session{Path: "/p/session-x.md"}}); r.IsSessionDocument() {
		t.Error("a backup")
	}
}

// TestUnpicked: the /resume list of client 2.1.330 left out exactly the transcripts with a reason.
func TestUnpicked(t *testing.T) {
	t.Parallel()
	with := func(fields, record string) string { return "{" + fields + "," + record[1:] }
	said := func(text string) string { return turn("u1", text, "/home/ada/tea") }
	command := func(name, args string) string {
		return said(fmt.Sprintf("<command-name>%s</command-name>\n<command-message>x</command-message>\n<command-args>%s</command-args>", name, args))
	}
	ask, long := said("Ask"), said("Answer "+strings.Repeat("x", 70_000))
	done := answer("a1", "u1", "m1", "2026-02-28T10:00:05.000Z", 2)
	ended := strings.Replace(done, `"usage"`, `"stop_reason":"end_turn","usage"`, 1)
	system := `{"parentUuid":null,"type":"system","subtype":"informational","content":"x","uuid":"s1","cwd":"/home/ada/tea"}` + "\n"
	stdout := said("<local-command-stdout>Bye!</local-command-stdout>")
	moved := fmt.Sprintf(`{"type":"continued-in","continuedInSessionId":%q}`+"\n", idB)
	const (
		sidechain, team, daemon  = "it has messages of a sub-agent in its first 64 KB", "session of a teammate", "session of the background daemon"
		loop, nothing, elsewhere = "the first prompt is /loop", "it has no prompt and no answer", "continued in another session"
	)
	for name, tt := range map[string]struct{ data, want string }{
		"plain":                                 {ask + done, ""},
		"begins with a slash command":           {command("/compact", "") + ask + done, ""},
		"begins with progress":                  {`{"parentUuid":null,"type":"progress","uuid":"p1"}` + "\n" + ask + done, ""},
		"only a slash command":                  {command("/model", ""), ""},
		"empty":                                 {"", ""},
		"only metadata":                         {`{"type":"mode","mode":"normal"}` + "\n", ""},
		"sub-agent first":                       {with(`"isSidechain":true`, ask) + done, sidechain},
		"sub-agent second":                      {ask + with(`"isSidechain":true`, done), sidechain},
		"sub-agent at the end of 64 KB":         {ask + long[:60_000] + `"}}` + "\n" + with(`"isSidechain":true`, done), sidechain},
		"sub-agent after 64 KB":                 {ask + long + with(`"isSidechain":true`, done), ""},
		"sub-agent in a text":                   {said(`Say {"isSidechain":true}`) + done, ""},
		"teammate":                              {with(`"teamName":"crew"`, ask) + done, team},
		"teammate second":                       {ask + with(`"teamName":"crew"`, done), team},
		"teammate after 64 KB":                  {ask + long + with(`"teamName":"crew"`, done), ""},
		"team without a name":                   {with(`"teamName":""`, ask) + with(`"teamName":null`, done), ""},
		"sub-agent in a result":                 {ask + with(`"toolUseResult":{"isSidechain":true}`, done), sidechain},
		"sub-agent in metadata":                 {`{"type":"mode","data":{"isSidechain": true}}` + "\n" + ask + done, sidechain},
		"sub-agent after a tab":                 {with("\"isSidechain\":\ttrue", ask) + with(`"isSidechain" : true`, done), ""},
		"sub-agent that is a text":              {with(`"isSidechain":"true"`, ask) + done, ""},
		"teammate in a result":                  {ask + with(`"toolUseResult":{"teamName":"crew"}`, done), team},
		"teammate in metadata":                  {`{"type":"mode","data":{"teamName": "crew"}}` + "\n" + ask + done, team},
		"teammate without a name first":         {with(`"teamName":""`, ask) + with(`"teamName":"crew"`, done), ""},
		"teammate null first":                   {with(`"teamName":null`, ask) + with(`"teamName":"crew"`, done), team},
		"teammate after two spaces":             {with(`"teamName":  "crew"`, ask) + with(`"teamName" : "crew"`, done), ""},
		"teammate with a number":                {with(`"teamName":5`, ask) + with(`"teamName":{"name":"crew"}`, done), ""},
		"teammate in a text":                    {said(`Say {"teamName":"crew"}`) + done, ""},
		"daemon in a result":                    {with(`"toolUseResult":{"sessionKind":"daemon"}`, ask) + done, daemon},
		"daemon in a result, then /bg":          {with(`"toolUseResult":{"sessionKind":"daemon"},"sessionKind":"bg"`, ask) + done, daemon},
		"/bg, then daemon in a result":          {with(`"sessionKind":"bg","toolUseResult":{"sessionKind":"daemon"}`, ask) + done, ""},
		"daemon in a second result":             {ask + with(`"toolUseResult":{"sessionKind":"daemon"}`, done), ""},
		"daemon":                                {with(`"sessionKind":"daemon"`, ask) + done, daemon},
		"daemon worker":                         {with(`"sessionKind":"daemon-worker"`, ask) + done, daemon},
		"daemon after metadata":                 {`{"type":"mode"}` + "\n" + with(`"sessionKind":"daemon"`, ask) + done, daemon},
		"daemon second":                         {ask + with(`"sessionKind":"daemon"`, done), ""},
		"/bg":                                   {with(`"sessionKind":"bg"`, ask) + done, ""},
		"/loop":                                 {command("/loop", "5m check") + done, loop},
		"/loop after a meta text":               {with(`"isMeta":true`, ask) + command("/loop", "5m check") + done, loop},
		"/loop after a compaction":              {with(`"isCompactSummary":true`, ask) + command("/loop", "5m check") + done, loop},
		"/loop second":                          {ask + command("/loop", "5m check") + done, ""},
		"/loop after /clear":                    {command("/clear", "") + command("/loop", "5m check") + done, ""},
		"meta text with /loop":                  {with(`"isMeta":true`, command("/loop", "5m check")) + ask + done, ""},
		"/loop as a text":                       {said("/loop 5m check") + done, ""},
		"/proactive":                            {command("/proactive", "5m check") + done, ""},
		"nothing said":                          {system, nothing},
		"nothing said but an attachment":        {`{"parentUuid":null,"type":"attachment","attachment":{"type":"date"}}` + "\n", nothing},
		"nothing said but /exit":                {with(`"isMeta":true`, said("<local-command-caveat>Caveat: x</local-command-caveat>")) + command("/exit", "") + stdout, nothing},
		"nothing said in 63 KB":                 {strings.Replace(system, `"x"`, `"`+strings.Repeat("x", 63_000)+`"`, 1), nothing},
		"nothing said in 69 KB":                 {strings.Replace(system, `"x"`, `"`+strings.Repeat("x", 69_000)+`"`, 1), ""},
		"nothing said, last prompt":             {system + `{"type":"last-prompt","lastPrompt":"x"}` + "\n", nothing},
		"nothing said, tag removed":             {system + `{"type":"tag","tag":"a"}` + "\n" + `{"type":"tag","tag":""}` + "\n", nothing},
		"nothing said, tag":                     {system + `{"type":"tag","tag":"a"}` + "\n", ""},
		"nothing said, custom title":            {system + `{"type":"custom-title","customTitle":"a"}` + "\n", ""},
		"nothing said, generated title":         {system + `{"type":"ai-title","aiTitle":"a"}` + "\n", ""},
		"nothing said, summary":                 {system + `{"type":"summary","summary":"a","leafUuid":"x"}` + "\n", ""},
		"nothing said, /bg":                     {with(`"sessionKind":"bg"`, system), ""},
		"nothing said, continued":               {system + strings.Replace(moved, "bbbb", "0000", 1), ""},
		"nothing said but /exit with arguments": {command("/exit", "x"), ""},
		"only /clear":                           {command("/clear", ""), ""},
		"only a meta text":                      {with(`"isMeta":true`, ask), ""},
		"only an answer":                        {done, ""},
		"only /rename":                          {strings.Replace(system, `"x"`, `"<command-name>/rename</command-name><command-args>a</command-args>"`, 1), ""},
		"only a queued prompt":                  {`{"parentUuid":null,"type":"attachment","attachment":{"type":"queued_command","prompt":"x"}}` + "\n", ""},
		"only a call":                           {strings.Replace(system, "informational", "voice_call_talk", 1), ""},
		"continued":                             {ask + done + moved, elsewhere},
		"continued, long":                       {ask + long + moved, elsewhere},
		"continued, then metadata":              {ask + done + moved + `{"type":"mode"}` + "\n", elsewhere},
		"continued, then /exit":                 {ask + done + moved + command("/exit", "") + stdout, elsewhere},
		"continued, then an incomplete answer":  {ask + done + moved + done, elsewhere},
		"continued, then an error":              {ask + done + moved + with(`"isApiErrorMessage":true`, ended), elsewhere},
		"continued, then a custom command":      {ask + done + moved + said("<command-message>x</command-message>\n<command-name>/x</command-name>"), elsewhere},
		"continued, then a prompt":              {ask + done + moved + ask, ""},
		"continued, then a shell command":       {ask + done + moved + said("<bash-input>ls</bash-input>"), ""},
		"continued, then an answer":             {ask + done + moved + ended, ""},
		"continued, then 64 KB":                 {ask + done + moved + strings.Replace(system, `"x"`, `"`+strings.Repeat("x", 70_000)+`"`, 1), ""},
		"continued in a missing session":        {ask + done + strings.Replace(moved, "bbbb", "0000", 1), ""},
		"continued in no session":               {ask + done + strings.Replace(moved, idB, "../-home-ada-tea/"+idB, 1), ""},
	} {
		p := "projects/-home-ada-tea/"
		dir := tree(t, map[string]string{p + idA + ".jsonl": tt.data, p + idB + ".jsonl": ask + done})
		row := sessions.Row{Kind: sessions.KindSession, Session: byID(exact(t, dir))[idA]}
		if got := row.Unpicked(); got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
		if row.Session = byID(find(t, dir).Sessions)[idA]; row.Unpicked() != tt.want && !strings.HasSuffix(name, "64 KB") {
			t.Errorf("%s, quick figures: %q, want %q", name, row.Unpicked(), tt.want)
		}
	}
}

// TestSideTitle: in client 2.1.330, only a custom title in the records is stronger than custom-title.json.
func TestSideTitle(t *testing.T) {
	t.Parallel()
	ask := turn("u1", "Ask", "/home/ada/tea")
	system := `{"parentUuid":null,"type":"system","subtype":"informational","content":"x","uuid":"s1","cwd":"/home/ada/tea"}` + "\n"
	const kettle = `{"customTitle":"Kettle"}`
	for name, tt := range map[string]struct{ data, side, title, picker string }{
		"alone":              {ask, kettle, "Kettle", ""},
		"custom title":       {ask + `{"type":"custom-title","customTitle":"Line"}` + "\n", kettle, "Line", ""},
		"generated title":    {ask + `{"type":"ai-title","aiTitle":"Generated"}` + "\n", kettle, "Kettle", ""},
		"summary":            {`{"type":"summary","summary":"Sum","leafUuid":"u1"}` + "\n" + ask, kettle, "Kettle", ""},
		"empty":              {ask, `{"customTitle":""}`, "Ask", ""},
		"damaged":            {ask, `{"customTitle":"Ket`, "Ask", ""},
		"too long":           {ask, `{"customTitle":"` + strings.Repeat("x", 70_000) + `"}`, "Ask", ""},
		"nothing said":       {system, kettle, "Kettle", ""},
		"nothing said, none": {system, `{"customTitle":""}`, "", "it has no prompt and no answer"},
	} {
		p := "projects/-home-ada-tea/" + idA
		dir := tree(t, map[string]string{p + ".jsonl": tt.data, p + "/custom-title.json": tt.side})
		for pass, s := range map[string]sessions.Session{"quick": find(t, dir).Sessions[0], "exact": exact(t, dir)[0]} {
			if s.Name != tt.title || s.Picker != tt.picker {
				t.Errorf("%s, %s: %q and %q, want %q and %q", name, pass, s.Name, s.Picker, tt.title, tt.picker)
			}
		}
	}
}

// TestSameSlug: two folders have the same slug. Each session is resumed in its own folder (client 2.1.330).
func TestSameSlug(t *testing.T) {
	t.Parallel()
	p := "projects/-home-ada-tea-x/"
	dir := tree(t, map[string]string{
		p + idA + ".jsonl": turn("u1", "Ask", "/home/ada/tea-x"),
		p + idB + ".jsonl": turn("u1", "Ask", "/home/ada/tea.x") + turn("u2", "Ask", "/home/ada/tea-x"),
	})
	for id, want := range map[string]string{idA: "/home/ada/tea-x", idB: "/home/ada/tea.x"} {
		if s := byID(exact(t, dir))[id]; s.Workdir != want || s.Picker != "" {
			t.Errorf("%s is in %s, hidden because %q", id, s.Workdir, s.Picker)
		}
	}
}

// TestUnpickedLink: the /resume list leaves out symbolic links (client 2.1.330). A cache doesn't know about links.
func TestUnpickedLink(t *testing.T) {
	t.Parallel()
	p := "projects/-home-ada-tea/"
	dir := tree(t, map[string]string{"elsewhere.jsonl": turn("u1", "Ask", "/home/ada/tea"), p + idB + ".jsonl": turn("u1", "Ask", "/home/ada/tea")})
	link := filepath.Join(dir, p+idA+".jsonl")
	if err := os.Symlink(filepath.Join(dir, "elsewhere.jsonl"), link); err != nil {
		t.Skip(err)
	}
	x := index.Open("")
	sessions.NewScanner(x, now()).Read(t.Context(), link)
	x.Flush()
	for name, cache := range map[string]sessions.Cache{"no cache": nil, "cache": x} {
		set, err := sessions.Find(t.Context(), sessions.Options{Dirs: []string{dir}, Now: now(), Cache: cache})
		if err != nil {
			t.Fatal(err)
		}
		found := byID(set.Sessions)
		if a, b := found[idA], found[idB]; a.Picker != "the transcript is a symbolic link" || b.Picker != "" {
			t.Errorf("%s: %q and %q", name, a.Picker, b.Picker)
		}
	}
}

// TestUnpickedContinued: the /resume list hides a session that another session continues (client 2.1.330).
// If the transcript of the other session is missing or empty, the list shows the session.
func TestUnpickedContinued(t *testing.T) {
	t.Parallel()
	p := "projects/-home-ada-tea/"
	moved := fmt.Sprintf(`{"type":"continued-in","continuedInSessionId":%q}`+"\n", idB)
	dir := tree(t, map[string]string{p + idA + ".jsonl": turn("u1", "Ask", "/home/ada/tea") + moved})
	ses, other := exact(t, dir)[0], filepath.Join(dir, p+idB+".jsonl")
	x := index.Open("")
	sessions.NewScanner(x, now()).Read(t.Context(), ses.Path)
	x.Flush()
	set := walk(t, sessions.Options{Dirs: []string{dir}, Now: now()})
	check := func(want string, changed bool) {
		t.Helper()
		if _, around := set.Renew(&ses); ses.Picker != want || around != changed {
			t.Errorf("renewed: %q, changed %v; want %q, %v", ses.Picker, around, want, changed)
		}
		if got := sessions.NewScanner(x, now()).Read(t.Context(), ses.Path); got.Picker != want {
			t.Errorf("cached: %q, want %q", got.Picker, want)
		}
	}
	check("", false)
	for _, step := range []struct{ data, want string }{{"", ""}, {turn("u1", "Ask", "/home/ada/tea"), "continued in another session"}, {"", ""}} {
		if err := os.WriteFile(other, []byte(step.data), 0o600); err != nil {
			t.Fatal(err)
		}
		check(step.want, step.want != "" || ses.Picker != "")
	}
}

// TestLastBackups: only the newest readable backup describes a session without a transcript.
func TestLastBackups(t *testing.T) {
	t.Parallel()
	backup := func(of, path string, day int, more func(*sessions.Row)) sessions.Row {
		r := sessions.Row{Kind: sessions.KindBackup, Of: of, Saved: &sessions.Row{Session: sessions.Session{Name: path}}}
		r.Path, r.Created, r.State, r.Flags = path, time.Date(2026, 11, day, 0, 0, 0, 0, time.UTC), sessions.StateOK, []sessions.Flag{sessions.FlagBackupOnly}
		if more != nil {
			more(&r)
		}
		return r
	}
	rows := []sessions.Row{
		backup("a", "old", 1, nil), backup("a", "new", 3, nil), backup("a", "middle", 2, nil),
		backup("a", "unreadable", 4, func(r *sessions.Row) { r.State, r.Saved = sessions.StateUnreadable, nil }),
		backup("a", "deleted", 5, func(r *sessions.Row) { r.Deleted = true }),
		backup("b", "with a transcript", 1, func(r *sessions.Row) { r.Flags = nil }),
		backup("", "of an unknown session", 1, nil),
		backup("c", "a session", 1, func(r *sessions.Row) { r.Kind = sessions.KindSession }),
	}
	last := sessions.LastBackups(func(yield func(*sessions.Row) bool) {
		for i := range rows {
			if !yield(&rows[i]) {
				return
			}
		}
	})
	if len(last) != 1 || last["a"] != &rows[1] {
		t.Errorf("%+v", last)
	}
	for i := range rows {
		r := &rows[i]
		lost := i < 3 || r.Of == ""
		if (r.Lost() != nil) != lost || r.Described() != r != lost || lost && r.Lost() != r.Saved {
			t.Errorf("%s is described by %+v", r.Path, r.Described())
		}
	}
}
