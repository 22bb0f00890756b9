package cli

import (
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
	"github.com/continuo-tui/continuo/sessions/survey"
)

// incomplete returns the failure of a list that misses something of its scope, nil if it misses nothing.
func incomplete(problem error, s scope) error {
	list := slices.DeleteFunc(ledger.Parts(problem), func(err error) bool { return !s.concerns(err) })
	if len(list) == 0 {
		return nil
	}
	const (
		clients = "Not every running client could be looked up, so a session may be live without saying so."
		memory  = "Not every backup, marker and document could be read. Make them readable and run it again."
		missing = "Something could not be read, and its sessions are missing. Make it readable and run it again."
	)
	what := clients
	for _, err := range list {
		if _, ok := errors.AsType[*catalog.MemoryError](err); ok && what == clients {
			what = memory
		} else if _, live := errors.AsType[*sessions.RegistryError](err); !ok && !live {
			what = missing
		}
	}
	problem = errors.Join(list...)
	return &out.Failure{What: what, Facts: survey.Sentences(problem), Cause: problem}
}

// concerns reports whether a part of a list that could not be read may belong to the scope. The registry is of all
// projects.
func (s scope) concerns(err error) bool {
	if e, ok := errors.AsType[*catalog.MemoryError](err); ok {
		row := sessions.Row{}
		row.Project, row.Workdir = e.Project, e.Dir
		return s.holds(&row)
	}
	e, ok := errors.AsType[*sessions.UnlistedError](err)
	if !ok || s == (scope{}) {
		return true
	}
	for _, root := range []string{s.project, s.below} {
		if root == "" {
			continue
		}
		for _, folder := range append(linkedWorktrees(root), root) {
			if e.MayConcern(folder) {
				return true
			}
		}
	}
	return false
}

// linkedWorktrees returns the folders of the linked worktrees of a repository, as its .git names them.
func linkedWorktrees(root string) []string {
	dir := filepath.Join(root, ".git", "worktrees")
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // most have none
	}
	var list []string
	for _, e := range entries {
		if git := sessions.FirstLine(filepath.Join(dir, e.Name(), "gitdir")); filepath.IsAbs(git) {
			list = append(list, filepath.Dir(git))
		}
	}
	return list
}
