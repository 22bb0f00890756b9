package survey

import (
	"bytes"
	"context"
	"path/filepath"
	"time"

	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/ledger/trajectory"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// namedLog is the number of newest trajectory bytes that are searched for names of ledger parts.
const namedLog = 4 << 20

// Named returns what names each part of the ledger: settings and other parts, as phrases such as "NOTES.md names
// br-7". It doesn't search git. Unnamed parts have no entry.
func (l *Ledger) Named(ctx context.Context) map[heal.Part][]string {
	p, named := &l.Project, map[heal.Part][]string{}
	add := func(part heal.Part, why string) { named[part] = append(named[part], transcript.CleanLine(why)) }
	for _, set := range []struct {
		part heal.Part
		key  string
	}{{heal.Grimoire, p.Set.Grimoire}, {heal.Notes, p.Set.Notes}, {heal.Beads, p.Set.Beads}, {heal.Trajectory, p.Set.Trajectory}} {
		if set.key != "" {
			add(set.part, set.key+" is set")
		}
	}
	if l.Notes != nil {
		if id := l.Notes.Continuity().Bead; id != "" {
			add(heal.Beads, filepath.Base(p.Notes)+" names "+id)
		} else if bytes.Contains(l.Notes.Text, []byte(filepath.Base(p.Beads)+"/")) {
			add(heal.Beads, filepath.Base(p.Notes)+" names it")
		}
		// A handoff names a record as FILE.jsonl:SPAN.
		if bytes.Contains(l.Notes.Text, []byte(filepath.Base(p.Trajectory)+"/")) || bytes.Contains(l.Notes.Text, []byte(".jsonl:")) {
			add(heal.Trajectory, filepath.Base(p.Notes)+" names it")
		}
	}
	if l.Beads != nil {
		for part, id := range l.handedOff() {
			add(part, id+" names it")
		}
	}
	if _, err := sessions.Disk().Stat(p.Beads); err != nil || l.Notes == nil {
		bead, notes := "", false
		trajectory.Since(ctx, p, time.Time{}, namedLog, func(r *trajectory.Record) {
			if id := r.Text("bead_id"); id != "" && bead == "" {
				bead = id
			}
			notes = notes || len(r.Items("notes_refs")) > 0
		})
		if bead != "" {
			add(heal.Beads, "the trajectory names "+bead)
		}
		if notes {
			add(heal.Notes, "the trajectory names it")
		}
	}
	return named
}

// handedOff returns the ledger parts that a handoff in a bead names, with the ID of the first such bead.
func (l *Ledger) handedOff() map[heal.Part]string {
	parts := map[heal.Part]string{}
	for i := range l.Beads.Beads {
		b := &l.Beads.Beads[i]
		for k := range b.Handoffs {
			h := &b.Handoffs[k]
			if h.Notes != "" && parts[heal.Notes] == "" {
				parts[heal.Notes] = b.ID
			}
			if h.Trajectory != "" && parts[heal.Trajectory] == "" {
				parts[heal.Trajectory] = b.ID
			}
		}
	}
	return parts
}
