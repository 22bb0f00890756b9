package resume

import (
	"path/filepath"
	"slices"
	"strconv"

	"github.com/continuo-tui/continuo/sessions"
)

// Take is how a backup or a document is gone on with (spec 000).
type Take string

// The ways. A backup has the first four, a document the first and the last.
const (
	TakeLatest   Take = "latest"   // claude "/resume-latest" in its project, which takes up the pending backups
	TakeRestore  Take = "restore"  // its session is made again, under its own id, and resumed
	TakeNew      Take = "new-id"   // the same under another id
	TakeSession  Take = "session"  // the transcript that it was taken of is resumed
	TakeDocument Take = "document" // claude "/resume-from PATH" in its project
)

// KeptFacts is all that is looked at to go on with a backup or a document.
type KeptFacts struct {
	Row     sessions.Row // it, with the Relation of every byte
	Missing bool         // its file is not there any more
	Pending []string     // file names of the pending backups of its project, in the order in which /resume-latest takes them
	Newest  string       // when the first of these was made, for a person
	Latest  bool         // /resume-latest is installed where the client would start
	From    bool         // /resume-from is

	Start Facts // of a new client in its project

	// Of a backup.
	Session Facts // of the transcript that it was taken of; of no meaning where that does not have all of it
	Made    Facts // of the session that a restore would make; its Row.Workdir is "" where no record says it
	Taken   bool  // there is a file of its own id, in any project
	// Unlisted are project directories that could not be listed, and may have such a file.
	Unlisted []string
	Live     bool   // a client has that id open, or may have
	New      string // an id that no session has
}

// PlanKept decides how a backup or a document can be gone on with. It is pure. A backup is always asked about; a
// document only while backups of its project are pending. What is chosen then is decided as PlanSession does, before
// anything is written: the folder, who has it open, and the terminal.
func PlanKept(f KeptFacts, ask Ask) Plan {
	k := &keptGuard{KeptFacts: f, ask: ask}
	if ask.Pane != "" {
		return k.guard(ask).decide()
	}
	if found := k.hopeless(); found != nil {
		return k.plan([]Finding{*found}, nil)
	}
	look := k.document
	if f.Row.Kind == sessions.KindBackup {
		look = k.backup
	}
	found, choices := look()
	if ask.Take == "" && len(found) == 0 { // nothing is to be asked
		ask.Take = choices[0].Ask.Take
	}
	for _, c := range choices {
		if c.Ask.Take == ask.Take && c.Off == "" {
			return k.guard(c.Ask).decide()
		}
	}
	slices.SortStableFunc(choices, func(a, b Choice) int { return min(len(a.Off), 1) - min(len(b.Off), 1) })
	return k.plan(found, choices)
}

// keptGuard is one run of PlanKept.
type keptGuard struct {
	KeptFacts
	ask Ask
}

func (k *keptGuard) plan(found []Finding, choices []Choice) Plan {
	start := k.start()
	return Plan{
		Title: "Resume", ID: k.Row.ID, Folder: k.ask.Folder, In: start.where(), Findings: found, Choices: choices,
	}
}

func (k *keptGuard) start() *guard {
	g := &guard{Facts: k.Start, ask: k.ask}
	g.Row = k.Row
	return g
}

// guard is that of what is chosen.
func (k *keptGuard) guard(ask Ask) *guard {
	g := k.start()
	switch ask.Take {
	case TakeLatest:
		ask.Fork = false
		g.prompt = func(string) string { return "/resume-latest" }
	case TakeDocument:
		ask.Fork = false
		g.prompt = k.resumeFrom
	case TakeSession:
		g.Facts = k.Session
	case TakeRestore, TakeNew:
		g.Facts, g.restore = k.Made, k.Row.Path
		if g.fresh = ask.Take == TakeNew; g.fresh {
			g.Row.ID = ask.As
			g.Row.Path = filepath.Join(filepath.Dir(g.Row.Path), ask.As+filepath.Ext(g.Row.Path))
		}
	}
	g.ask = ask
	return g
}

// resumeFrom is the prompt that takes up the document, by its path below the folder where there is one.
func (k *keptGuard) resumeFrom(folder string) string {
	path := k.Row.Path
	if rel, err := filepath.Rel(folder, path); err == nil && filepath.IsLocal(rel) {
		path = rel
	}
	return "/resume-from " + path
}

