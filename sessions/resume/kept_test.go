package resume

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

const (
	keptProject = "/home/ada/code/teahouse"
	keptNewID   = "aaaaaaaa-5b7d-4e21-9c0a-41d2b6e87f35"
	keptName    = "20261121_134000Z_exit.jsonl"
	keptClaude  = keptProject + " here /bin/claude "
)

// keptFacts returns the facts of a backup that isn't pending and has no transcript.
func keptFacts(change ...func(*KeptFacts)) KeptFacts {
	f := KeptFacts{Latest: true, From: true, New: keptNewID}
	f.Row.Kind, f.Row.State, f.Row.Workdir, f.Row.Of = sessions.KindBackup, sessions.StateOK, keptProject, guardID
	f.Row.Path, f.Row.ID = keptProject+"/.claude/memory/raw/"+keptName, strings.TrimSuffix(keptName, ".jsonl")
	f.Row.Created, f.Row.Relation = guardNow().Add(-2*time.Hour), sessions.RelationGone
	f.Start, f.Session, f.Made = guardFacts(), guardFacts(), guardFacts()
	for _, c := range change {
		c(&f)
	}
	return f
}

func relation(r sessions.Relation) func(*KeptFacts) {
	return func(f *KeptFacts) { f.Row.Relation, f.Taken = r, r != sessions.RelationGone }
}

// unlisted adds directories that can't be listed. "" is the directory of the restore.
func unlisted(dirs ...string) func(*KeptFacts) {
	return func(f *KeptFacts) {
		f.Taken = false
		for _, dir := range dirs {
			if dir == "" {
				dir = filepath.Dir(f.Made.Row.Path)
			}
			f.Unlisted = append(f.Unlisted, dir)
		}
	}
}

func pending(names ...string) func(*KeptFacts) {
	return func(f *KeptFacts) { f.Pending = names }
}

// snapshot turns the row into the project's task snapshot.
func snapshot(f *KeptFacts) {
	f.Row.Kind, f.Row.Path, f.Row.Relation, f.Row.ID = sessions.KindDocument, keptProject+"/session-protocol.json", "", "session-protocol"
}

// aDocument turns the row into a session document.
func aDocument(name string) func(*KeptFacts) {
	return func(f *KeptFacts) {
		f.Row.Kind, f.Row.Path, f.Row.Relation = sessions.KindDocument, keptProject+"/.claude/memory/"+name, ""
		f.Row.ID = strings.TrimSuffix(name, ".md")
	}
}

// keptKeys returns the keys of the available choices, then a minus and the others in capitals.
func keptKeys(p Plan) string {
	keys := ""
	for _, c := range p.Choices {
		if c.Off != "" {
			keys += "-"
		}
		keys += c.Key
	}
	return keys
}

func keptRuns(l *Launch) string {
	if l == nil {
		return ""
	}
	if l.Pane != "" {
		return "pane " + l.Pane
	}
	made := ""
	if l.Restore != "" {
		made = fmt.Sprintf("restore %s as %s, ", l.Row.ID[:8], l.Row.Path[strings.LastIndexByte(l.Row.Path, '/')+1:][:8])
	}
	return made + strings.Join(append([]string{l.Dir, string(l.In)}, l.Argv...), " ")
}

func kindsOf(list []Finding) []FindingKind {
	var kinds []FindingKind
	for _, f := range list {
		kinds = append(kinds, f.Kind)
	}
	return kinds
}

// TestPlanKeptCombinations: all choices that lose no data are available. The first is suggested.
func TestPlanKeptCombinations(t *testing.T) {
	t.Parallel()
	for _, waits := range []bool{false, true} {
		for _, r := range []sessions.Relation{sessions.RelationSame, sessions.RelationGrown, sessions.RelationRewritten, sessions.RelationGone, ""} {
			for _, latest := range []bool{false, true} {
				for _, live := range []bool{false, true} {
					f := keptFacts(relation(r), func(f *KeptFacts) { f.Latest, f.Live = latest, live })
					if waits {
						f.Pending = []string{keptName}
					}
					var on, off string
					if waits && latest {
						on = "l"
					} else if waits {
						off = "-l"
					}
					switch {
					case r.Held():
						on, off = on+"t", off+"-R"
					case r == sessions.RelationGone && !live:
						on += "R"
					default:
						on, off = on+"n", off+"-R"
					}
					name := fmt.Sprintf("pending %v, %q, installed %v, live %v", waits, r, latest, live)
					p := PlanKept(f, Ask{})
					if got := keptKeys(p); got != on+off || p.Launch != nil {
						t.Errorf("%s: choices %q, want %q; runs %q", name, got, on+off, keptRuns(p.Launch))
					}
					for _, found := range p.Findings {
						if found.What == "" || found.Detail == "" {
							t.Errorf("%s: %s has no text", name, found.Kind)
						}
					}
					for _, c := range p.Choices {
						if c.Name == "" || c.Note == "" || (c.Off == "") != (c.Launch != nil && c.Run != "") {
							t.Errorf("%s: choice %s is %+v", name, c.Key, c)
						}
						if again := PlanKept(f, c.Ask); c.Off == "" && keptRuns(again.Launch) != keptRuns(c.Launch) {
							t.Errorf("%s: %s runs %q, but its choice has %q", name, c.Key, keptRuns(again.Launch), keptRuns(c.Launch))
						} else if c.Off != "" && again.Launch != nil {
							t.Errorf("%s: %s is off and runs %q", name, c.Key, keptRuns(again.Launch))
						}
					}
				}
			}
		}
	}
}

