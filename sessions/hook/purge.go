package hook

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions/backup"
)

// unplanMemory says what stays in the memory, and with Purge plans what does not.
func (s Setup) unplanMemory(ctx context.Context, p *Plan, dir string) error {
	found, err := backup.Find(ctx, s.Project, nil)
	if err != nil {
		return err
	}
	p.Kept = Kept{Path: filepath.Join(dir, "memory"), Backups: len(found.Backups), Documents: len(found.Documents)}
	for i := range found.Backups {
		if found.Backups[i].Pending {
			p.Kept.Pending++
		}
	}
	if !s.Purge {
		return nil
	}
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
	return s.purgeTraces(p, len(found.Backups)+len(found.Problems) > 0)
}

// purge plans the removal of one file of the memory, or of what rest leaves out of it.
func (s Setup) purge(p *Plan, path string, rest func([]byte) []byte) error {
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
	if c.Gone = len(c.After) == 0; c.Gone && strings.HasSuffix(path, ".md") {
		p.Kept.Documents--
	}
	return p.add(c)
}

// purgeTraces plans the files that only the work of the hooks needs. What keeps git away from copies stays as long as
// there may be any.
func (s Setup) purgeTraces(p *Plan, copies bool) error {
	memory := p.Kept.Path
	for _, dir := range []string{"raw", "trash", filepath.Join("sessions", "raw")} {
		entries, err := os.ReadDir(filepath.Join(memory, dir))
		copies = copies || err != nil && !errors.Is(err, fs.ErrNotExist) || slices.ContainsFunc(entries, func(e os.DirEntry) bool {
			return e.Name() != ".gitignore" && e.Name() != ".sums"
		})
	}
	names := map[string]string{".backup-log": "", ".lock": ""} // to what is ours in it, "" all of it
	if !copies {
		maps.Copy(names, map[string]string{
			"raw/.sums": "", ".gitignore": ignoreText, "raw/.gitignore": "*\n", "trash/.gitignore": "*\n",
		})
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		rest := func(text []byte) []byte { return bytes.Replace(text, []byte(names[name]), nil, 1) }
		if names[name] == "" {
			rest = nil
		}
		if err := s.purge(p, filepath.Join(memory, filepath.FromSlash(name)), rest); err != nil {
			return err
		}
	}
	return nil
}

// withoutHookLines is an active context without what the hooks write into it (spec 000).
func withoutHookLines(text []byte) []byte {
	var rest []byte
	inSection := false
	for line := range bytes.Lines(text) {
		said := strings.TrimSpace(string(line))
		switch {
		case said == "## Session Exit", said == "## Compaction":
			inSection = true
			continue
		case strings.HasPrefix(said, "#"):
			inSection = false
		case inSection && (said == "" || strings.HasPrefix(said, "- Last exit:") || strings.HasPrefix(said, "- Last compaction:") ||
			strings.HasPrefix(said, "- Transcript backup:")):
			continue
		}
		rest = append(rest, line...)
	}
	return append(bytes.TrimRight(rest, blanks), '\n')
}