// hopeless is what no answer changes.
func (k *keptGuard) hopeless() *Finding {
	g, name := k.start(), string(k.Row.Kind)
	switch base := filepath.Base(k.Row.Path); {
	case k.Row.Deleted, k.Missing:
		return &Finding{FindingFileGone, "The file of this " + name + " is gone.", g.short(k.Row.Path) + " is not there any more."}
	case k.Row.State == sessions.StateUnreadable:
		return &Finding{FindingUnreadable, "This " + name + " cannot be read.", g.reason()}
	case base == "active-context.md", base == "project-memory.md":
		return &Finding{FindingLoaded, "Claude loads this document by itself at every start.", "To go on from an earlier session take a session document."}
	}
	found, _ := g.noClaude()
	return found
}

// backup is what is known of a backup, and the ways to go on with it: the first that is on is the one to suggest.
func (k *keptGuard) backup() (found []Finding, choices []Choice) {
	held, name := k.Row.Relation.Held(), filepath.Base(k.Row.Path)
	pending := slices.Contains(k.Pending, name)
	first := pending && k.Pending[0] == name
	found = append(found, k.relation())
	if pending {
		text := "/resume-latest has claude sum it up, update the active context and delete its marker."
		if !first {
			text += " It takes the newest first: " + clean(k.Pending[0]) + "."
		}
		found = append(found, Finding{FindingPending, "It is pending: nobody has dealt with it yet.", text})
	}
	if first {
		choices = append(choices, k.way(TakeLatest, "l", "Take it up", "a new session that begins with /resume-latest", k.whyNotLatest()))
	}
	if !pending && k.ask.Take == TakeLatest {
		found = append(found, Finding{FindingNotPending, "It is not pending.", "So /resume-latest would not take it up."})
	}
	off := k.whyNotRestore()
	if held {
		choices = append(choices, k.way(TakeSession, "t", "The session itself", "the live file, which has all of it", ""))
	}
	restore := k.way(TakeRestore, "R", "Restore and resume", "its session comes back under its own id", off)
	if off != "" && !held {
		choices = append(choices, k.way(TakeNew, "n", "Restore as new", "under a new id, beside what there is", k.whyNoPlace()))
	}
	choices = append(choices, restore)
	if pending && !first { // that goes on with another session
		note := "a new session takes that up instead"
		if k.Newest != "" {
			note = "a new session takes up that of " + clean(k.Newest)
		}
		choices = append(choices, k.way(TakeLatest, "l", "The newest first", note, k.whyNotLatest()))
	}
	return found, choices
}

// relation is what the transcript has of a backup.
func (k *keptGuard) relation() Finding {
	made := "The backup was made " + k.start().ago(k.Row.When()) + "."
	switch k.Row.Relation {
	case sessions.RelationSame:
		return Finding{FindingHeld, "The live file has every byte of it.", "So nothing is lost by going on with the session itself."}
	case sessions.RelationGrown:
		return Finding{FindingHeld, "The live file has every byte of it, and more.", "So nothing is lost by going on with the session itself."}
	case sessions.RelationRewritten:
		return Finding{FindingRewritten, "The live file does not have all of it: it was rewritten since.", made + " Under a new id both are kept."}
	case sessions.RelationGone:
		return Finding{FindingOnlyCopy, "This is the only copy: the live file is gone.", made}
	}
	if !sessions.IsUUID(k.Row.Of) {
		return Finding{FindingNotCompared, "No record of it says which session it is of.", made}
	}
	if len(k.Unlisted) > 0 && k.Row.Original == "" {
		return Finding{FindingNotCompared, "It could not be compared with the live file.", "That may be in " + k.unlisted() + ", which cannot be read."}
	}
	return Finding{FindingNotCompared, "It could not be compared with the live file.", "So it is not known whether that has all of it."}
}

