package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/continuo-tui/continuo/sessions"
)

const (
	probeTimeout   = time.Second     // of a look at a folder that a transcript names: it may be on a dead mount
	versionTimeout = 2 * time.Second // of claude --version: 10 ms with 2.1.329
	gitTimeout     = 5 * time.Second
)

// resumeFacts looks at all that the guard asks about, right now: a row may be minutes old.
func (d *deps) resumeFacts(ctx context.Context, row sessions.Row, ask sessions.ResumeAsk) (sessions.ResumeFacts, error) {
	conf, err := d.config()
	if err != nil {
		return sessions.ResumeFacts{}, err
	}
	mux := d.tmux()
	f := sessions.ResumeFacts{
		Row: row, In: sessions.Where(conf.ResumeIn), Tmux: mux.inside, Popup: mux.popup, Home: d.home, Now: d.now(),
	}
	if row.Kind == sessions.KindSession && !ask.New {
		_, err := os.Stat(row.Path)
		f.Missing = errors.Is(err, os.ErrNotExist)
	}
	folder := row.Workdir
	if ask.Folder != "" {
		folder = d.typedPath(ask.Folder)
	}
	var work sync.WaitGroup
	work.Go(func() { f.Clients = d.clients(ctx, &row) })
	work.Go(func() { f.Twins = d.twins(ctx, &row) })
	work.Go(func() { f.Claude = d.findClaude(ctx, conf) })
	work.Go(func() {
		if f.Folder = probeFolder(ctx, folder); f.Folder.State == sessions.FolderGone {
			f.Main, f.Tree = d.lostFolder(ctx, &row, folder)
		}
	})
	work.Wait()
	return f, ctx.Err()
}

// typedPath is a folder as a person names it: with ~, or from the current one.
func (d *deps) typedPath(path string) string {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, "~"+string(filepath.Separator)) {
		path = filepath.Join(d.home, path[1:])
	}
	return d.abs(path)
}

// clients are those that have the session open: what the registry says now, and what was just started.
func (d *deps) clients(ctx context.Context, row *sessions.Row) []sessions.Client {
	var list []sessions.Client
	if _, err := os.Stat(filepath.Join(row.Dir, "sessions")); row.Dir != "" && err == nil {
		all, _ := sessions.ReadRegistry(ctx, row.Dir, sessions.SystemProbe()) // an entry that cannot be read names nobody
		for _, l := range all {
			if l.SessionID == row.ID {
				list = append(list, sessions.Client{Live: l})
			}
		}
	} else if row.Live != nil { // what the row says stands
		list = append(list, sessions.Client{Live: *row.Live})
	} else if row.Has(sessions.FlagLive) {
		list = append(list, sessions.Client{})
	}
	for _, s := range d.startingOf(ctx, row) {
		live := sessions.Live{PID: s.PID, SessionID: s.ID, Started: s.At, Verified: true}
		list = append(list, sessions.Client{Live: live, Starting: true})
	}
	pids := make([]int, len(list))
	for i := range list {
		pids[i] = list[i].PID
	}
	if len(list) == 0 {
		return nil
	}
	panes := d.tmux().panesOf(ctx, pids)
	for i := range list {
		if p, ok := panes[list[i].PID]; ok && list[i].Verified {
			list[i].Pane, list[i].PaneName = p.ID, p.Name
		}
	}
	return list
}

// twins are the other transcripts of the id in the same config directory that have messages: the client looks for the
// id in every project.
func (d *deps) twins(ctx context.Context, row *sessions.Row) []sessions.Twin {
	if row.Kind != sessions.KindSession || row.Dir == "" {
		return nil
	}
	projects := filepath.Join(row.Dir, "projects")
	entries, err := os.ReadDir(projects)
	if err != nil {
		return nil
	}
	var list []sessions.Twin
	for _, e := range entries {
		path := filepath.Join(projects, e.Name(), row.ID+".jsonl")
		if info, err := os.Stat(path); err != nil || path == row.Path || !info.Mode().IsRegular() {
			continue
		}
		if ses := sessions.Read(ctx, path); ses.State == sessions.StateOK || ses.State == sessions.StateDamaged {
			list = append(list, sessions.Twin{Path: path, Workdir: ses.Workdir, Last: ses.Last})
		}
	}
	slices.SortFunc(list, func(a, b sessions.Twin) int { return b.Last.Compare(a.Last) })
	return list
}

