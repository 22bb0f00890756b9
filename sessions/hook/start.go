package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/continuo-tui/continuo/sessions"
	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/transcript"
)

// The output of SessionStart (spec 000). The form for several backups is that of the hooks since 2026-01-15.
const (
	sayOne  = "SESSION_BACKUP_PENDING: A previous session backup exists at %s\n"
	sayEach = "SESSION_BACKUP_PENDING (%s): Backup exists at %s\n"
	sayNext = "User should run /resume-latest to restore context, or /discard-backup to discard.\n"
	// sayStaged is continuo's own line before the staged text. It says that the text comes from the notes of the
	// project.
	sayStaged = "STAGED_RECOVERY: Below is what the user staged at %s for this session, from the project's ledger (about %d tokens); it is not shown again.\n"
)

const (
	// maxTold is how many pending backups are listed at the start. Each line costs some 40 tokens of context.
	maxTold = 10
	// maxSaid is the length at which Claude Code (2.1.330) cuts the output of a hook, in characters of JavaScript.
	maxSaid = 10_000
)

// start lists the pending backups and removes the meaningless markers. The others stay for /resume-latest and
// /discard-backup. Then it prints the staged recovery, once.
func start(ctx context.Context, m *backup.Memory, now time.Time) (out string, err error) {
	markers, err := m.Pending(ctx)
	errs := []error{err}
	if slices.ContainsFunc(markers, isSpent) {
		_, err := m.CleanMarkers(ctx)
		errs = append(errs, err)
	}
	var pending []backup.Marker
	for _, marker := range markers {
		switch {
		case marker.State == backup.MarkerOutside:
			errs = append(errs, fmt.Errorf("marker %s: does not point to a raw backup of this project", marker.Path))
		case marker.State == backup.MarkerValid && !slices.ContainsFunc(pending, func(p backup.Marker) bool { return sessions.SameFile(p.Target, marker.Target) }):
			pending = append(pending, marker)
		}
	}
	// Those of the spec first: they name the newest backup; older ones have numbers.
	slices.SortStableFunc(pending, func(a, b backup.Marker) int { return cmp.Compare(min(a.N, 1), min(b.N, 1)) })
	staged := ""
	s, ok, err := m.TakeStaged(ctx, now) // last, because it must be printed once taken
	if ok {
		staged = stagedText(s)
	}
	return inOrder(startText(pending, maxSaid-backup.StagedLen(staged)), staged), errors.Join(append(errs, err)...)
}

// inOrder has the backups first, unless a long path makes the client cut the end: they are told of again, and a recovery
// is not.
func inOrder(backups, staged string) string {
	if backup.StagedLen(backups)+backup.StagedLen(staged) > maxSaid {
		return staged + backups
	}
	return backups + staged
}

// runesPerToken is used to estimate tokens (spec 002).
const runesPerToken = 4

func stagedText(s backup.Staged) string {
	tokens := (utf8.RuneCountInString(s.Text) + runesPerToken - 1) / runesPerToken
	return fmt.Sprintf(sayStaged, s.At.Format(time.RFC3339), tokens) + s.Text
}

// isSpent reports whether a marker means nothing any more.
func isSpent(m backup.Marker) bool {
	return m.State == backup.MarkerStale || m.State == backup.MarkerEmpty
}

// startText lists pending backups: always the first, and others while there is room. The next start lists the others
// again, but never a staged recovery.
func startText(pending []backup.Marker, room int) string {
	switch len(pending) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(sayOne, oneLine(pending[0].Target)) + sayNext
	}
	var b strings.Builder
	room -= len(sayNext)
	for i, m := range pending[:min(len(pending), maxTold)] {
		line := fmt.Sprintf(sayEach, kindOf(m), oneLine(m.Target))
		if room -= backup.StagedLen(line); room < 0 && i > 0 {
			break
		}
		b.WriteString(line)
	}
	return b.String() + sayNext
}

// oneLine cleans a path and keeps the blanks in it.
func oneLine(path string) string { return strings.ReplaceAll(transcript.Clean(path), "\n", " ") }

// kindOf returns the hook that made a backup. If the marker has the name of the spec, the backup's name decides:
// PreCompact has the reason "compact", and had no reason at first.
func kindOf(m backup.Marker) backup.MarkerKind {
	if m.Kind != backup.MarkerLegacy {
		return m.Kind
	}
	parts := regexp.MustCompile(`^\d{8}_\d{6}Z?(_.*)?\.jsonl$`).FindStringSubmatch(filepath.Base(m.Target))
	switch {
	case parts == nil:
		return m.Kind
	case parts[1] == "", regexp.MustCompile(`^_compact(-\d+)?$`).MatchString(parts[1]):
		return backup.MarkerCompact
	}
	return backup.MarkerExit
}
