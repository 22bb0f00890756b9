package sessions

import (
	"path"

	"github.com/continuo-tui/continuo/internal/words"
	"github.com/continuo-tui/continuo/transcript"
)

// Title returns the name of the row for display: one clean line, never empty.
func (r *Row) Title() string {
	switch {
	case r.OfTitle != "":
		return r.OfTitle
	case r.Kind == KindBackup && r.Saved != nil:
		return r.Saved.Title()
	}
	if name := Plain(r.Name); name != "" {
		return name
	}
	switch r.State {
	case StateEmpty, StateStub:
		return "No messages"
	case StateOK, StateDamaged, StateUnreadable:
	}
	if id := transcript.CleanLine(r.ID); id != "" {
		return id
	}
	if r.Path == "" {
		return "No name"
	}
	return transcript.CleanLine(path.Base(r.Path))
}

// Plain returns a text as rows show it: a clean line, each emoji as one rune.
func Plain(s string) string {
	return transcript.CleanLine(words.PlainEmoji(transcript.CleanLine(s)))
}

// Belongs reports whether the row belongs to the project at root. If its project is unknown, its workdir must be in
// root.
func (r *Row) Belongs(root string) bool {
	return r.Project == root || r.Project == "" && Within(r.Workdir, root)
}

// Missed reports whether the row is a session of a project that ended without a backup. An empty project means any.
func (r *Row) Missed(project string) bool {
	return r.Has(FlagNoBackup) && (project == "" || r.Project == project || r.Workdir == project || Within(r.Workdir, project))
}