func TestPlanKept(t *testing.T) {
	t.Parallel()
	const newer = "20261121_140000Z_compact.jsonl"
	document := aDocument("session-2026-11-21-1530Z.md")
	folder := func(state sessions.FolderState) func(*KeptFacts) {
		return func(f *KeptFacts) {
			f.Made.Folder.State, f.Session.Folder.State, f.Start.Folder.State = state, state, state
		}
	}
	elsewhere := func(f *KeptFacts) {
		f.Start.Folder = sessions.Folder{Path: "/srv/x", Real: "/srv/x", State: sessions.FolderThere}
	}
	tests := []struct {
		name  string
		facts KeptFacts
		ask   Ask
		found []FindingKind
		keys  string
		runs  string
	}{
		{name: "the only copy", facts: keptFacts(), found: []FindingKind{FindingOnlyCopy}, keys: "R"},
		{name: "restored", facts: keptFacts(), ask: Ask{Take: TakeRestore}, runs: "restore 3f9ac1e0 as 3f9ac1e0, " + keptClaude + "--resume " + guardID},
		{name: "restored in a window", facts: keptFacts(func(f *KeptFacts) { f.Made.Tmux = true }), ask: Ask{Take: TakeRestore, In: WhereWindow}, runs: "restore 3f9ac1e0 as 3f9ac1e0, " + keptProject + " window /bin/claude --resume " + guardID},
		{name: "no tmux, before anything is written", facts: keptFacts(), ask: Ask{Take: TakeRestore, In: WhereSplit}, found: []FindingKind{FindingNoTmux}, keys: "h"},
		{name: "its folder is gone, before anything is written", facts: keptFacts(folder(sessions.FolderGone)), ask: Ask{Take: TakeRestore}, found: []FindingKind{FindingFolder}, keys: "dc"},
		{name: "its folder is made again", facts: keptFacts(folder(sessions.FolderGone)), ask: Ask{Take: TakeRestore, Make: true}, runs: "restore 3f9ac1e0 as 3f9ac1e0, " + keptClaude + "--resume " + guardID},
		{name: "rewritten", facts: keptFacts(relation(sessions.RelationRewritten)), found: []FindingKind{FindingRewritten}, keys: "n-R"},
		{name: "under a new id", facts: keptFacts(relation(sessions.RelationRewritten)), ask: Ask{Take: TakeNew, As: keptNewID}, runs: "restore aaaaaaaa as aaaaaaaa, " + keptClaude + "--resume " + keptNewID},
		{name: "under an id that is made up", facts: keptFacts(relation(sessions.RelationRewritten)), ask: Ask{Take: TakeNew}, runs: "restore aaaaaaaa as aaaaaaaa, " + keptClaude + "--resume " + keptNewID},
		{name: "its id is taken by now", facts: keptFacts(relation(sessions.RelationSame)), ask: Ask{Take: TakeRestore}, found: []FindingKind{FindingHeld}, keys: "t-R"},
		{name: "the session itself", facts: keptFacts(relation(sessions.RelationSame)), ask: Ask{Take: TakeSession}, runs: keptClaude + "--resume " + guardID},
		{name: "a fork of it", facts: keptFacts(relation(sessions.RelationGrown)), ask: Ask{Take: TakeSession, Fork: true}, runs: keptClaude + "--resume " + guardID + " --fork-session"},
		{name: "which is live", facts: keptFacts(relation(sessions.RelationGrown), func(f *KeptFacts) { liveClient(inPane)(&f.Session) }), ask: Ask{Take: TakeSession}, found: []FindingKind{FindingLive}, keys: "afo"},
		{name: "go to it", facts: keptFacts(relation(sessions.RelationGrown), func(f *KeptFacts) { liveClient(inPane)(&f.Session) }), ask: Ask{Take: TakeSession, Pane: "%5"}, runs: "pane %5"},
		{name: "which was written by a newer claude", facts: keptFacts(relation(sessions.RelationGrown), func(f *KeptFacts) { f.Session.Claude.Version = "2.1.99" }), ask: Ask{Take: TakeSession}, found: []FindingKind{FindingOlderClient}, keys: "rf"},
		{name: "rewritten meanwhile", facts: keptFacts(relation(sessions.RelationRewritten)), ask: Ask{Take: TakeSession}, found: []FindingKind{FindingRewritten}, keys: "n-R"},
		{name: "pending", facts: keptFacts(pending(keptName)), found: []FindingKind{FindingOnlyCopy, FindingPending}, keys: "lR"},
		{name: "taken up", facts: keptFacts(pending(keptName)), ask: Ask{Take: TakeLatest}, runs: keptClaude + "/resume-latest"},
		{name: "taken up in spite of a fork", facts: keptFacts(pending(keptName)), ask: Ask{Take: TakeLatest, Fork: true}, runs: keptClaude + "/resume-latest"},
		{
			name:  "the prompt comes before arguments",
			facts: keptFacts(pending(keptName), func(f *KeptFacts) { f.Start.Claude.Args = []string{"--add-dir", "x"} }), ask: Ask{Take: TakeLatest, Args: []string{"--model", "opus"}},
			runs: keptClaude + "/resume-latest --add-dir x --model opus",
		},
		{name: "pending behind another", facts: keptFacts(pending(newer, keptName)), found: []FindingKind{FindingOnlyCopy, FindingPending}, keys: "lR"},
		{name: "held, behind another", facts: keptFacts(relation(sessions.RelationSame), pending(newer, keptName)), found: []FindingKind{FindingHeld, FindingPending}, keys: "lt-R"},
		{name: "rewritten, behind another", facts: keptFacts(relation(sessions.RelationRewritten), pending(newer, keptName)), found: []FindingKind{FindingRewritten, FindingPending}, keys: "ln-R"},
		{name: "taken up, behind another", facts: keptFacts(pending(newer, keptName)), ask: Ask{Take: TakeLatest}, runs: keptClaude + "/resume-latest .claude/memory/raw/" + keptName},
		{
			name: "an escape in its name, behind another", facts: keptFacts(func(f *KeptFacts) {
				f.Row.Path, f.Pending = keptProject+"/.claude/memory/raw/a\x1b[1m.jsonl", []string{newer, "a\x1b[1m.jsonl"}
			}),
			found: []FindingKind{FindingOnlyCopy, FindingPending}, keys: "R-l",
		},
		{name: "another is pending", facts: keptFacts(pending(newer)), found: []FindingKind{FindingOnlyCopy}, keys: "R"},
		{name: "not pending any more", facts: keptFacts(), ask: Ask{Take: TakeLatest}, found: []FindingKind{FindingOnlyCopy, FindingNotPending}, keys: "R"},
		{name: "pending, in another folder", facts: keptFacts(pending(keptName), elsewhere), ask: Ask{Folder: "/srv/x"}, found: []FindingKind{FindingOnlyCopy, FindingPending}, keys: "R-l"},
		{name: "session unknown", facts: keptFacts(relation(""), func(f *KeptFacts) { f.Row.Of = "" }), found: []FindingKind{FindingNotCompared}, keys: "n-R"},
		{name: "no file of its id where that can be read", facts: keptFacts(relation(""), unlisted("/p/-srv-x")), found: []FindingKind{FindingNotCompared}, keys: "n-R"},
		{name: "its own directory cannot be read", facts: keptFacts(relation(""), unlisted("/p/-srv-x", "")), found: []FindingKind{FindingNotCompared}, keys: "-n-R"},
		{name: "restored all the same", facts: keptFacts(relation(""), unlisted("/p/-srv-x")), ask: Ask{Take: TakeRestore}, found: []FindingKind{FindingNotCompared}, keys: "n-R"},
		{name: "folder unknown", facts: keptFacts(func(f *KeptFacts) { f.Made = Facts{} }), found: []FindingKind{FindingOnlyCopy}, keys: "-n-R"},
		{name: "the session is empty", facts: keptFacts(func(f *KeptFacts) { f.Made.Row.State = sessions.StateStub }), ask: Ask{Take: TakeRestore}, found: []FindingKind{FindingStub}, keys: "n"},
		{name: "unreadable", facts: keptFacts(func(f *KeptFacts) { f.Row.State = sessions.StateUnreadable }), found: []FindingKind{FindingUnreadable}},
		{name: "gone", facts: keptFacts(func(f *KeptFacts) { f.Missing = true }), found: []FindingKind{FindingFileGone}},
		{name: "deleted", facts: keptFacts(func(f *KeptFacts) { f.Row.Deleted = true }), found: []FindingKind{FindingFileGone}},
		{name: "no claude", facts: keptFacts(func(f *KeptFacts) { f.Start.Claude = Claude{Name: "claude"} }), found: []FindingKind{FindingNoClaude}},

		{name: "a document", facts: keptFacts(document), runs: keptClaude + "/resume-from .claude/memory/session-2026-11-21-1530Z.md"},
		{name: "a snapshot", facts: keptFacts(snapshot), runs: keptClaude + "/load-session-protocol"},
		{name: "a snapshot in another folder", facts: keptFacts(snapshot, elsewhere), ask: Ask{Folder: "/srv/x"}, found: []FindingKind{FindingNoCommand}},
		{name: "a name with spaces and quotes", facts: keptFacts(aDocument(`session-a "b's" $(c).md`)), runs: keptClaude + `/resume-from .claude/memory/session-a "b's" $(c).md`},
		{name: "a document in another folder", facts: keptFacts(document, elsewhere), ask: Ask{Folder: "/srv/x"}, runs: "/srv/x here /bin/claude /resume-from " + keptProject + "/.claude/memory/session-2026-11-21-1530Z.md"},
		{name: "one is pending there", facts: keptFacts(document, pending(newer)), found: []FindingKind{FindingPending}, keys: "ld"},
		{name: "the backup first", facts: keptFacts(document, pending(newer, keptName)), ask: Ask{Take: TakeLatest}, runs: keptClaude + "/resume-latest"},
		{name: "the document all the same", facts: keptFacts(document, pending(newer)), ask: Ask{Take: TakeDocument}, runs: keptClaude + "/resume-from .claude/memory/session-2026-11-21-1530Z.md"},
		{name: "none is pending any more", facts: keptFacts(document), ask: Ask{Take: TakeLatest}, found: []FindingKind{FindingNotPending}, keys: "d"},
		{name: "a document has no session", facts: keptFacts(document), ask: Ask{Take: TakeRestore}, found: []FindingKind{FindingKindOfRow}, keys: "d"},
		{name: "the command is not installed", facts: keptFacts(document, func(f *KeptFacts) { f.From = false }), found: []FindingKind{FindingNoCommand}},
		{name: "neither is", facts: keptFacts(document, pending(newer), func(f *KeptFacts) { f.From, f.Latest = false, false }), found: []FindingKind{FindingNoCommand}},
		{name: "only the other one is", facts: keptFacts(document, pending(newer), func(f *KeptFacts) { f.From = false }), found: []FindingKind{FindingPending}, keys: "l-d"},
		{name: "and the other way round", facts: keptFacts(document, pending(newer), func(f *KeptFacts) { f.Latest = false }), found: []FindingKind{FindingPending}, keys: "d-l"},
		{name: "its folder cannot be entered", facts: keptFacts(document, folder(sessions.FolderDenied)), found: []FindingKind{FindingFolder}, keys: "d"},
		{name: "of another system", facts: keptFacts(document, folder(sessions.FolderRelative)), found: []FindingKind{FindingFolder}, keys: "d"},
		{name: "in no project", facts: keptFacts(document, folder(sessions.FolderUnknown), func(f *KeptFacts) { f.From = false }), found: []FindingKind{FindingFolder}, keys: "d"},
		{name: "a newline in its name", facts: keptFacts(aDocument("session-a\n! rm -rf b.md")), found: []FindingKind{FindingUnsafePath}, keys: "-d"},
		{name: "an escape in its name", facts: keptFacts(aDocument("session-\x1b[2J.md")), ask: Ask{Take: TakeDocument}, found: []FindingKind{FindingUnsafePath}, keys: "-d"},
		{name: "a newline, and one is pending", facts: keptFacts(aDocument("session-a\nb.md"), pending(newer)), found: []FindingKind{FindingPending}, keys: "l-d"},
		{name: "the active context", facts: keptFacts(aDocument("active-context.md")), found: []FindingKind{FindingLoaded}},
		{name: "the project memory", facts: keptFacts(aDocument("project-memory.md")), found: []FindingKind{FindingLoaded}},
		{name: "no claude for a document", facts: keptFacts(document, func(f *KeptFacts) { f.Start.Claude = Claude{} }), found: []FindingKind{FindingNoClaude}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := PlanKept(tt.facts, tt.ask)
			if got := kindsOf(p.Findings); !slices.Equal(got, tt.found) {
				t.Errorf("found %v, want %v", got, tt.found)
			}
			if got := keptKeys(p); got != tt.keys {
				t.Errorf("choices %q, want %q", got, tt.keys)
			}
			if got := keptRuns(p.Launch); got != tt.runs {
				t.Errorf("runs %q, want %q", got, tt.runs)
			}
			if l := p.Launch; l != nil && l.Restore != "" && (l.Writes != l.Row.ID || l.Restore != tt.facts.Row.Path || l.Fresh != (tt.ask.Take == TakeNew)) {
				t.Errorf("it restores %+v", l)
			}
		})
	}
}

