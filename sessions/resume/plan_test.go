package resume

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

const guardID = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"

func guardNow() time.Time { return time.Date(2026, 11, 21, 15, 42, 0, 0, time.UTC) }

// guardFacts returns the facts of a session that can be resumed without questions.
func guardFacts(change ...func(*Facts)) Facts {
	f := Facts{
		Folder: sessions.Folder{Path: "/home/ada/code/teahouse", Real: "/home/ada/code/teahouse", State: sessions.FolderThere},
		Claude: Claude{Path: "/bin/claude", Name: "claude", Version: "2.1.329"},
		Home:   "/home/ada", Now: guardNow(),
	}
	f.Row.Kind, f.Row.ID, f.Row.Dir = sessions.KindSession, guardID, "/home/ada/.claude"
	f.Row.Path = "/home/ada/.claude/projects/-home-ada-code-teahouse/" + guardID + ".jsonl"
	f.Row.Workdir, f.Row.Version = "/home/ada/code/teahouse", "2.1.329"
	f.Row.State, f.Row.Exact, f.Row.Messages = sessions.StateOK, true, 12
	for _, c := range change {
		c(&f)
	}
	return f
}

func liveClient(change ...func(*Client)) func(*Facts) {
	return func(f *Facts) {
		c := Client{Live: sessions.Live{
			PID: 48213, SessionID: guardID, Cwd: "/home/ada/code/teahouse", Status: sessions.StatusBusy, Verified: true,
			Started: guardNow().Add(-2 * time.Hour), Updated: guardNow().Add(-40 * time.Second),
		}}
		for _, ch := range change {
			ch(&c)
		}
		f.Clients = append(f.Clients, c)
	}
}

func inPane(c *Client) { c.Pane, c.PaneName = "%5", "work:2" }

func folderIs(state sessions.FolderState) func(*Facts) {
	return func(f *Facts) { f.Folder.State = state }
}

func twin(project, workdir string) func(*Facts) {
	return func(f *Facts) {
		f.Twins = append(f.Twins, Twin{"/home/ada/.claude/projects/" + project + "/" + guardID + ".jsonl", workdir, guardNow().Add(-72 * time.Hour)})
	}
}

