package launch

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/resume"
)

const (
	// A folder may be on a dead mount.
	probeTimeout   = time.Second
	versionTimeout = 2 * time.Second // claude --version usually takes 10 ms (2.1.330)
)

// Starter has the config and the client, which is looked up once.
type Starter struct {
	Conf   *place.Config
	Claude func() resume.Claude
}

func newStarter(ctx context.Context, env *place.Env, conf *place.Config) Starter {
	return Starter{conf, sync.OnceValue(func() resume.Claude { return findClaude(ctx, env, conf) })}
}

// ResumeFacts collects the current facts for a resume. The row may be minutes old.
func ResumeFacts(ctx context.Context, env *place.Env, start Starter, row sessions.Row, ask resume.Ask) (resume.Facts, error) {
	mux := env.Host.Tmux()
	f := resume.Facts{
		Row: row, In: resume.Where(start.Conf.ResumeIn), Tmux: mux.Inside, Popup: mux.Popup, Home: env.Home, Now: env.Now(),
	}
	if row.Kind == sessions.KindSession && !ask.New {
		_, err := os.Stat(row.Path)
		f.Missing = errors.Is(err, os.ErrNotExist)
	}
	folder := row.Workdir
	if ask.Folder != "" {
		folder = env.TypedPath(ask.Folder)
	}
	var work sync.WaitGroup
	work.Go(func() { f.Clients, f.Unsure = clientsOf(ctx, env, &row) })
	work.Go(func() { f.Twins = twinsOf(ctx, env, &row) })
	work.Go(func() { f.Claude = start.Claude() })
	work.Go(func() {
		if f.Folder = sessions.ProbeFolder(ctx, folder); f.Folder.State == sessions.FolderGone {
			f.Main, f.Tree = LostFolder(ctx, env, &row, folder)
		}
	})
	if ask.At != "" && row.Kind == sessions.KindSession && !f.Missing {
		var err error
		if f.Cut, err = cutFacts(ctx, env, start.Conf, &row, ask.At); err != nil {
			work.Wait()
			return f, err
		}
	}
	work.Wait()
	return f, ctx.Err()
}

// clientsOf returns the clients that have the session open or are starting. If the list may be incomplete, unsure has
// the reason.
func clientsOf(ctx context.Context, env *place.Env, row *sessions.Row) (list []resume.Client, unsure string) {
	if row.Dir == "" {
		return nil, ""
	}
	if _, err := os.Stat(filepath.Join(row.Dir, "sessions")); err != nil && (row.Live != nil || row.Has(sessions.FlagLive)) {
		c := resume.Client{} // only the row names a client
		if row.Live != nil {
			c.Live = *row.Live
		}
		list = append(list, c)
	}
	all, errs := place.RegistryOf(ctx, env, row)
	for _, l := range all {
		if l.SessionID == row.ID {
			list = append(list, resume.Client{Live: l})
		}
	}
	for _, err := range errs {
		unsure = err.Error()
	}
	for _, s := range place.StartingOf(ctx, env, row) {
		live := sessions.Live{PID: s.PID, SessionID: s.ID, Started: s.At, Verified: true}
		if !s.Runs && !s.Waits { // PID is a continuo outside of the client's pane
			live.PID = 0
		}
		list = append(list, resume.Client{Live: live, Starting: true})
	}
	addPanes(ctx, env, list)
	return list, unsure
}

// PanesOf returns the tmux panes of processes, by PID. In a demo, the panes are made up.
func PanesOf(ctx context.Context, env *place.Env, pids []int) map[int]host.Pane {
	if !env.MadeUp {
		return env.Host.Tmux().PanesOf(ctx, pids)
	}
	panes := map[int]host.Pane{}
	for _, pid := range pids {
		panes[pid] = host.Pane{ID: "%2", Name: "work:2"}
	}
	return panes
}

// addPanes sets the pane or the terminal of each client.
func addPanes(ctx context.Context, env *place.Env, list []resume.Client) {
	if len(list) == 0 {
		return
	}
	pids := make([]int, len(list))
	for i := range list {
		pids[i] = list[i].PID // the PID 0 has no pane
	}
	panes := PanesOf(ctx, env, pids)
	for i := range list {
		c := &list[i]
		if p, ok := panes[c.PID]; ok && c.Verified {
			c.Pane, c.PaneName = p.ID, p.Name
		} else if tty, err := os.Readlink("/proc/" + strconv.Itoa(c.PID) + "/fd/0"); err == nil && c.Verified && (strings.HasPrefix(tty, "/dev/pts/") || strings.HasPrefix(tty, "/dev/tty")) {
			c.TTY = strings.TrimPrefix(tty, "/dev/")
		}
	}
}

// twinsOf returns other transcripts with the same ID and with messages. claude looks for an ID in all projects.
func twinsOf(ctx context.Context, env *place.Env, row *sessions.Row) []resume.Twin {
	if row.Kind != sessions.KindSession || row.Dir == "" {
		return nil
	}
	projects := filepath.Join(row.Dir, "projects")
	entries, err := os.ReadDir(projects)
	if err != nil {
		return nil
	}
	var list []resume.Twin
	for _, e := range entries {
		path := filepath.Join(projects, e.Name(), row.ID+".jsonl")
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() || place.SameFile(row.Path, info) {
			continue
		}
		if ses := sessions.Read(ctx, path, env.Now()); ses.State == sessions.StateOK || ses.State == sessions.StateDamaged {
			list = append(list, resume.Twin{Path: path, Workdir: ses.Workdir, Last: ses.Last})
		}
	}
	slices.SortFunc(list, func(a, b resume.Twin) int { return b.Last.Compare(a.Last) })
	return list
}

