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

// The output of SessionStart (spec 000). msgEach is used for several backups. The hooks have used this form since
// 2026-01-15.
const (
	msgOne  = "SESSION_BACKUP_PENDING: A previous session backup exists at %s\n"
	msgEach = "SESSION_BACKUP_PENDING (%s): Backup exists at %s\n"
	msgNext = "User should run /resume-latest to restore context, or /discard-backup to discard.\n"
	// msgMore isn't in the spec. It counts the pending backups that aren't listed.
	msgMore = "And %d more.\n"
	// msgStaged isn't in the spec. It precedes the staged text and says where it is from.
	msgStaged = "STAGED_RECOVERY: Below is what the user staged at %s for this session, from the project's ledger (about %d tokens); it is not shown again.\n"
)

const (
	// maxListed is the maximum number of pending backups in the list. Each line costs about 40 tokens of context.
	maxListed = 10
	// maxOutput is the length, in UTF-16 code units, to which Claude Code (2.1.330) truncates the output of a hook.
	maxOutput = 10_000
)

// start returns the lines about pending backups and the staged recovery. It removes the staged recovery, and stale
// and empty markers. Other markers stay for /resume-latest and /discard-backup.
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
	// Markers without a number come first: they name the newest backup.
	slices.SortStableFunc(pending, func(a, b backup.Marker) int { return cmp.Compare(min(a.N, 1), min(b.N, 1)) })
	staged := ""
	s, ok, err := m.TakeStaged(ctx, now) // last, because a recovery that was taken must be printed
	if ok {
		staged = stagedText(s)
	}
	return inOrder(startText(pending, maxOutput-backup.StagedLen(staged)), staged), errors.Join(append(errs, err)...)
}

// inOrder joins both texts, backups first. If the client would truncate the result, the recovery comes first: the
// next start lists the backups again, but not the recovery.
func inOrder(backups, staged string) string {
	if backup.StagedLen(backups)+backup.StagedLen(staged) > maxOutput {
		return staged + backups
	}
	return backups + staged
}

// runesPerToken is used to estimate tokens (spec 002).
const runesPerToken = 4

func stagedText(s backup.Staged) string {
	tokens := (utf8.RuneCountInString(s.Text) + runesPerToken - 1) / runesPerToken
	return fmt.Sprintf(msgStaged, s.At.Format(time.RFC3339), tokens) + s.Text
}

// isSpent reports whether a marker is stale or empty.
func isSpent(m backup.Marker) bool {
	return m.State == backup.MarkerStale || m.State == backup.MarkerEmpty
}

// startText returns the lines about pending backups. It lists the first one, and others while the text fits in room
// (UTF-16 code units). It adds how many were left out.
func startText(pending []backup.Marker, room int) string {
	switch len(pending) {
	case 0:
		return ""
	case 1:
		return fmt.Sprintf(msgOne, oneLine(pending[0].Target)) + msgNext
	}
	var b strings.Builder
	room -= len(msgNext) + len(msgMore)
	listed := 0
	for i, m := range pending[:min(len(pending), maxListed)] {
		line := fmt.Sprintf(msgEach, kindOf(m), oneLine(m.Target))
		if room -= backup.StagedLen(line); room < 0 && i > 0 {
			break
		}
		b.WriteString(line)
		listed++
	}
	if more := len(pending) - listed; more > 0 {
		fmt.Fprintf(&b, msgMore, more)
	}
	return b.String() + msgNext
}

// oneLine cleans a path and puts it on one line. It keeps the blanks in the path.
func oneLine(path string) string { return strings.ReplaceAll(transcript.Clean(path), "\n", " ") }

// kindOf returns the hook that made a backup. Both hooks may use the file name of spec 000 for the marker. kindOf
// then looks at the name of the backup: PreCompact writes the reason "compact" into it, and older versions wrote
// none.
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
