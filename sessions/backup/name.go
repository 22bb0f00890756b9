package backup

import (
	"strings"
	"time"
)

// parseBackupName reads YYYYMMDD_HHMMSS[Z][_reason[-N]].jsonl. The PreCompact hook wrote no reason at first and now
// writes "compact". The SessionEnd hook wrote an empty reason for a while, because it read the wrong field.
func parseBackupName(name string, zone *time.Location) (made time.Time, reason string, ok bool) {
	name, ok = strings.CutSuffix(name, backupSuffix)
	if !ok || len(name) < len(backupStamp) {
		return time.Time{}, "", false
	}
	stamp, rest := name[:len(backupStamp)], name[len(backupStamp):]
	rest, utc := strings.CutPrefix(rest, "Z")
	if utc {
		zone = time.UTC
	}
	if reason, ok = strings.CutPrefix(rest, "_"); !ok && rest != "" {
		return time.Time{}, "", false
	}
	reason, _ = cutNumber(reason)
	made, err := time.ParseInLocation(backupStamp, stamp, zone)
	return made, reason, err == nil
}
