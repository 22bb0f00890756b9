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

// The output of SessionStart (spec 000). msgOne is for a single backup, and msgEach for each of several ones.
const (
	msgOne  = "SESSION_BACKUP_PENDING: A previous session backup exists at %s\n"
	msgEach = "SESSION_BACKUP_PENDING (%s): Backup exists at %s\n"
	msgNext = "User should run /resume-latest to restore context, or /discard-backup to discard.\n"
	// msgMore isn't in the spec. It stands for unlisted backups.
	msgMore = "And %d more.\n"
	// msgStaged isn't in the spec. It precedes the staged recovery.
	msgStaged = "STAGED_RECOVERY: Below is the recovery that the user staged at %s for this session, from the project's ledger (about %d tokens). It is shown only once.\n"
)

const (
	// maxListed is the limit of listed backups. Each line costs about 40 tokens of context.
	maxListed = 10
	// maxOutput is the limit of a hook's output in UTF-16 code units. Claude Code (2.1.330) truncates longer output.
	maxOutput = 10_000
)

// start returns the lines about pending backups, and the staged recovery. It deletes the recovery and useless
// markers. Valid markers stay for /resume-latest and /discard-backup.
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
	// Markers without numbers name the newest backups.
	slices.SortStableFunc(pending, func(a, b backup.Marker) int { return cmp.Compare(min(a.N, 1), min(b.N, 1)) })
	staged := ""
	s, ok, err := m.TakeStaged(ctx, now) // last step, because the recovery must be printed now
	if ok {
		staged = stagedText(s)
	}
	return inOrder(startText(pending, maxOutput-backup.StagedLen(staged)), staged), errors.Join(append(errs, err)...)
}

// inOrder joins the two texts. The recovery comes second, but first if Claude Code would truncate it there. The next
// start can repeat the list, but not the recovery.
func inOrder(backups, staged string) string {
	if backup.StagedLen(backups)+backup.StagedLen(staged) > maxOutput {
		return staged + backups
	}
	return backups + staged
}

// runesPerToken is the estimate of spec 002.
const runesPerToken = 4

func stagedText(s backup.Staged) string {
	tokens := (utf8.RuneCountInString(s.Text) + runesPerToken - 1) / runesPerToken
	return fmt.Sprintf(msgStaged, s.At.Format(time.RFC3339), tokens) + s.Text
}

// isSpent reports whether a marker is stale or empty.
func isSpent(m backup.Marker) bool {
	return m.State == backup.MarkerStale || m.State == backup.MarkerEmpty
}

// startText lists the first pending backup, and more while they fit in room (UTF-16 code units). The last line has
// the number of unlisted ones.
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

// oneLine returns a clean path on one line, with all spaces.
func oneLine(path string) string { return strings.ReplaceAll(transcript.Clean(path), "\n", " ") }

// kindOf returns the kind of hook that made a backup. For the marker of spec 000, the reason in the backup's name
// decides: PreCompact writes "compact" or, in old versions, none.
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