func findClaude(ctx context.Context, env *place.Env, conf *place.Config) resume.Claude {
	c := resume.Claude{Name: conf.ClaudeCommand, Args: conf.ClaudeArgs}
	if env.MadeUp { // nothing runs in a demo
		c.Path = c.Name
		return c
	}
	path, err := claudePath(env, conf)
	if err != nil {
		return c
	}
	c.Path = path
	if printed, err := env.Host.Ask(ctx, versionTimeout, path, "--version"); err == nil {
		c.Version = ClientVersion(printed)
	}
	return c
}

func claudePath(env *place.Env, conf *place.Config) (string, error) {
	name := place.ExpandHome(conf.ClaudeCommand, env.Home)
	if strings.ContainsRune(name, filepath.Separator) {
		name = env.Abs(name)
	}
	return env.Host.LookPath(name)
}

// ClientVersion parses the output of claude --version, such as "2.1.330 (Claude Code)"; "" for other output.
func ClientVersion(printed string) string {
	return regexp.MustCompile(`^\d+\.\d+\.\d+[-+.0-9A-Za-z]*`).FindString(printed)
}

// LostFolder returns the main worktree of a removed folder, and how git can restore the folder.
func LostFolder(ctx context.Context, env *place.Env, row *sessions.Row, folder string) (main string, tree resume.Tree) {
	known := []string{folder}
	if row.Project != "" {
		known = append(known, row.Project)
	}
	place := sessions.Places{Home: env.Home, Also: nearFolders(ctx, env, folder)}.Group(ctx, known)[folder]
	main, removed := place.Project, place.Worktree
	if main == folder || main == "" {
		main, removed = siblingOf(ctx, env, folder, row.Branch)
	}
	if main == "" || sessions.ProbeFolder(ctx, main).State != sessions.FolderThere {
		return "", tree
	}
	if tree.Removed = removed; !removed || !hasBranch(ctx, env, main, row.Branch) {
		return main, tree
	}
	list, err := env.Host.Git(ctx, main, "worktree", "list", "--porcelain", "-z")
	if err != nil {
		return main, tree
	}
	elsewhere := false
	for _, entry := range strings.Split(list, "\x00\x00") {
		lines := strings.Split(strings.TrimPrefix(entry, "\x00"), "\x00")
		path, _ := strings.CutPrefix(lines[0], "worktree ")
		if path == folder {
			tree.Listed = true
		} else if slices.Contains(lines, "branch refs/heads/"+row.Branch) {
			elsewhere = true
		}
	}
	if !elsewhere {
		tree.Branch = row.Branch
	}
	return main, tree
}

// nearMost is the maximum number of folders that nearFolders looks at in a directory.
const nearMost = 500

// nearFolders returns possible main worktrees of path: folders in the two nearest existing directories above. For
// ~/code/trees/hotfix, ~/code/app is a candidate. The search doesn't go above the home.
func nearFolders(ctx context.Context, env *place.Env, path string) []string {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	var list []string
	levels := 0
	for dir := filepath.Dir(path); levels < 2 && dir != filepath.Dir(dir) && (dir == env.Home || !place.Within(env.Home, dir)); dir = filepath.Dir(dir) {
		entries := readFolder(ctx, dir)
		if entries == nil {
			continue
		}
		levels++
		for _, e := range entries[:min(len(entries), nearMost)] {
			if e.IsDir() {
				list = append(list, filepath.Join(dir, e.Name()))
			}
		}
	}
	return list
}

// siblingOf finds the main worktree of a removed worktree beside it. Only branch and name prefix link the two
// (teahouse, teahouse-slots).
func siblingOf(ctx context.Context, env *place.Env, folder, branch string) (main string, removed bool) {
	parent, name := filepath.Split(folder)
	if sessions.ProbeFolder(ctx, parent).State != sessions.FolderThere {
		return "", false
	}
	entries, err := os.ReadDir(parent)
	if err != nil {
		return "", false
	}
	for _, e := range entries { // sorted, so the longest match comes last
		rest, fits := strings.CutPrefix(name, e.Name())
		if !fits || rest == "" || !strings.ContainsRune("-._", rune(rest[0])) {
			continue
		}
		path := filepath.Join(parent, e.Name())
		if _, err := os.Lstat(filepath.Join(path, ".git")); err == nil && hasBranch(ctx, env, path, branch) {
			main = path
		}
	}
	return main, main != ""
}

// hasBranch reports whether a repository has a local branch.
func hasBranch(ctx context.Context, env *place.Env, repository, branch string) bool {
	if branch == "" || branch == "HEAD" || strings.HasPrefix(branch, "-") {
		return false
	}
	_, err := env.Host.Git(ctx, repository, "rev-parse", "--verify", "--quiet", "refs/heads/"+branch)
	return err == nil
}
