// Package searching implements the commands search and index.
package searching

import (
	"context"
	"os"

	"github.com/continuo-tui/continuo/cli/find"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/task"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/search"
)

// CorpusOf returns the rows, and the ledgers and checkpoints of their projects.
func CorpusOf(env *place.Env, rows []sessions.Row) *search.Corpus {
	c := &search.Corpus{Rows: rows, Index: env.Index}
	known := map[string]bool{"": true}
	for i := range rows {
		root := rows[i].Project
		if known[root] {
			continue
		}
		known[root] = true
		if _, err := os.Stat(root); err != nil {
			continue // looking for a ledger in all parents of a missing folder is slow
		}
		project, err := place.LedgerOf(env, root)
		if err != nil || project.Notes == "" || known[project.Notes] {
			continue
		}
		known[project.Notes] = true
		c.Ledgers = append(c.Ledgers, search.Ledger{Path: project.Notes, Project: root})
		for slug, paths := range task.Checkpoints(project.Root) {
			for _, path := range paths {
				c.Ledgers = append(c.Ledgers, search.Ledger{Path: path, Project: root, Task: slug})
			}
		}
	}
	return c
}

// list returns the corpus of all readable rows. Problem has the error about unreadable rows.
func list(ctx context.Context, env *place.Env) (*search.Corpus, error) {
	opts, err := place.CatalogOptions(env)
	if err != nil {
		return nil, err
	}
	rows, problem := env.Open(opts).List(ctx, true)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	c := CorpusOf(env, rows)
	c.Problem = find.Incomplete(problem, find.Scope{})
	return c, nil
}

// load updates the index and returns the corpus.
func load(ctx context.Context, env *place.Env) (*search.Corpus, error) {
	c, err := list(ctx, env)
	if err == nil {
		err = c.Index.Update(ctx, c.Files(ctx))
	}
	return c, err
}