func TestPlanResume(t *testing.T) {
	t.Parallel()
	elsewhere := func(f *Facts) { f.Folder.Path, f.Folder.Real = "/srv/x", "/srv/x" }
	moved := func(f *Facts) {
		f.Row.Path = "/home/ada/.claude/projects/-old-place/" + guardID + ".jsonl"
	}
	version := func(v string) func(*Facts) { return func(f *Facts) { f.Claude.Version = v } }
	state := func(s sessions.State) func(*Facts) { return func(f *Facts) { f.Row.State = s } }
	hasMain := func(f *Facts) { f.Main = "/home/ada/code/main" }
	tree := func(tr Tree) func(*Facts) { return func(f *Facts) { f.Tree = tr } }
	tests := []struct {
		name  string
		facts Facts
		ask   Ask
		found []FindingKind
		keys  string // keys of the choices; capitals aren't available
		argv  string // Dir, In and Argv of the launch
	}{
		{name: "nothing stands in the way", facts: guardFacts(), argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID},
		{name: "fork", facts: guardFacts(), ask: Ask{Fork: true}, argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID + " --fork-session"},
		{
			name:  "arguments of the config before, of the person behind",
			facts: guardFacts(func(f *Facts) { f.Claude.Args = []string{"--model", "opus"} }), ask: Ask{Args: []string{"go on"}},
			argv: "/home/ada/code/teahouse here /bin/claude --model opus --resume " + guardID + " go on",
		},

		{name: "a backup", facts: guardFacts(func(f *Facts) { f.Row.Kind = sessions.KindBackup }), found: []FindingKind{FindingKindOfRow}},
		{name: "file gone", facts: guardFacts(func(f *Facts) { f.Missing = true }), found: []FindingKind{FindingFileGone}},
		{name: "deleted", facts: guardFacts(func(f *Facts) { f.Row.Deleted = true }), found: []FindingKind{FindingFileGone}},
		{name: "no id", facts: guardFacts(func(f *Facts) { f.Row.ID = "--help" }), found: []FindingKind{FindingNoID}},
		{name: "unreadable", facts: guardFacts(state(sessions.StateUnreadable)), found: []FindingKind{FindingUnreadable}},
		{name: "stub", facts: guardFacts(state(sessions.StateStub)), found: []FindingKind{FindingStub}, keys: "n"},
		{name: "empty", facts: guardFacts(state(sessions.StateEmpty)), found: []FindingKind{FindingStub}, keys: "n"},
		{name: "damaged until nothing is left", facts: guardFacts(state(sessions.StateDamaged), func(f *Facts) { f.Row.Messages = 0 }), found: []FindingKind{FindingStub}, keys: "n"},
		{name: "not counted yet", facts: guardFacts(func(f *Facts) { f.Row.Exact, f.Row.Messages = false, 0 }), argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID},
		{name: "stub, a new session", facts: guardFacts(state(sessions.StateStub)), ask: Ask{New: true}, argv: "/home/ada/code/teahouse here /bin/claude"},

		{name: "live", facts: guardFacts(liveClient()), found: []FindingKind{FindingLive}, keys: "fo"},
		{name: "live in a pane", facts: guardFacts(liveClient(inPane)), found: []FindingKind{FindingLive}, keys: "afo"},
		{name: "live twice, once in a pane", facts: guardFacts(liveClient(), liveClient(inPane)), found: []FindingKind{FindingLive}, keys: "afo"},
		{name: "just started", facts: guardFacts(liveClient(func(c *Client) { c.Starting = true })), found: []FindingKind{FindingLive}, keys: "fo"},
		{name: "fork at a message", facts: guardFacts(cutAt), ask: Ask{Fork: true, At: "u2"}, found: []FindingKind{FindingCut}, keys: "f"},
		{name: "fork at a message, known", facts: guardFacts(cutAt), ask: Ask{Fork: true, At: "u2", Known: true}, argv: "/home/ada/code/teahouse here /bin/claude --resume " + cutID},
		{name: "fork at a message under the shown ID", facts: guardFacts(cutAt), ask: Ask{Fork: true, At: "u2", Known: true, As: guardID}, argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID},
		{name: "live, fork at a message", facts: guardFacts(liveClient(), cutAt), ask: Ask{Fork: true, At: "u2"}, found: []FindingKind{FindingCut}, keys: "f"},
		{name: "live, fork", facts: guardFacts(liveClient()), ask: Ask{Fork: true}, argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID + " --fork-session"},
		{name: "live, attach", facts: guardFacts(liveClient(inPane)), ask: Ask{Pane: "%5"}, argv: "pane %5"},
		{name: "live, second writer", facts: guardFacts(liveClient()), ask: Ask{Second: true}, argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID},
		{name: "live comes before a folder that is gone", facts: guardFacts(liveClient(), folderIs(sessions.FolderGone)), found: []FindingKind{FindingLive}, keys: "fo"},
		{name: "then the folder", facts: guardFacts(liveClient(), folderIs(sessions.FolderGone)), ask: Ask{Fork: true}, found: []FindingKind{FindingFolder}, keys: "dc"},

		{name: "no claude", facts: guardFacts(func(f *Facts) { f.Claude = Claude{Name: "claude"} }), found: []FindingKind{FindingNoClaude}},
		{name: "no claude, but live in a pane", facts: guardFacts(liveClient(inPane), func(f *Facts) { f.Claude = Claude{} }), found: []FindingKind{FindingLive}, keys: "afo"},

		{name: "folder gone", facts: guardFacts(folderIs(sessions.FolderGone)), found: []FindingKind{FindingFolder}, keys: "dc"},
		{name: "folder gone, its project is there", facts: guardFacts(folderIs(sessions.FolderGone), hasMain), found: []FindingKind{FindingFolder}, keys: "mdc"},
		{name: "worktree removed", facts: guardFacts(folderIs(sessions.FolderGone), hasMain, tree(Tree{Removed: true, Branch: "slots"})), found: []FindingKind{FindingWorktree}, keys: "mdc"},
		{name: "worktree removed, branch gone", facts: guardFacts(folderIs(sessions.FolderGone), hasMain, tree(Tree{Removed: true})), found: []FindingKind{FindingWorktree}, keys: "mdc"},
		{name: "an older claude finds it in no other folder", facts: guardFacts(folderIs(sessions.FolderGone), hasMain, version("2.1.222"), func(f *Facts) { f.Row.Version = "" }), found: []FindingKind{FindingFolder}, keys: "MDc"},
		{name: "make the folder", facts: guardFacts(folderIs(sessions.FolderGone)), ask: Ask{Make: true}, argv: "mkdir -p /home/ada/code/teahouse && /home/ada/code/teahouse here /bin/claude --resume " + guardID},
		{
			name: "make the worktree", facts: guardFacts(folderIs(sessions.FolderGone), hasMain, tree(Tree{Removed: true, Branch: "slots"})), ask: Ask{Make: true},
			argv: "git -C /home/ada/code/main worktree add -- /home/ada/code/teahouse slots && /home/ada/code/teahouse here /bin/claude --resume " + guardID,
		},
		{
			name: "git still lists it", facts: guardFacts(folderIs(sessions.FolderGone), hasMain, tree(Tree{Removed: true, Branch: "slots", Listed: true})), ask: Ask{Make: true},
			argv: "git -C /home/ada/code/main worktree add -f -- /home/ada/code/teahouse slots && /home/ada/code/teahouse here /bin/claude --resume " + guardID,
		},
		{name: "a worktree without its branch is made as a folder", facts: guardFacts(folderIs(sessions.FolderGone), hasMain, tree(Tree{Removed: true})), ask: Ask{Make: true}, argv: "mkdir -p /home/ada/code/teahouse && /home/ada/code/teahouse here /bin/claude --resume " + guardID},
		{name: "no folder known", facts: guardFacts(folderIs(sessions.FolderUnknown)), found: []FindingKind{FindingFolder}, keys: "d"},
		{name: "no folder", facts: guardFacts(folderIs(sessions.FolderFile)), found: []FindingKind{FindingFolder}, keys: "d"},
		{name: "may not be entered", facts: guardFacts(folderIs(sessions.FolderDenied)), found: []FindingKind{FindingFolder}, keys: "d"},
		{name: "does not answer", facts: guardFacts(folderIs(sessions.FolderSilent)), found: []FindingKind{FindingFolder}, keys: "d"},
		{name: "of another system", facts: guardFacts(folderIs(sessions.FolderRelative)), found: []FindingKind{FindingFolder}, keys: "d"},
		{name: "a folder that was named and is not there", facts: guardFacts(elsewhere, folderIs(sessions.FolderGone)), ask: Ask{Folder: "/srv/x"}, found: []FindingKind{FindingFolder}, keys: "dc"},

		{name: "another folder", facts: guardFacts(elsewhere), ask: Ask{Folder: "/srv/x"}, argv: "/srv/x here /bin/claude --resume " + guardID},
		{name: "another folder, older claude", facts: guardFacts(elsewhere, version("2.1.222"), func(f *Facts) { f.Row.Version = "" }), ask: Ask{Folder: "/srv/x"}, found: []FindingKind{FindingNeedsNewer}, keys: "bd"},
		{name: "another folder, version unknown", facts: guardFacts(elsewhere, version("")), ask: Ask{Folder: "/srv/x"}, argv: "/srv/x here /bin/claude --resume " + guardID},
		{name: "the transcript was moved", facts: guardFacts(moved), argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID},
		{name: "moved, older claude", facts: guardFacts(moved, version("2.1.100"), func(f *Facts) { f.Row.Version = "" }), found: []FindingKind{FindingNeedsNewer}, keys: "d"},

		{name: "id in two projects", facts: guardFacts(twin("-srv-copy", "/srv/copy")), found: []FindingKind{FindingDuplicate}, keys: "rf"},
		{name: "id in two projects, known", facts: guardFacts(twin("-srv-copy", "/srv/copy")), ask: Ask{Known: true}, argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID},
		{name: "the other is taken there", facts: guardFacts(twin("-srv-x", "/srv/x"), elsewhere), ask: Ask{Folder: "/srv/x"}, found: []FindingKind{FindingOtherFile}, keys: "bdt"},
		{name: "the other is what is wanted", facts: guardFacts(twin("-srv-x", "/srv/x"), elsewhere), ask: Ask{Folder: "/srv/x", Other: true}, argv: "/srv/x here /bin/claude --resume " + guardID},
		{name: "neither is found there", facts: guardFacts(twin("-srv-copy", "/srv/copy"), elsewhere), ask: Ask{Folder: "/srv/x"}, found: []FindingKind{FindingNotFound}, keys: "bd"},
		{name: "neither is found there, whatever is known", facts: guardFacts(twin("-srv-copy", "/srv/copy"), elsewhere), ask: Ask{Folder: "/srv/x", Known: true}, found: []FindingKind{FindingNotFound}, keys: "bd"},

		{name: "damaged", facts: guardFacts(state(sessions.StateDamaged)), found: []FindingKind{FindingDamaged}, keys: "rf"},
		{name: "damaged, known", facts: guardFacts(state(sessions.StateDamaged)), ask: Ask{Known: true}, argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID},
		{name: "damaged, fork", facts: guardFacts(state(sessions.StateDamaged)), ask: Ask{Fork: true}, argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID + " --fork-session"},
		{name: "older client", facts: guardFacts(version("2.1.99")), found: []FindingKind{FindingOlderClient}, keys: "rf"},
		{name: "older client, fork", facts: guardFacts(version("2.1.99")), ask: Ask{Fork: true}, found: []FindingKind{FindingOlderClient}, keys: "f"},
		{name: "newer client", facts: guardFacts(version("3.0.0")), argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID},
		{name: "all that does no harm at once", facts: guardFacts(state(sessions.StateDamaged), version("2.1.99"), twin("-srv-copy", "/srv/copy")), found: []FindingKind{FindingDamaged, FindingOlderClient, FindingDuplicate}, keys: "rf"},

		{name: "a document begins a new session", facts: guardFacts(func(f *Facts) { f.Row.Kind = sessions.KindDocument }), ask: Ask{New: true, Args: []string{"/resume-from x"}}, argv: "/home/ada/code/teahouse here /bin/claude /resume-from x"},
		{name: "a new session is no fork", facts: guardFacts(), ask: Ask{New: true, Fork: true}, argv: "/home/ada/code/teahouse here /bin/claude"},
		{name: "a new session beside a live one", facts: guardFacts(liveClient()), ask: Ask{New: true}, argv: "/home/ada/code/teahouse here /bin/claude"},
		{name: "a new session minds no other file and no version", facts: guardFacts(state(sessions.StateDamaged), version("2.1.99"), twin("-srv-copy", "/srv/copy"), elsewhere), ask: Ask{New: true, Folder: "/srv/x"}, argv: "/srv/x here /bin/claude"},
		{name: "in no config directory", facts: guardFacts(func(f *Facts) { f.Row.Dir = "" }), found: []FindingKind{FindingNoDir}},
		{name: "the registry cannot be read", facts: guardFacts(func(f *Facts) { f.Unsure = "permission denied" }), found: []FindingKind{FindingUnsure}, keys: "fo"},
		{name: "the registry cannot be read, fork", facts: guardFacts(func(f *Facts) { f.Unsure = "permission denied" }), ask: Ask{Fork: true}, argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID + " --fork-session"},
		{name: "live and of a newer claude, shown together", facts: guardFacts(liveClient(), version("2.1.99")), found: []FindingKind{FindingLive, FindingOlderClient}, keys: "fo"},
		{name: "a folder that is a link", facts: guardFacts(func(f *Facts) { f.Folder.Path = "/home/ada/link" }, version("2.1.222"), func(f *Facts) { f.Row.Version = "" }), argv: "/home/ada/link here /bin/claude --resume " + guardID},

		{name: "the config wants a window, outside tmux", facts: guardFacts(func(f *Facts) { f.In = WhereWindow }), argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID},
		{name: "the config wants a popup, in a popup", facts: guardFacts(func(f *Facts) { f.Tmux, f.Popup, f.In = true, true, WherePopup }), argv: "/home/ada/code/teahouse window /bin/claude --resume " + guardID},
		{name: "a popup", facts: guardFacts(func(f *Facts) { f.Tmux = true }), ask: Ask{In: WherePopup}, argv: "/home/ada/code/teahouse popup /bin/claude --resume " + guardID},
		{name: "window without tmux", facts: guardFacts(), ask: Ask{In: WhereWindow}, found: []FindingKind{FindingNoTmux}, keys: "h"},
		{name: "window", facts: guardFacts(func(f *Facts) { f.Tmux = true }), ask: Ask{In: WhereWindow}, argv: "/home/ada/code/teahouse window /bin/claude --resume " + guardID},
		{name: "as the config says", facts: guardFacts(func(f *Facts) { f.Tmux, f.In = true, WhereSplit }), argv: "/home/ada/code/teahouse split /bin/claude --resume " + guardID},
		{name: "the person wins over the config", facts: guardFacts(func(f *Facts) { f.Tmux, f.In = true, WhereSplit }), ask: Ask{In: WhereHere}, argv: "/home/ada/code/teahouse here /bin/claude --resume " + guardID},
		{name: "auto in a popup is a window", facts: guardFacts(func(f *Facts) { f.Tmux, f.Popup, f.In = true, true, WhereAuto }), argv: "/home/ada/code/teahouse window /bin/claude --resume " + guardID},
		{name: "popup in a popup", facts: guardFacts(func(f *Facts) { f.Tmux, f.Popup = true, true }), ask: Ask{In: WherePopup}, found: []FindingKind{FindingPopupInside}, keys: "wh"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := PlanSession(tt.facts, tt.ask)
			var found []FindingKind
			for _, f := range p.Findings {
				found = append(found, f.Kind)
				if f.What == "" || f.Detail == "" {
					t.Errorf("%s has no text: %+v", f.Kind, f)
				}
			}
			if !slices.Equal(found, tt.found) {
				t.Errorf("found %v, want %v", found, tt.found)
			}
			keys := ""
			for _, c := range p.Choices {
				key := c.Key
				if c.Off != "" {
					key = strings.ToUpper(key)
				}
				keys += key
				if c.Name == "" || c.Note == "" {
					t.Errorf("choice %s has no text", c.Key)
				}
			}
			if keys != tt.keys {
				t.Errorf("choices %q, want %q", keys, tt.keys)
			}
			argv := ""
			if l := p.Launch; l != nil {
				argv = strings.Join(append([]string{l.Dir, string(l.In)}, l.Argv...), " ")
				if l.Pane != "" {
					argv = "pane " + l.Pane
				} else if l.Make != nil {
					argv = strings.Join(l.Make, " ") + " && " + argv
				}
			}
			if argv != tt.argv {
				t.Errorf("runs %q, want %q", argv, tt.argv)
			}
			if l := p.Launch; l != nil && l.Second != (tt.ask.Second && len(tt.facts.Clients) > 0) {
				t.Errorf("a second writer: %v", l.Second)
			}
		})
	}
}

