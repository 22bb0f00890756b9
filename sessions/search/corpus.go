package search

import (
	"context"
	"iter"
	"os"
	"slices"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/index"
	"github.com/continuo-tui/continuo/sessions/query"
	"github.com/continuo-tui/continuo/transcript"
)

// Files returns the files to index: the transcripts of sessions and sub-agents, the newest backup of each session
// without a transcript, documents, and ledgers. Unreadable files are missing, and others if ctx ends.
func (c *Corpus) Files(ctx context.Context) []index.File {
	var list []index.File
	add := func(f index.File) { list = append(list, f) }
	for r := range c.searched() {
		switch r.Kind {
		case sessions.KindSession:
			add(index.File{Path: r.Path, Kind: index.Session})
			for agent := range agentsOf(r) {
				add(index.File{Path: agent, Kind: index.Subagent, Session: r.Path})
			}
		case sessions.KindDocument:
			add(index.File{Path: r.Path, Kind: index.Document})
		case sessions.KindBackup:
			add(index.File{Path: r.Path, Kind: index.Backup})
		}
	}
	for i := range c.Ledgers {
		l := &c.Ledgers[i]
		add(index.File{Path: l.Path, Kind: l.kind()})
	}
	sessions.Parallel(ctx, len(list), readers, func(i int) {
		if info, err := os.Stat(list[i].Path); err == nil && info.Mode().IsRegular() {
			list[i].Info = info
		}
	})
	return slices.DeleteFunc(list, func(f index.File) bool { return f.Info == nil })
}

// searched returns the rows to search. A backup isn't one of them if its transcript or a newer backup has a row.
func (c *Corpus) searched() iter.Seq[*sessions.Row] {
	all := func(yield func(*sessions.Row) bool) {
		for i := range c.Rows {
			if !yield(&c.Rows[i]) {
				return
			}
		}
	}
	last := sessions.LastBackups(all)
	for r := range all {
		if r.Kind == sessions.KindSession {
			last[r.ID] = r // the session was restored, but the rows of its backups aren't updated yet
		}
	}
	return func(yield func(*sessions.Row) bool) {
		for r := range all {
			holder := last[r.Of]
			if r.Kind == sessions.KindBackup && (r.Original != "" || holder != nil && holder != r) {
				continue
			}
			if !yield(r) {
				return
			}
		}
	}
}

// owner is the row or the ledger to which a file belongs.
type owner struct {
	row    *sessions.Row // nil for a ledger
	ledger *Ledger
}

// titled is a row with its title.
type titled struct {
	row   *sessions.Row
	title []byte
}

// prepare finds the owner of each file and the titles of the rows once, because each key press searches.
func (c *Corpus) prepare() {
	c.once.Do(func() {
		c.byPath = c.owners()
		for i := range c.Rows {
			if r := &c.Rows[i]; c.byPath[r.Path].row == r {
				c.titles = append(c.titles, titled{r, []byte(r.Described().Title())})
			}
		}
	})
}

// owners returns the owner of each file by its path.
func (c *Corpus) owners() map[string]owner {
	m := make(map[string]owner, 2*len(c.Rows))
	for r := range c.searched() {
		m[r.Path] = owner{row: r}
		for agent := range agentsOf(r) {
			m[agent] = owner{row: r}
		}
	}
	for i := range c.Ledgers {
		m[c.Ledgers[i].Path] = owner{ledger: &c.Ledgers[i]}
	}
	return m
}

// agentsOf returns the sub-agents' transcripts to search. The session has the summary of a compaction, so compactions
// are left out.
func agentsOf(r *sessions.Row) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, agent := range r.Agents {
			if !sessions.IsCompaction(agent) && !yield(agent) {
				return
			}
		}
	}
}

// project returns the root of the project of the owner.
func (o *owner) project() string {
	if o.row == nil {
		return o.ledger.Project
	}
	if o.row.Project == "" {
		return o.row.Workdir
	}
	return o.row.Project
}

// path returns the path of the row, the ledger or the checkpoint.
func (o *owner) path() string {
	if o.row == nil {
		return o.ledger.Path
	}
	return o.row.Path
}

func (o *owner) kind() index.Kind {
	switch {
	case o.row == nil:
		return o.ledger.kind()
	case o.row.Kind == sessions.KindDocument:
		return index.Document
	case o.row.Kind == sessions.KindBackup:
		return index.Backup
	}
	return index.Session
}

// allows reports whether project:, branch:, model: and tag: allow the owner. If only isn't "", the owner must be in
// this project.
func (o *owner) allows(q *query.Query, only string) bool {
	inside := only == "" || o.project() == only || o.row != nil && o.row.Belongs(only)
	if !inside || !q.Has(query.Project, o.project()) {
		return false
	}
	if o.row == nil {
		return q.Has(query.Branch) && q.Has(query.Model) && q.Has(query.Tag)
	}
	return q.Has(query.Branch, o.row.Branch) && q.Has(query.Model, o.row.Models...) && q.Has(query.Tag, o.row.Described().Tags...)
}

// is returns the values of the field is: that are true for the owner.
func (o *owner) is() (list []string) {
	if o.row != nil && o.row.Live != nil {
		list = append(list, query.Live)
	}
	if o.kind() == index.Backup {
		list = append(list, query.Backup)
	}
	if o.row == nil {
		return list
	}
	row := o.row.Described()
	if row.Starred {
		list = append(list, query.Starred)
	}
	if row.Archived {
		list = append(list, query.Archived)
	}
	if o.row.Unpicked() != "" {
		list = append(list, query.Unpicked)
	}
	return list
}

// roleOf returns the role of a message as a clean word. agent is the type of the sub-agent, in its transcript.
func roleOf(r index.Role, kind index.Kind, agent string) string {
	switch r {
	case index.You:
		return "you"
	case index.Claude:
		return "Claude"
	case index.Summary:
		return "summary"
	case index.Notice:
		return "notice"
	case index.Text:
		switch kind {
		case index.Ledger:
			return "ledger"
		case index.Checkpoint:
			return "checkpoint"
		default:
			return "document"
		}
	case index.Agent:
	}
	if agent = transcript.CleanLine(agent); agent != "" {
		return agent
	}
	return "agent"
}