// TestPlanKeptWords: findings are sentences, and a prompt is one argument.
func TestPlanKeptWords(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		facts KeptFacts
		want  string
	}{
		{"gone", keptFacts(), "This is the only copy: the live transcript is gone. The backup was made 2 h ago. | R: continuo backup restore 20261121_134000Z_exit && claude --resume 3f9ac1e0"},
		{"same", keptFacts(relation(sessions.RelationSame)), "Identical to the live transcript. You can resume the session itself and lose nothing. | t: claude --resume 3f9ac1e0 | R not a session with this ID exists"},
		{"rewritten", keptFacts(relation(sessions.RelationRewritten)), "The live transcript was rewritten and no longer contains this backup. The backup was made 2 h ago. Restoring under a new ID keeps both. | n: continuo backup restore 20261121_134000Z_exit --new-id && claude --resume aaaaaaaa | R not a session with this ID exists"},
		{"pending", keptFacts(relation(sessions.RelationSame), pending(keptName)), "This backup is pending: it is not restored or discarded yet. /resume-latest summarises the backup, updates the active context and deletes the marker. | l: claude \"/resume-latest\" | t: claude --resume 3f9ac1e0"},
		{"not found", keptFacts(relation(""), unlisted("/p/-srv-x", "/p/-srv-y")), "This backup could not be compared with the live transcript. The transcript may be in /p/-srv-x or 1 more, which cannot be read. | n: continuo backup restore 20261121_134000Z_exit --new-id && claude --resume aaaaaaaa | R not a session with this ID may be in /p/-srv-x or 1 more"},
		{"behind another", keptFacts(relation(sessions.RelationSame), pending("b\x1b[1m.jsonl", keptName)), "Its path is in the prompt, because b.jsonl is newer. | l: claude \"/resume-latest .claude/memory/raw/20261121_134000Z_exit.jsonl\" |"},
		{"not installed", keptFacts(pending(keptName), func(f *KeptFacts) { f.Latest = false }), "l not /resume-latest is not installed: continuo init"},
		{"two pending", keptFacts(aDocument("session-a b.md"), pending("x.jsonl", "y.jsonl")), "2 backups here are still pending. They may be newer than this document. The newest: x.jsonl. | l: claude \"/resume-latest\" | d: claude \"/resume-from .claude/memory/session-a b.md\""},
		{"one pending", keptFacts(aDocument("session-a.md"), pending("x.jsonl")), "1 backup here is still pending. It may be newer than this document: x.jsonl."},
		{"no project", keptFacts(aDocument("session-a.md"), func(f *KeptFacts) { f.Start.Folder = sessions.Folder{} }), "The project of this document is unknown."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			p := PlanKept(tt.facts, Ask{})
			var parts []string
			for _, f := range p.Findings {
				parts = append(parts, f.What+" "+f.Detail)
			}
			for _, c := range p.Choices {
				if c.Off != "" {
					parts = append(parts, c.Key+" not "+c.Off)
				} else {
					parts = append(parts, c.Key+": "+c.Run)
				}
			}
			if c := p.Choices[max(len(p.Choices)-1, 0):]; len(c) == 1 && c[0].Off == "" {
				parts = append(parts, c[0].Key+" "+c[0].Name+": "+c[0].Note)
			}
			if got := strings.Join(parts, " | "); !strings.Contains(got, tt.want) || strings.ContainsAny(got, "\x1b\n") {
				t.Errorf("got\n%s\nwant\n%s", got, tt.want)
			}
		})
	}
}
