package hook

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/continuo-tui/continuo/sessions/backup"
	"github.com/continuo-tui/continuo/transcript"
)

// What SessionStart says (spec 000). The form for several is that of the hooks of 2026-01-15 and later.
const (
	sayOne  = "SESSION_BACKUP_PENDING: A previous session backup exists at %s\n"
	sayEach = "SESSION_BACKUP_PENDING (%s): Backup exists at %s\n"
	sayNext = "User should run /resume-latest to restore context, or /discard-backup to discard.\n"
)

// maxTold is how many pending backups a session is told of. Each line costs the context of the model some 40 tokens, and
// the client (2.1.329) cuts what a hook says at about 10,000 characters.
const maxTold = 10

// start names the backups that are pending and removes the markers that mean nothing any more. Those that mean
// something stay: it is for /resume-latest and /discard-backup to deal with them.
func start(ctx context.Context, m *backup.Memory) (out string, err error) {
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
			errs = append(errs, fmt.Errorf("marker %s: it names what is no raw backup of this project", marker.Path))
		case marker.State == backup.MarkerValid && !slices.ContainsFunc(pending, func(p backup.Marker) bool { return sameFile(p.Target, marker.Target) }):
			pending = append(pending, marker)
		}
	}
	// Those of the spec first: they name the newest, and what was there before has a number.
	slices.SortStableFunc(pending, func(a, b backup.Marker) int { return cmp.Compare(min(a.N, 1), min(b.N, 1)) })
	return startText(pending), errors.Join(errs...)
}

// isSpent reports whether a marker means nothing any more.
func isSpent(m backup.Marker) bool {
	return m.State == backup.MarkerStale || m.State == backup.MarkerEmpty
}

func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	ia, err := os.Stat(a)
	if err != nil {
		return false
	}
	ib, err := os.Stat(b)
	return err == nil && os.SameFile(ia, ib)
}

func startText(pending []backup.Marker) string {
	var b strings.Builder
	switch len(pending) {
	case 0:
		return ""
	case 1:
		fmt.Fprintf(&b, sayOne, oneLine(pending[0].Target))
	default:
		for _, m := range pending[:min(len(pending), maxTold)] {
			fmt.Fprintf(&b, sayEach, kindOf(m), oneLine(m.Target))
		}
	}
	return b.String() + sayNext
}

// oneLine cleans a path and keeps the blanks in it.
func oneLine(path string) string { return strings.ReplaceAll(transcript.Clean(path), "\n", " ") }

// kindOf is the hook that made a backup. The marker of the spec does not say, but the name of the backup does: that
// of PreCompact has the reason "compact", and had none at first.
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
