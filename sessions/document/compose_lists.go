package document

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/transcript/digest"
)

func (p *composer) files(k *Known) {
	d := &k.Digest
	if len(d.Files) == 0 && d.Elsewhere == 0 {
		p.lines("_No editing tool changed a file._")
		return
	}
	for i := range d.Files {
		p.lines("- " + fileText(k.Root, &d.Files[i]))
	}
	if d.Elsewhere > 0 {
		p.lines("", "_Not listed: "+counted(d.Elsewhere, "change")+" in other files._")
	}
}

// fileText returns the path of a file and its changes.
func fileText(root string, f *digest.File) string {
	text := fmt.Sprintf("%s +%d −%d", code(shortPath(root, f.Path)), f.Added, f.Removed)
	if f.Created {
		text += ", created"
	}
	return text
}

// shortPath returns a path relative to the root of the project, or unchanged outside.
func shortPath(root, path string) string {
	if rel, err := filepath.Rel(root, path); err == nil && filepath.IsAbs(path) && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

func (p *composer) environment(k *Known) {
	d := &k.Digest
	if d.Cwd != "" {
		p.lines("- Folder: " + code(d.Cwd))
	}
	if d.Version != "" {
		p.lines("- Client: " + escaped(d.Version))
	}
	if len(d.Models) > 0 {
		p.lines("- Models: " + escaped(strings.Join(d.Models, ", ")))
	}
	if n := d.Tokens.Fresh(); n > 0 {
		p.lines("- Tokens: " + strconv.FormatInt(n, 10) + ", without cache reads")
	}
	if d.Ran > 0 {
		p.lines("- Commands: " + strconv.Itoa(d.Ran) + " run, " + strconv.Itoa(d.RanBadly) + " failed")
	}
	some(p, "  ", &d.Commands, func(c digest.Command) string {
		text := code(c.Text)
		if c.Times > 1 {
			text += " ×" + strconv.Itoa(c.Times)
		}
		if c.Failed {
			text += ", failed"
		}
		if c.Exit != "" {
			text += ": " + quoted(c.Exit)
		}
		return text
	})
}

func (p *composer) notes(d *digest.Digest) {
	var known []string
	if d.Agents > 0 {
		known = append(known, "- Sub-agents: "+counted(d.Agents, "call")+"; their changes and commands are not included.")
	}
	if d.Hidden {
		known = append(known, "- Branches abandoned by a rewind are not included.")
	}
	if d.Unread > 0 {
		known = append(known, "- "+counted(d.Unread, "message")+" could not be read completely.")
	}
	if d.Compactions > 0 {
		known = append(known, "- The context was compacted: "+counted(d.Compactions, "time")+".")
	}
	if len(known) > 0 {
		p.lines(append(known, "")...)
	}
	if last := d.Summaries.Last; len(last) > 0 {
		p.lines("The summary of the last compaction:", "")
		p.quote("", last[len(last)-1])
		p.lines("")
	}
	p.lines("_" + openMeans + "_")
}

func commitText(c digest.Commit) string {
	return code(c.Hash) + " " + escaped(transcript.CleanLine(c.Subject))
}

// span returns a time range in UTC.
func span(from, to time.Time) string {
	const minute = "2006-01-02 15:04"
	text := from.UTC().Format(minute)
	switch {
	case to.IsZero() || to.UTC().Format(minute) == text:
		return text + " UTC"
	case to.UTC().Format(time.DateOnly) == from.UTC().Format(time.DateOnly):
		return text + " to " + to.UTC().Format("15:04") + " UTC"
	}
	return text + " to " + to.UTC().Format(minute) + " UTC"
}
