package resume

import (
	"path/filepath"
	"slices"
	"strconv"

	"github.com/continuo-tui/continuo/sessions"
)

// Take is a way to resume a backup or a document (spec 000).
type Take string

// The ways to resume. Documents have TakeLatest and TakeDocument, backups all except TakeDocument.
const (
	TakeLatest   Take = "latest"   // start claude "/resume-latest" in the project, with the path of a backup that isn't the newest
	TakeRestore  Take = "restore"  // restore the session under its own ID and resume it
	TakeNew      Take = "new-id"   // restore the session under a new ID and resume it
	TakeSession  Take = "session"  // resume the session, whose transcript exists
	TakeDocument Take = "document" // start claude "/resume-from PATH" in the project, or "/load-session-protocol" for a snapshot
)

// KeptFacts is the input of PlanKept.
type KeptFacts struct {
	Row     sessions.Row // the backup or document, whose Relation is from a comparison of all bytes
	Missing bool         // its file is gone
	Pending []string     // file names of the project's pending backups, in the order of /resume-latest
	Latest  bool         // /resume-latest is installed in the folder where claude would start
	From    bool         // /resume-from is installed in that folder; for a snapshot: /load-session-protocol

	Start Facts // facts for a new session in the project

	// The following fields are for a backup.
	Session Facts // facts for resuming the session, if its transcript contains the backup completely
	Made    Facts // facts for resuming the restored session; Made.Row.Workdir is "" if the folder is unknown
	Taken   bool  // a project has a transcript with this session ID
	// Unlisted has unreadable project directories, which may have a transcript with this session ID.
	Unlisted []string
	Live     bool   // a client has or may have the session open
	New      string // an unused ID
}

