package setup

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
)

// unplanMemory sets p.Kept. With s.Purge, it plans to remove all other files of the memory.
func (s Options) unplanMemory(ctx context.Context, p *Plan, dir string) error {
	found, err := backup.Find(ctx, s.Project, nil)
	if err != nil {
		return err
	}
	p.Kept = Kept{Path: filepath.Join(dir, "memory"), Documents: len(found.Documents)}
	p.Kept.count(&found)
	if s.Purge {
		if sessions.MayExist(p.Kept.Path, os.Lstat) {
			lock, err := s.lookFile(filepath.Join(p.Kept.Path, lockName), ScopeProject)
			if err != nil {
				return err
			}
			lock.Gone, lock.purged, p.lock = true, true, &lock
		}
		if err := s.purgeMemory(ctx, p, &found); err != nil {
			return err
		}
	}
	s.nameRest(p)
	return nil
}

// count sets Backups and Pending.
func (k *Kept) count(found *backup.Found) {
	k.Backups, k.Pending = len(found.Backups), 0
	for i := range found.Backups {
		if found.Backups[i].Pending {
			k.Pending++
		}
	}
}

// purgeMemory plans to remove files that only continuo writes: stale markers, initial documents, logs.
func (s Options) purgeMemory(ctx context.Context, p *Plan, found *backup.Found) error {
	for _, m := range found.Markers {
		if m.State == backup.MarkerStale || m.State == backup.MarkerEmpty {
			if err := s.purge(p, m.Path, nil); err != nil {
				return err
			}
		}
	}
	for _, f := range projectFiles("") {
		name, ok := strings.CutPrefix(f.name, "memory/")
		if !ok || strings.HasSuffix(name, ".gitignore") {
			continue
		}
		if err := s.purge(p, filepath.Join(p.Kept.Path, name), func(text []byte) []byte {
			if sameText(withoutHookLines(text), f.text) {
				return nil
			}
			return text
		}); err != nil {
			return err
		}
	}
	return s.purgeTraces(ctx, p)
}

// purge plans to remove a file of the memory. rest, if not nil, returns the text to keep. The file stays unless this
// text is empty.
func (s Options) purge(p *Plan, path string, rest func([]byte) []byte) error {
	if _, err := os.Lstat(path); err != nil {
		return nil
	}
	c, err := s.lookFile(path, ScopeProject)
	if err != nil || !c.There {
		return err
	}
	if rest != nil {
		c.After = rest(c.Before)
	}
	c.purged = true
	if c.Gone = len(c.After) == 0; c.Gone && strings.HasSuffix(path, ".md") {
		p.Kept.Documents--
	}
	return p.add(c)
}

// purgeTraces plans to remove files that only hooks use. With copies of transcripts, the .gitignore files and the
// sums stay.
func (s Options) purgeTraces(ctx context.Context, p *Plan) error {
	memory := p.Kept.Path
	copies, err := backup.HasCopies(ctx, s.Project)
	if err != nil {
		return err
	}
	names := map[string]string{".backup-log": "", ".staged-recovery": ""} // name → continuo's text in the file; "" for the whole file
	if !copies {
		maps.Copy(names, map[string]string{
			"raw/.sums": "", ".gitignore": ignoreText, "raw/.gitignore": "*\n", "trash/.gitignore": "*\n",
		})
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		rest := func(text []byte) []byte {
			if ours := []byte(names[name]); bytes.Contains(text, ours) || name != ".gitignore" {
				return bytes.Replace(text, ours, nil, 1)
			}
			return bytes.Replace(text, []byte(ignoreBefore), nil, 1)
		}
		if names[name] == "" {
			rest = nil
		}
		if err := s.purge(p, filepath.Join(memory, filepath.FromSlash(name)), rest); err != nil {
			return err
		}
	}
	return nil
}

// lockName is the name of the lock file of a memory.
const lockName = ".lock"

// Guard restores the .gitignore files if a hook made a backup during a purge. Hooks can do this without the lock.
func (p *Plan) Guard(ctx context.Context) error {
	if p.lock == nil {
		return nil
	}
	copies, err := backup.HasCopies(ctx, p.Project)
	if err != nil || !copies {
		return err
	}
	m, err := backup.OpenMemory(p.Project)
	if err == nil {
		err = errors.Join(m.Guard(), m.Close())
	}
	if err != nil {
		return fmt.Errorf("a backup was made meanwhile: %w", err)
	}
	return nil
}

// nameRest adds the remaining files of the memory to Stays, or to Lost if they are deleted for good.
func (s Options) nameRest(p *Plan) {
	written := map[string][]byte{} // path → text that an installation writes
	for _, f := range projectFiles("") {
		written[filepath.Join(s.Project, ".claude", filepath.FromSlash(f.name))] = f.text
	}
	touched := map[string]bool{}
	for i := range p.Changes {
		c := &p.Changes[i]
		touched[c.Path] = true
		if c.Gone && inside(c.Path, p.Kept.Path) && len(c.Before) > 0 && !sameText(c.Before, written[c.Path]) {
			p.Lost = append(p.Lost, c.Path)
		}
	}
	const git = "keeps conversation backups out of git"
	for _, f := range []struct{ name, why string }{
		{".gitignore", git},
		{"raw/.gitignore", git},
		{"trash/.gitignore", git},
		{"raw/.sums", "SHA-256 checksums of all backups"},
		{".backup-log", "log of backups"},
		{".staged-recovery", "a recovery that the next session start prints once; continuo recover --unstage removes it"},
		{"trash", "discarded backups; continuo backup undo restores them"},
	} {
		path := s.inMemory(f.name)
		if !sessions.MayExist(path, os.Lstat) || touched[path] {
			continue
		}
		switch {
		case f.why == git:
			text, _, err := readWhole(path)
			if err != nil || !bytes.Contains(text, []byte(ignoreTitle)) && !bytes.Equal(text, []byte("*\n")) {
				continue // from another program
			}
		case f.name == "trash":
			entries, err := os.ReadDir(path)
			if err == nil && !slices.ContainsFunc(entries, func(e os.DirEntry) bool { return e.Name() != ".gitignore" }) {
				continue
			}
		}
		p.Stays = append(p.Stays, Stay{path, f.why})
	}
}

// withoutHookLines removes the notes of hooks (spec 000) from an active-context.md.
func withoutHookLines(text []byte) []byte {
	var rest []byte
	inSection := false
	for line := range bytes.Lines(text) {
		text := strings.TrimSpace(string(line))
		switch {
		case text == "## Session Exit", text == "## Compaction":
			inSection = true
			continue
		case strings.HasPrefix(text, "#"):
			inSection = false
		case inSection && (text == "" || strings.HasPrefix(text, "- Last exit:") || strings.HasPrefix(text, "- Last compaction:") ||
			strings.HasPrefix(text, "- Transcript backup:")):
			continue
		}
		rest = append(rest, line...)
	}
	return append(bytes.TrimRight(rest, blanks), '\n')
}