const cutID = "22222222-0000-4000-8000-000000000002"

func cutAt(f *Facts) {
	f.Cut = &Cut{Messages: 18, Of: 142, Prompt: "Keep the leeway\nat 30 s.", New: cutID}
}

// TestForkAtWords: the launch makes the fork first.
func TestForkAtWords(t *testing.T) {
	t.Parallel()
	facts := guardFacts(cutAt)
	p := PlanSession(facts, Ask{Fork: true, At: "u2"})
	if got := p.Findings[0].What + " " + p.Findings[0].Detail; got != "The fork has 18 of 142 messages. Its last prompt is “Keep the leeway at 30 s.”. This session stays as it is." {
		t.Errorf("the plan says %s", got)
	}
	c := p.Choices[0]
	if c.Ask.As != cutID || c.Run != "continuo resume "+guardID[:8]+" --fork --at u2" {
		t.Errorf("the choice is %+v", c)
	}
	l := c.Launch
	if l.From != facts.Row.Path || l.At != "u2" || l.Row.ID != cutID || l.Writes != cutID || filepath.Base(l.Row.Path) != cutID+".jsonl" || filepath.Dir(l.Row.Path) != filepath.Dir(l.From) {
		t.Errorf("the launch is %+v", l)
	}
}

// TestPlanResumeEnds: each answer leads to a question or a launch. No plan occurs twice.
func TestPlanResumeEnds(t *testing.T) {
	t.Parallel()
	worst := guardFacts(
		liveClient(inPane), folderIs(sessions.FolderGone), twin("-srv-copy", "/srv/copy"),
		func(f *Facts) {
			f.Row.State, f.Claude.Version, f.Main = sessions.StateDamaged, "2.1.300", "/home/ada/code/main"
			f.Tree = Tree{Removed: true, Branch: "slots"}
		})
	var walk func(ask Ask, depth int)
	launches := 0
	walk = func(ask Ask, depth int) {
		f := worst
		if ask.Folder != "" { // the caller reads the state of the folder
			f.Folder = sessions.Folder{Path: ask.Folder, Real: ask.Folder, State: sessions.FolderThere}
		}
		p := PlanSession(f, ask)
		switch {
		case depth > 8:
			t.Fatalf("no end at %+v", ask)
		case p.Launch != nil:
			launches++
			if p.Launch.Writes != "" && !ask.Second {
				t.Errorf("a second writer without being asked for: %+v", ask)
			}
			return
		}
		for _, c := range p.Choices {
			if c.Ask.Second && !ask.Second && !c.Slow {
				t.Errorf("%s makes a second writer with one key", c.Key)
			}
			if c.Off == "" && !c.Path && (c.Launch == nil || c.Run == "") {
				t.Errorf("%s has no launch text", c.Key)
			}
			if c.Off == "" && !c.Path && c.Key != "b" { // the choice b goes back to the session's own folder
				walk(c.Ask, depth+1)
			}
		}
	}
	walk(Ask{}, 0)
	if launches < 3 {
		t.Errorf("only %d ways lead to a launch", launches)
	}
}

