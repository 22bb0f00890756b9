package survey

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// git sets the state of the repository from `git status`. If git doesn't respond, only the branch is known, from the
// .git directory.
func (l *Look) git(ctx context.Context, p *Project) {
	type entry struct {
		there  bool
		branch string
		trees  []string
	}
	e, _ := sessions.InTime(ctx, pageLimit, func(context.Context) entry {
		if !sessions.Exists(p.Dir + "/.git") {
			return entry{}
		}
		return entry{true, sessions.Branch(p.Dir), sessions.Worktrees(sessions.Disk(), p.Dir)}
	})
	if !e.there {
		return
	}
	there := sessions.AskAll(ctx, time.Now().Add(folderLimit), slices.DeleteFunc(e.trees, func(dir string) bool { return !sessions.IsPlainPath(dir) }),
		func(_ context.Context, dir string) bool { return sessions.Exists(dir) })
	for _, is := range there {
		if is {
			p.Trees++
		}
	}
	p.Git = &Repo{Branch: transcript.CleanLine(e.branch)}
	limited, cancel := context.WithTimeout(ctx, gitLimit)
	defer cancel()
	out, err := l.Git(limited, p.Dir, "--porcelain=v2", "--branch", "-z")
	if err == nil {
		gitStatus(p.Git, out)
	}
}

// gitStatus parses the output of `git status --porcelain=v2 --branch -z`.
func gitStatus(g *Repo, out string) {
	g.Known = true
	from := false // the next entry is the old path of a renamed file
	for entry := range strings.SplitSeq(out, "\x00") {
		if from {
			from = false
			continue
		}
		kind, rest, _ := strings.Cut(entry, " ")
		switch kind {
		case "#":
			name, value, _ := strings.Cut(rest, " ")
			switch name {
			case "branch.head":
				if value != "(detached)" {
					g.Branch = transcript.CleanLine(value)
				}
			case "branch.ab":
				ahead, behind, _ := strings.Cut(value, " ")
				g.Ahead, _ = strconv.Atoi(strings.TrimPrefix(ahead, "+"))
				g.Behind, _ = strconv.Atoi(strings.TrimPrefix(behind, "-"))
			}
		case "1", "u", "?":
			g.Changed++
		case "2":
			g.Changed++
			from = true
		}
	}
}
