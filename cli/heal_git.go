package cli

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/transcript"
)

const (
	keptFiles = 200      // that are brought back from git at most: each is a run of git
	keptBytes = 64 << 20 // of all of them
	keptSaid  = 8        // files that are not brought back and named one by one
)

// gitKeeper asks git what it keeps of a ledger. It only reads: nothing of the worktree or the index is changed, and no
// filter is run, so what comes back are the bytes of the commit.
type gitKeeper struct {
	d       *deps
	project *ledger.Project
	files   int // that may still be read
	bytes   int64
}

// keptEntry is a file that git knows.
type keptEntry struct {
	mode, object string
	path         string // absolute
}

// missing says why git cannot be asked, "" where it can.
func (k *gitKeeper) missing(ctx context.Context) string {
	out, err := k.d.git(ctx, k.project.Root, "rev-parse", "--is-inside-work-tree")
	switch {
	case err == nil && strings.TrimSpace(out) == "true":
		return ""
	case err == nil:
		return "this is no worktree of git"
	case errors.Is(err, exec.ErrNotFound):
		return "git is not installed"
	}
	return "git says: " + gitSaid(err)
}

// gitSaid is the first line of what git said about a failure.
func gitSaid(err error) string {
	exit, ok := errors.AsType[*exec.ExitError](err)
	if !ok {
		return reason(err)
	}
	first, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
	first, _, _ = strings.Cut(first, " (or any of") // of no repository
	if first = transcript.CleanLine(strings.TrimPrefix(first, "fatal: ")); first == "" {
		return "nothing"
	}
	return strings.TrimSuffix(first, ".")
}

// ask notes what git keeps of a part that is missing or empty: of its last commit, else of its index. Of NOTES.md that is
// missing every place is asked at which it would be looked for.
func (k *gitKeeper) ask(ctx context.Context, f *heal.Fact) {
	places := []string{f.Path}
	if f.Part == heal.Notes && f.State == heal.Missing {
		places = k.project.NotesPlaces()
	}
	var asked []string
	for _, path := range places {
		if slices.Contains(asked, path) {
			continue
		}
		asked = append(asked, path)
		for _, from := range []heal.Source{heal.Head, heal.Staged} {
			list, err := k.list(ctx, from, path)
			if err != nil {
				f.Left = append(f.Left, "git could not tell what it has: "+gitSaid(err)+".")
			}
			if len(list) > 0 {
				k.take(ctx, f, from, list)
				break
			}
		}
		if f.Part == heal.Notes && slices.ContainsFunc(f.Kept, func(kept heal.File) bool { return !isBlank(kept.Text) }) {
			return
		}
	}
}

// list is what git has at or below a path, links and submodules too. What does not exist in a commit is nothing.
func (k *gitKeeper) list(ctx context.Context, from heal.Source, path string) ([]keptEntry, error) {
	rel, err := filepath.Rel(k.project.Root, path)
	if err != nil {
		return nil, err
	}
	rel = "./" + filepath.ToSlash(rel) // no name is taken for a flag
	args := []string{"--literal-pathspecs", "ls-files", "-s", "-z", "--", rel}
	if from == heal.Head {
		if _, err := k.d.git(ctx, k.project.Root, "rev-parse", "--verify", "-q", "HEAD^{commit}"); err != nil {
			return nil, nil //nolint:nilerr // there is no commit yet
		}
		args = []string{"--literal-pathspecs", "ls-tree", "-r", "-z", "HEAD", "--", rel}
	}
	out, err := k.d.git(ctx, k.project.Root, args...)
	if err != nil {
		return nil, err
	}
	var list []keptEntry
	for line := range strings.SplitSeq(out, "\x00") {
		about, name, ok := strings.Cut(line, "\t")
		words := strings.Fields(about) // of a tree: mode, type, object; of the index: mode, object, stage
		if !ok || len(words) < 3 {
			continue
		}
		e := keptEntry{mode: words[0], object: words[2], path: filepath.Join(k.project.Root, filepath.FromSlash(name))}
		if from == heal.Staged {
			e.object = words[1]
			if words[2] != "0" { // a merge that is not over
				continue
			}
		}
		list = append(list, e)
	}
	return list, nil
}

// take reads the files, and says which it leaves to git.
func (k *gitKeeper) take(ctx context.Context, f *heal.Fact, from heal.Source, list []keptEntry) {
	left := 0
	leave := func(e *keptEntry, why string) {
		if left++; left <= keptSaid {
			name := e.path
			if rel, err := filepath.Rel(k.project.Root, name); err == nil {
				name = filepath.ToSlash(rel)
			}
			f.Left = append(f.Left, transcript.CleanLine(name)+" "+why+".")
		}
	}
	for i := range list {
		e := &list[i]
		switch size, err := k.size(ctx, e); {
		case e.mode == "120000":
			leave(e, "is a link, and is left to git")
		case !strings.HasPrefix(e.mode, "100"):
			leave(e, "is no file, and is left to git")
		case k.project.Unfit(e.path) != nil:
			leave(e, "is at a place where nothing of a ledger may be")
		case err != nil:
			leave(e, "could not be read from git: "+gitSaid(err))
		case size > ledger.MaxNotes:
			leave(e, "is longer than continuo reads, and is left to git")
		case k.files == 0 || size > k.bytes:
			leave(e, "is one too many, and is left to git")
		default:
			text, err := k.d.git(ctx, k.project.Root, "cat-file", "blob", e.object)
			if err != nil {
				leave(e, "could not be read from git: "+gitSaid(err))
				continue
			}
			if !utf8.ValidString(text) || strings.ContainsRune(text, 0) {
				leave(e, "is no text, and is left to git")
				continue
			}
			k.files, k.bytes = k.files-1, k.bytes-int64(len(text))
			f.Kept = append(f.Kept, heal.File{Path: e.path, Text: []byte(text), From: from})
		}
	}
	if more := left - keptSaid; more > 0 {
		f.Left = append(f.Left, count(more, "more file")+" of it are left to git.")
	}
}

// size is how long a file is that git has, in bytes.
func (k *gitKeeper) size(ctx context.Context, e *keptEntry) (int64, error) {
	if k.files == 0 || !strings.HasPrefix(e.mode, "100") {
		return 0, nil
	}
	out, err := k.d.git(ctx, k.project.Root, "cat-file", "-s", e.object)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(out), 10, 64)
}
