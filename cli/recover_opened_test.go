package cli

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/ledgers"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger/recovery"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/catalog"
)

// TestRecoverOpened: without a ledger, recover opens only transcripts that can belong to the project.
func TestRecoverOpened(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		workdir, folder string // of an additional session; if folder is "", its name comes from workdir
		opened          int64
		want            string
	}{
		"none of the project": {"", "", 0, ""},
		"one":                 {"tea", "", 1, "Why do guests wait?"},
		"one below":           {"tea/src", "", 1, "Why do guests wait?"},
		"one of a worktree":   {"elsewhere", "", 1, "Why do guests wait?"},
		"a folder of its own": {"tea", "my-sessions", 1, "Why do guests wait?"},
		"a similar name":      {"teapot", "", 0, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			home := place.RealPath(t.TempDir())
			session := func(workdir, folder string, n int) {
				if folder == "" {
					folder = sessions.Slug(workdir)
				}
				putFile(t, filepath.Join(home, ".claude", "projects", folder, fmt.Sprintf("%08d-0000-4000-8000-000000000000.jsonl", n)),
					fmt.Sprintf(`{"type":"user","uuid":"u","parentUuid":null,"cwd":%q,"timestamp":"2026-11-21T15:48:00.000Z","message":{"role":"user","content":"Why do guests wait?"}}`+"\n", workdir))
			}
			for i := range 30 {
				session(filepath.Join(home, "other", fmt.Sprint(i/3)), "", i)
			}
			project := filepath.Join(home, "tea")
			putFile(t, filepath.Join(project, ".git", "worktrees", "x", "gitdir"), filepath.Join(home, "elsewhere", ".git")+"\n")
			putFile(t, filepath.Join(home, "elsewhere", ".git"), "gitdir: "+filepath.Join(project, ".git", "worktrees", "x")+"\n")
			putFile(t, filepath.Join(project, ".git", "worktrees", "x", "commondir"), "../..\n")
			if tt.workdir != "" {
				session(filepath.Join(home, tt.workdir), tt.folder, 99)
			}
			d := newDeps(Program{Env: []string{"HOME=" + home}, Dir: project, Now: now})
			var looked *catalog.Catalog
			d.Open = func(o catalog.Options) place.Source {
				looked = catalog.New(o)
				return place.CatalogSource{Catalog: looked}
			}
			r, l, err := ledgers.Recover(t.Context(), d.Env, &ledgers.RecoverAsk{Ask: recovery.Ask{Level: recovery.Where}, Dir: project})
			if err != nil {
				t.Fatal(err)
			}
			if n := looked.Opened(); n != tt.opened {
				t.Errorf("%d transcripts opened, want %d", n, tt.opened)
			}
			if !strings.Contains(r.Text, tt.want) || (r.Text == "") != (tt.want == "") {
				t.Errorf("recovered %q, want %q", r.Text, tt.want)
			}
			if tt.want == "" {
				if err := ledgers.NothingRecovered(d.Env, d.Output, &r, &l); !strings.HasPrefix(err.Error(), "There is nothing to recover from in ~/tea.") {
					t.Errorf("it says %q", err)
				}
			}
		})
	}
}