// findClaude looks for the client that the config names, and asks it for its version.
func (d *deps) findClaude(ctx context.Context, conf *config) sessions.Claude {
	c := sessions.Claude{Name: conf.ClaudeCommand, Args: conf.ClaudeArgs}
	name := conf.ClaudeCommand
	if strings.HasPrefix(name, "~") || strings.ContainsRune(name, filepath.Separator) {
		name = d.typedPath(name)
	}
	path, err := exec.LookPath(name)
	if err != nil {
		return c
	}
	if path, err = filepath.Abs(path); err != nil {
		return c
	}
	c.Path, c.Version = path, d.claudeVersion(ctx, path)
	return c
}

// claudeVersion is what claude --version prints, "2.1.329 (Claude Code)", up to the blank; "" when it prints
// something else.
func (d *deps) claudeVersion(ctx context.Context, path string) string {
	ctx, cancel := context.WithTimeout(ctx, versionTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Env, cmd.WaitDelay = d.environ, versionTimeout
	out, err := cmd.Output()
	if err != nil {
		return ""
	}
	return regexp.MustCompile(`^\d+\.\d+\.\d+[-.0-9A-Za-z]*`).FindString(string(out))
}

// probeFolder looks at a folder for at most probeTimeout.
func probeFolder(ctx context.Context, path string) sessions.Folder {
	f := sessions.Folder{Path: path, Real: path}
	switch {
	case path == "":
		return f
	case !filepath.IsAbs(path):
		f.State = sessions.FolderRelative
		return f
	}
	found := make(chan sessions.Folder, 1)
	go func() {
		if bug := sessions.Catch(func() { found <- lookAtFolder(f) }); bug != nil {
			f.State = sessions.FolderSilent
			found <- f
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	select {
	case f = <-found:
	case <-ctx.Done():
		f.State = sessions.FolderSilent
	}
	return f
}

func lookAtFolder(f sessions.Folder) sessions.Folder {
	info, err := os.Stat(f.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		f.State = sessions.FolderGone
	case errors.Is(err, os.ErrPermission):
		f.State = sessions.FolderDenied
	case errors.Is(err, syscall.ENOTDIR):
		f.State = sessions.FolderFile
	case err != nil:
		f.State = sessions.FolderSilent
	case !info.IsDir():
		f.State = sessions.FolderFile
	default:
		f.State = sessions.FolderThere
		if real, err := filepath.EvalSymlinks(f.Path); err == nil {
			f.Real = real
		}
	}
	return f
}

// lostFolder is what is left of the project of a folder that is gone, and what git could do about it.
func (d *deps) lostFolder(ctx context.Context, row *sessions.Row, folder string) (main string, tree sessions.Tree) {
	place := sessions.Places{Home: d.home}.Group(ctx, []string{folder})[folder]
	if place.Project == "" || place.Project == folder || probeFolder(ctx, place.Project).State != sessions.FolderThere {
		return "", tree
	}
	main = place.Project
	tree.Removed = place.Worktree
	if !place.Worktree || row.Branch == "" || row.Branch == "HEAD" || strings.HasPrefix(row.Branch, "-") {
		return main, tree
	}
	if _, err := d.git(ctx, main, "rev-parse", "--verify", "--quiet", "refs/heads/"+row.Branch); err != nil {
		return main, tree
	}
	list, err := d.git(ctx, main, "worktree", "list", "--porcelain", "-z")
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

// git runs a command of git that only looks.
func (d *deps) git(ctx context.Context, dir string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, "git", append([]string{"-C", dir}, args...)...)
	cmd.Env, cmd.WaitDelay = append(d.environ[:len(d.environ):len(d.environ)], "GIT_OPTIONAL_LOCKS=0"), gitTimeout
	out, err := cmd.Output()
	return string(out), err
}
