package entries

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/ledger"
	"github.com/continuo-tui/continuo/ledger/heal"
	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/transcript"
)

// The limits for restoring files from git.
const (
	keptFiles = 200      // files; git runs once for each
	keptBytes = 64 << 20 // bytes of all files together
	keptSaid  = 8        // names of files that only git can restore
)

// gitKeeper finds the files of a ledger in git. It changes nothing and runs no filters, so the bytes are those
// of the commit.
type gitKeeper struct {
	env     *place.Env
	project *ledger.Project
	files   int // how many more files may be read
	bytes   int64
}

// keptEntry is a file that git has.
type keptEntry struct {
	mode, object string
	name         string // path in git, relative to the root
	path         string // absolute path; "" if git refuses the name
	unmerged     bool   // the file is in an unfinished merge
}

// newKeptEntry checks the name of a file. A malicious name can lead out of the folder or into .git. git refuses
// such names, too.
func newKeptEntry(root, asked, name string) keptEntry {
	e := keptEntry{name: name}
	if !utf8.ValidString(name) || transcript.Clean(name) != name || strings.ContainsFunc(name, unicode.IsControl) || strings.Contains(name, `\`) {
		return e
	}
	for part := range strings.SplitSeq(name, "/") {
		// Some file systems drop these characters, and others ignore format characters.
		kept := strings.TrimRight(part, ". ")
		bare, _, _ := strings.Cut(strings.ToLower(kept), ":")
		bare = strings.Map(func(r rune) rune {
			if unicode.Is(unicode.Cf, r) {
				return -1
			}
			return r
		}, bare)
		if bare = strings.TrimRight(bare, ". "); kept == "" || kept != part || bare == ".git" || bare == "git~1" {
			return e
		}
	}
	if path := filepath.Join(root, filepath.FromSlash(name)); place.Within(path, asked) {
		e.path = path
	}
	return e
}

// missing says why git can't be used, or "".
func (k *gitKeeper) missing(ctx context.Context) string {
	out, err := k.env.Host.Git(ctx, k.project.Root, "rev-parse", "--is-inside-work-tree")
	switch {
	case err == nil && strings.TrimSpace(out) == "true":
		return ""
	case err == nil:
		return "this isn't a git worktree"
	case errors.Is(err, host.ErrNoProgram):
		return "git is not installed"
	}
	return "git says: " + place.GitSaid(err)
}

// mute reports whether the project is in a repository, after git has failed.
func (k *gitKeeper) mute() bool {
	for dir := k.project.Root; ; dir = filepath.Dir(dir) {
		if sessions.GitHead(dir) != "" {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}

// ask looks for a missing or empty part in the last commit and then in the index. It tries all paths of
// NOTES.md.
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
				f.Left = append(f.Left, "git could not list its files: "+place.GitSaid(err)+".")
				k.hold(f, from, path)
			}
			if len(list) > 0 {
				f.Named = append([]string{gitHas(f.Part, from, len(list))}, f.Named...)
				k.take(ctx, f, from, path, list)
				break
			}
		}
		if f.Part == heal.Notes && (f.Held != "" || slices.ContainsFunc(f.Kept, func(kept heal.File) bool { return !isBlank(kept.Text) })) {
			return
		}
	}
}

// gitHas describes a part's files in git.
func gitHas(part heal.Part, from heal.Source, files int) string {
	where := map[heal.Source]string{heal.Head: "HEAD", heal.Staged: "the index"}[from]
	if part == heal.Notes {
		return "git has it in " + where
	}
	return "git has " + out.Count(files, "file") + " of it in " + where
}

// hold sets the git command for files that continuo doesn't restore.
func (k *gitKeeper) hold(f *heal.Fact, from heal.Source, path string) {
	rel, err := filepath.Rel(k.project.Root, path)
	if err != nil || f.Held != "" {
		return
	}
	words := []string{"git", "-C", k.project.Root, "checkout", string(heal.Head), "--", filepath.ToSlash(rel)}
	if from == heal.Staged {
		words = slices.Delete(words, 4, 5)
	}
	f.Held = place.ShellLine(words)
}

// list returns git's entries at or below a path, with links and submodules. It returns none if the path is
// missing.
func (k *gitKeeper) list(ctx context.Context, from heal.Source, path string) ([]keptEntry, error) {
	rel, err := filepath.Rel(k.project.Root, path)
	if err != nil {
		return nil, err
	}
	rel = "./" + filepath.ToSlash(rel) // else the name could be a flag
	args := []string{"--literal-pathspecs", "ls-files", "-s", "-z", "--", rel}
	if from == heal.Head {
		_, err := k.env.Host.Git(ctx, k.project.Root, "rev-parse", "--verify", "-q", "HEAD")
		if exit, ok := errors.AsType[*host.ExitError](err); ok && exit.ExitCode() == 1 {
			return nil, nil // no commit yet
		}
		if err != nil {
			return nil, err
		}
		args = []string{"--literal-pathspecs", "ls-tree", "-r", "-z", "HEAD", "--", rel}
	}
	out, err := k.env.Host.Git(ctx, k.project.Root, args...)
	if err != nil {
		return nil, err
	}
	var list []keptEntry
	for line := range strings.SplitSeq(out, "\x00") {
		about, name, ok := strings.Cut(line, "\t")
		words := strings.Fields(about) // tree: mode, type, object; index: mode, object, stage
		if !ok || len(words) < 3 {
			continue
		}
		e := newKeptEntry(k.project.Root, path, name)
		e.mode, e.object = words[0], words[2]
		if from == heal.Staged {
			e.object, e.unmerged = words[1], words[2] != "0"
			// Both sides of a merge are one entry.
			if n := len(list); e.unmerged && n > 0 && list[n-1].name == name {
				continue
			}
		}
		list = append(list, e)
	}
	return list, nil
}

// take reads files from git into f.Kept. f.Left describes those that it can't restore.
func (k *gitKeeper) take(ctx context.Context, f *heal.Fact, from heal.Source, path string, list []keptEntry) {
	left := 0
	refuse := func(e *keptEntry, why string) {
		if left++; left <= keptSaid {
			f.Left = append(f.Left, transcript.CleanLine(e.name)+" "+why+".")
		}
	}
	leave := func(e *keptEntry, why string) {
		refuse(e, why)
		k.hold(f, from, path)
	}
	for i := range list {
		e := &list[i]
		size, err := k.size(ctx, f, e)
		switch {
		case e.path == "":
			refuse(e, "has a name that git doesn't allow")
		case k.project.Unfit(e.path) != nil:
			refuse(e, "is outside of the ledger's folders")
		case e.mode == "120000":
			leave(e, "is a link; restore it with git")
		case !strings.HasPrefix(e.mode, "100"):
			leave(e, "isn't a regular file; restore it with git")
		case f.Part == heal.Notes && e.path != path:
			leave(e, "is in a folder that has the name of the file; restore it with git")
		case e.unmerged:
			leave(e, "is in an unfinished merge; restore it with git")
		case err != nil:
			leave(e, "could not be read from git: "+place.GitSaid(err))
		case size > ledger.MaxNotes:
			leave(e, "exceeds the size limit; restore it with git")
		case k.spent(f) || f.Part != heal.Notes && size > k.bytes:
			leave(e, "exceeds the file limit; restore it with git")
		default:
			text, why := k.text(ctx, e)
			if why != "" {
				leave(e, why)
				continue
			}
			if f.Part != heal.Notes {
				k.files, k.bytes = k.files-1, k.bytes-int64(len(text))
			}
			f.Kept = append(f.Kept, heal.File{Path: e.path, Text: []byte(text), From: from})
		}
	}
	if more := left - keptSaid; more > 0 {
		f.Left = append(f.Left, out.Count(more, "more file")+" can be restored only with git.")
	}
}

// text returns the content of an entry, or why it can't be read.
func (k *gitKeeper) text(ctx context.Context, e *keptEntry) (text, why string) {
	text, err := k.env.Host.Git(ctx, k.project.Root, "cat-file", "blob", e.object)
	switch {
	case err != nil:
		return "", "could not be read from git: " + place.GitSaid(err)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "", "isn't text; restore it with git"
	}
	return text, ""
}

// spent reports whether no more files may be read, except NOTES.md, which is last.
func (k *gitKeeper) spent(f *heal.Fact) bool { return k.files == 0 && f.Part != heal.Notes }

// size returns the length of an entry in bytes.
func (k *gitKeeper) size(ctx context.Context, f *heal.Fact, e *keptEntry) (int64, error) {
	if k.spent(f) || e.path == "" || !strings.HasPrefix(e.mode, "100") {
		return 0, nil
	}
	out, err := k.env.Host.Git(ctx, k.project.Root, "cat-file", "-s", e.object)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(out), 10, 64)
}