// PlanKept returns how to resume a backup or a document. It is a pure function. For a backup, it asks for the Take.
// For a document, it does so if the project has pending backups or the requested Take isn't possible. Then it asks
// the questions of PlanSession (folder, other clients, terminal). All questions come before the first write.
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
	if ask.Take == "" && len(found) == 0 { // there is nothing to ask
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

// keptGuard is the state of one call of PlanKept.
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

// guard returns the guard for ask.Take.
func (k *keptGuard) guard(ask Ask) *guard {
	g := k.start()
	switch ask.Take {
	case TakeLatest:
		ask.Fork = false
		g.prompt = k.resumeLatest
	case TakeDocument:
		ask.Fork = false
		g.prompt = func(folder string) string {
			if k.Row.IsSnapshot() {
				return loadSnapshot
			}
			return "/resume-from " + k.path(folder)
		}
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

// resumeLatest returns the prompt for the backup. Without a path, /resume-latest uses the first pending one.
func (k *keptGuard) resumeLatest(folder string) string {
	if k.isPending() && !k.isFirst() {
		return "/resume-latest " + k.path(folder)
	}
	return "/resume-latest"
}

// path returns the path of the row, relative to the folder if possible.
func (k *keptGuard) path(folder string) string {
	if rel, err := filepath.Rel(folder, k.Row.Path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return k.Row.Path
}

// isPending reports whether the row is a pending backup.
func (k *keptGuard) isPending() bool { return slices.Contains(k.Pending, filepath.Base(k.Row.Path)) }

// isFirst reports whether /resume-latest uses the row without a path.
func (k *keptGuard) isFirst() bool {
	return k.isPending() && k.Pending[0] == filepath.Base(k.Row.Path)
}

// isUnsafe reports whether the path can't be in a prompt.
func (k *keptGuard) isUnsafe() bool { return clean(k.Row.Path) != k.Row.Path }

// hopeless returns the finding that makes resuming impossible, or nil.
func (k *keptGuard) hopeless() *Finding {
	g, name := k.start(), string(k.Row.Kind)
	switch base := filepath.Base(k.Row.Path); {
	case k.Row.Deleted, k.Missing:
		return &Finding{FindingFileGone, "The file of this " + name + " is gone.", g.short(k.Row.Path) + " no longer exists."}
	case k.Row.State == sessions.StateUnreadable:
		return &Finding{FindingUnreadable, "This " + name + " cannot be read.", g.reason()}
	case base == "active-context.md", base == "project-memory.md":
		return &Finding{FindingLoaded, "Claude loads this document at every start.", "To continue an earlier session, choose a session document."}
	}
	found, _ := g.noClaude()
	return found
}

// backup returns the findings and the choices for a backup. The first available choice is suggested.
func (k *keptGuard) backup() (found []Finding, choices []Choice) {
	held := k.Row.Relation.Held()
	found = append(found, k.relation())
	if k.isPending() {
		text := "/resume-latest summarises the backup, updates the active context and deletes the marker."
		if !k.isFirst() {
			text += " Its path is in the prompt, because " + clean(k.Pending[0]) + " is newer."
		}
		found = append(found, Finding{FindingPending, "This backup is pending: it is not restored or discarded yet.", text})
		off := k.whyNotLatest()
		if off == "" && !k.isFirst() && k.isUnsafe() {
			off = unsafePath
		}
		choices = append(choices, k.way(TakeLatest, "l", "Continue from it", "a new session that starts with /resume-latest", off))
	} else if k.ask.Take == TakeLatest {
		found = append(found, Finding{FindingNotPending, "It is not pending.", "/resume-latest would not use it."})
	}
	off := k.whyNotRestore()
	if held {
		choices = append(choices, k.way(TakeSession, "t", "The live session", "it contains the whole backup", ""))
	}
	restore := k.way(TakeRestore, "R", "Restore and resume", "restores the session under its own ID", off)
	if off != "" && !held {
		choices = append(choices, k.way(TakeNew, "n", "Restore as new", "under a new ID, beside the existing session", k.whyNoPlace()))
	}
	return found, append(choices, restore)
}

// relation returns the finding about the live transcript of a backup.
func (k *keptGuard) relation() Finding {
	made := "The backup was made " + k.start().ago(k.Row.When()) + "."
	switch k.Row.Relation {
	case sessions.RelationSame:
		return Finding{FindingHeld, "Identical to the live transcript.", "You can resume the session itself and lose nothing."}
	case sessions.RelationGrown:
		return Finding{FindingHeld, "The live transcript contains this backup and has grown since.", "You can resume the session itself and lose nothing."}
	case sessions.RelationRewritten:
		return Finding{FindingRewritten, "The live transcript was rewritten and no longer contains this backup.", made + " Restoring under a new ID keeps both."}
	case sessions.RelationGone:
		return Finding{FindingOnlyCopy, "This is the only copy: the live transcript is gone.", made}
	}
	if !sessions.IsUUID(k.Row.Of) {
		return Finding{FindingNotCompared, "The backup doesn't name its session.", made}
	}
	if len(k.Unlisted) > 0 && k.Row.Original == "" {
		return Finding{FindingNotCompared, "This backup could not be compared with the live transcript.", "The transcript may be in " + k.unlisted() + ", which cannot be read."}
	}
	return Finding{FindingNotCompared, "This backup could not be compared with the live transcript.", "The live transcript may not contain all of it."}
}

// document returns the findings and the choices for a document.
func (k *keptGuard) document() (found []Finding, choices []Choice) {
	off, why := k.whyNotDocument()
	this := k.way(TakeDocument, "d", "This document", "continue from it anyway", off)
	latest := k.whyNotLatest()
	switch n := len(k.Pending); {
	case !slices.Contains([]Take{"", TakeLatest, TakeDocument}, k.ask.Take):
		return []Finding{{FindingKindOfRow, "A document isn't a copy of a session.", "A new session continues from it."}}, []Choice{this}
	case n == 0 && k.ask.Take == TakeLatest:
		return []Finding{{FindingNotPending, "No backup here is pending.", "/resume-latest has nothing to continue from."}}, []Choice{this}
	case off == unsafePath && (n == 0 || latest != ""):
		return []Finding{why}, []Choice{this}
	case off != "" && (n == 0 || latest != ""):
		return []Finding{why}, nil
	case n == 0, k.ask.Take == TakeDocument && off == "":
		return nil, []Choice{this}
	default:
		what, detail := "1 backup here is still pending.", "It may be newer than this document: "
		if n > 1 {
			what, detail = strconv.Itoa(n)+" backups here are still pending.", "They may be newer than this document. The newest: "
		}
		found = []Finding{{FindingPending, what, detail + clean(k.Pending[0]) + "."}}
		return found, []Choice{k.way(TakeLatest, "l", "The backup", "a new session that starts with /resume-latest", latest), this}
	}
}

// whyNotDocument returns why a session can't continue from the document. Otherwise, off is "".
func (k *keptGuard) whyNotDocument() (off string, why Finding) {
	start := k.start()
	switch {
	case k.isUnsafe():
		return unsafePath, Finding{FindingUnsafePath, "The path of this document can't be used in a prompt.", "It contains a newline or a control character. Rename the file first."}
	case k.Row.IsSnapshot() && k.ask.Folder != "" && k.ask.Folder != k.Row.Workdir:
		own := start.short(k.Row.Workdir)
		return "it must start in " + own, Finding{FindingNoCommand, "A snapshot is loaded in its own folder.", "Start in " + own + "."}
	case !k.From && k.Start.Folder.State == sessions.FolderThere: // a missing folder must be replaced first
		folder := start.short(k.Start.Folder.Path)
		return notInstalled(k.command(), k.install()), Finding{FindingNoCommand, k.command() + " is not installed in " + folder + ".", "Run " + k.install() + " in the project."}
	}
	return "", Finding{}
}

// way returns the choice for a Take. An available choice has the Launch without more questions.
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

// whyNotLatest returns why /resume-latest can't be used, or "".
func (k *keptGuard) whyNotLatest() string {
	switch {
	case !k.Latest:
		return notInstalled("/resume-latest", "continuo init")
	case k.ask.Folder != "" && k.ask.Folder != k.Row.Workdir:
		return "it must start in " + k.start().short(k.Row.Workdir)
	}
	return ""
}

// unsafePath is why a choice with an unsafe path isn't available.
const unsafePath = "its path can't be used in a prompt"

func notInstalled(command, install string) string { return command + " is not installed: " + install }

// loadSnapshot is the command that loads a snapshot (spec 004).
const loadSnapshot = "/load-session-protocol"

// command returns the slash command that continues from the document, without arguments.
func (k *keptGuard) command() string {
	if k.Row.IsSnapshot() {
		return loadSnapshot
	}
	return "/resume-from"
}

// install returns the command line that installs the slash command.
func (k *keptGuard) install() string {
	if k.Row.IsSnapshot() {
		return "continuo init --snapshot"
	}
	return "continuo init"
}

// whyNotRestore returns why the backup can't be restored under its own ID, or "". Claude Code can't distinguish two
// transcripts with one ID.
func (k *keptGuard) whyNotRestore() string {
	switch {
	case !sessions.IsUUID(k.Row.Of):
		return "the ID of its session is unknown"
	case k.Live:
		return "a session with this ID is live"
	case k.Taken:
		return "a session with this ID exists"
	case len(k.Unlisted) > 0:
		return "a session with this ID may be in " + k.unlisted()
	}
	return k.whyNoPlace()
}

// unlisted returns the first unreadable directory and the number of more, for a sentence.
func (k *keptGuard) unlisted() string {
	text := k.start().short(k.Unlisted[0])
	if more := len(k.Unlisted) - 1; more > 0 {
		text += " or " + strconv.Itoa(more) + " more"
	}
	return text
}

// whyNoPlace returns why the backup can't be restored under any ID, or "".
func (k *keptGuard) whyNoPlace() string {
	if k.Made.Row.Workdir == "" || k.Made.Row.Dir == "" {
		return "its folder is unknown"
	}
	slug := filepath.Dir(k.Made.Row.Path)
	for _, dir := range []string{slug, filepath.Dir(slug)} {
		if slices.Contains(k.Unlisted, dir) {
			return k.start().short(dir) + " cannot be read"
		}
	}
	return ""
}