// TestPlanResumeWords: texts from the registry and the transcript are cleaned.
func TestPlanResumeWords(t *testing.T) {
	t.Parallel()
	evil := "a\x1b[31mb\nc"
	tests := []struct {
		name  string
		facts Facts
		want  string
	}{
		{"busy in a pane", guardFacts(liveClient(inPane)), "pid 48213 in tmux work:2 has it open since 13:42 and is busy, as of 40 s ago. Two writers would fork the session, and resume would show only one branch."},
		{"idle", guardFacts(liveClient(func(c *Client) { c.Status = sessions.StatusIdle })), "pid 48213 in ~/code/teahouse has it open since 13:42 and is idle, as of 40 s ago."},
		{"waiting", guardFacts(liveClient(func(c *Client) { c.Status, c.WaitingFor = sessions.StatusWaiting, "permission prompt" })), "and waits for you (permission prompt), as of 40 s ago."},
		{"since another day", guardFacts(liveClient(func(c *Client) { c.Started = guardNow().Add(-30 * time.Hour) })), "has it open since Nov 20 09:42 and is busy"},
		{"not checked", guardFacts(liveClient(func(c *Client) { c.Verified = false })), "; couldn't check whether it still runs."},
		{"nothing known", guardFacts(func(f *Facts) { f.Clients = []Client{{Live: sessions.Live{Verified: true}}} }), "A client has it open. Two writers"},
		{"just started", guardFacts(liveClient(func(c *Client) { c.Starting, c.Started = true, guardNow().Add(-3*time.Second) })), "pid 48213 in ~/code/teahouse was started here 3 s ago."},
		{"many", guardFacts(liveClient(), liveClient(), liveClient(), liveClient()), "1 more have it open."},
		{"foreign text", guardFacts(liveClient(func(c *Client) { c.Cwd, c.Status, c.WaitingFor = "/x/"+evil, sessions.StatusWaiting, evil })), "in /x/ab c has it open since 13:42 and waits for you (ab c)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := PlanSession(tt.facts, Ask{})
			if got := p.Findings[0].Detail; !strings.Contains(got, tt.want) || strings.ContainsAny(got, "\x1b\n") {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

func TestOlderVersion(t *testing.T) {
	t.Parallel()
	tests := []struct {
		a, b string
		want bool
	}{
		{"2.1.99", "2.1.329", true},
		{"2.1.329", "2.1.99", false},
		{"2.1.329", "2.1.329", false},
		{"2.1.329", "2.2.0-beta.1", true},
		{"1.0.100", "2.0.0", true},
		{"", "2.0.0", false},
		{"2.0.0", "", false},
		{"latest", "2.0.0", false},
		{"2.0", "2.0.1", false},
		{"2.0.-1", "2.0.1", false},
	}
	for _, tt := range tests {
		if got := olderVersion(tt.a, tt.b); got != tt.want {
			t.Errorf("%q older than %q: %v", tt.a, tt.b, got)
		}
	}
}