// document is what one has to know before a document is taken up, and the ways.
func (k *keptGuard) document() (found []Finding, choices []Choice) {
	this := k.way(TakeDocument, "d", "This document", "go on from it all the same", "")
	if !k.From && k.Start.Folder.State == sessions.FolderThere { // else that is asked first
		this = k.way(TakeDocument, "d", this.Name, this.Note, notInstalled("/resume-from"))
	}
	unsafe := clean(k.Row.Path) != k.Row.Path // it would be more than a path in the prompt
	if unsafe {
		this = k.way(TakeDocument, "d", this.Name, this.Note, "its path cannot stand in a prompt")
	}
	latest := k.whyNotLatest()
	switch n := len(k.Pending); {
	case !slices.Contains([]Take{"", TakeLatest, TakeDocument}, k.ask.Take):
		return []Finding{{FindingKindOfRow, "A document is no copy of a session.", "It is taken up by a new one."}}, []Choice{this}
	case n == 0 && k.ask.Take == TakeLatest:
		return []Finding{{FindingNotPending, "No backup here is pending.", "There is nothing for /resume-latest to take up."}}, []Choice{this}
	case unsafe && (n == 0 || latest != ""):
		return []Finding{{FindingUnsafePath, "The path of this document cannot stand in a prompt.", "It has a newline or a control character. Rename the file first."}}, []Choice{this}
	case this.Off != "" && (n == 0 || latest != ""):
		return []Finding{{FindingNoCommand, "/resume-from is not installed in " + k.start().short(k.Start.Folder.Path) + ".", "To install it: continuo init, in the project."}}, nil
	case n == 0, k.ask.Take == TakeDocument && this.Off == "":
		return nil, []Choice{this}
	default:
		what, detail := "1 backup here is still pending.", "It may be newer than this document: "
		if n > 1 {
			what, detail = strconv.Itoa(n)+" backups here are still pending.", "They may be newer than this document. The newest: "
		}
		found = []Finding{{FindingPending, what, detail + clean(k.Pending[0]) + "."}}
		return found, []Choice{k.way(TakeLatest, "l", "The backup first", "a new session that begins with /resume-latest", latest), this}
	}
}

// way is a choice, with what it comes to if nothing else stands in the way.
func (k *keptGuard) way(take Take, key, name, note, off string) Choice {
	c := Choice{Key: key, Name: name, Note: note, Off: off, Ask: k.ask}
	c.Ask.Take = take
	if take == TakeNew && c.Ask.As == "" {
		c.Ask.As = k.New
	}
	if off == "" {
		g := k.guard(c.Ask)
		c.Launch = g.launch()
		c.Run = g.shown(c.Launch)
	}
	return c
}

// whyNotLatest is why /resume-latest cannot be run, "" when it can.
func (k *keptGuard) whyNotLatest() string {
	switch {
	case !k.Latest:
		return notInstalled("/resume-latest")
	case k.ask.Folder != "" && k.ask.Folder != k.Row.Workdir:
		return "it has to start in " + k.start().short(k.Row.Workdir)
	}
	return ""
}

func notInstalled(command string) string { return command + " is not installed: continuo init" }

// whyNotRestore is why the backup cannot become its session again, "" when it can: two files of one id confuse the
// client.
func (k *keptGuard) whyNotRestore() string {
	switch {
	case !sessions.IsUUID(k.Row.Of):
		return "the id of its session is not known"
	case k.Live:
		return "a session of its id is live"
	case k.Taken:
		return "a session of its id is there"
	case len(k.Unlisted) > 0:
		return "a session of its id may be in " + k.unlisted()
	}
	return k.whyNoPlace()
}

// unlisted names the directories that could not be listed.
func (k *keptGuard) unlisted() string {
	text := k.start().short(k.Unlisted[0])
	if more := len(k.Unlisted) - 1; more > 0 {
		text += " or " + strconv.Itoa(more) + " more"
	}
	return text
}

// whyNoPlace is why it can become no session at all.
func (k *keptGuard) whyNoPlace() string {
	if k.Made.Row.Workdir == "" || k.Made.Row.Dir == "" {
		return "no record says in which folder it ran"
	}
	slug := filepath.Dir(k.Made.Row.Path)
	for _, dir := range []string{slug, filepath.Dir(slug)} {
		if slices.Contains(k.Unlisted, dir) {
			return k.start().short(dir) + " cannot be read"
		}
	}
	return ""
}
