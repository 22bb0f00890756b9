package demo

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// copied describes a backup to write.
type copied struct {
	of     Shape  // shape of the session
	reason string // reason in the file name
	lines  int    // for a backup before a compaction: number of lines to copy; 0 copies all
}

// backups writes the files of the spec 000 hooks: copies, logs, .gitignore files, and a marker.
func (w *writer) backups() error {
	logs := map[string]string{} // by project
	for _, c := range []copied{
		{ShapeCompacted, "compact", 166},
		{ShapeHiddenBranch, "prompt_input_exit", 0},
		{ShapeInterrupted, "clear", 0},
		{ShapeEscape, "compact", 10}, // the user canceled the compaction
		{"", "prompt_input_exit", 0}, // the transcript was deleted, so this backup is the only copy
		{ShapeCustomTitle, "prompt_input_exit", 0},
	} {
		project, text, err := w.source(c.of)
		if err != nil {
			return err
		}
		after := 2 * time.Second // time between the last copied record and the backup
		if c.lines > 0 {
			text, after = firstLines(text, c.lines), time.Second
		}
		made := slices.MaxFunc(stampsOf(text), time.Time.Compare).Add(after)
		path := filepath.Join(memoryOf(project), "raw", made.Format("20060102_150405Z_")+c.reason+".jsonl")
		if err := w.file(path, text, made); err != nil {
			return err
		}
		w.stats.Backups++
		event := "SessionEnd (" + c.reason + ")"
		if c.lines > 0 {
			event = "PreCompact (auto)"
		}
		logs[project] += fmt.Sprintf("[%s] %s: Saved backup to %s\n", made.Format(time.RFC3339), event, path)
		if c.of == ShapeCustomTitle {
			if err := w.file(filepath.Join(memoryOf(project), ".pending-backup"), []byte(path+"\n"), made); err != nil {
				return err
			}
		}
	}
	for project, log := range logs {
		err := errors.Join(
			w.file(filepath.Join(memoryOf(project), ".backup-log"), []byte(log), w.Now),
			w.file(filepath.Join(memoryOf(project), ".gitignore"), []byte("raw/\n.pending-backup*\n.backup-log\n"), w.Now))
		if err != nil {
			return err
		}
	}
	return nil
}

// source returns the transcript of the session with a shape, and its project. The empty shape is the deleted session.
func (w *writer) source(shape Shape) (project string, text []byte, err error) {
	if shape == "" {
		text, _, err = w.shifted("data/gone.jsonl", ".claude/gone.jsonl")
		return w.workdir("teahouse"), text, err
	}
	i := slices.IndexFunc(w.stats.List, func(s Session) bool { return slices.Contains(s.Shapes, shape) })
	if text, err = os.ReadFile(w.stats.List[i].Path); err != nil {
		return "", nil, fmt.Errorf("demo backup: %w", err)
	}
	return w.stats.List[i].Workdir, text, nil
}

// firstLines returns the first n lines of a text.
func firstLines(text []byte, n int) []byte {
	end := 0
	for ; n > 0; n-- {
		end += bytes.IndexByte(text[end:], '\n') + 1
	}
	return text[:end]
}

func memoryOf(project string) string { return filepath.Join(project, ".claude", "memory") }
