package backup

import (
	"bytes"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/transcript"
)

const (
	backupSuffix = ".jsonl"
	backupStamp  = "20060102_150405"
)

// Backup is a byte-for-byte copy of a transcript that a hook made (spec 000). Its key is its Path.
type Backup struct {
	Path    string
	Project string    // project directory, as given to Find
	Made    time.Time // time in the file name (UTC with a Z, otherwise in the zone given to Find), or Modified if the name has none
	// Reason is the reason in the file name: "compact", or any text from Claude Code on the end of the session. It is
	// "" without one. The number of a second backup in the same second isn't part of Reason.
	Reason    string
	SessionID string // session ID in the first 64 KB; "" if unknown
	Bytes     int64
	Modified  time.Time // modification time of the file
	Pending   bool      // a valid marker names the backup, so the user must restore or discard it
	Marker    string    // path of that marker; of several, the first one in Found.Markers
	Problem   string    // error of reading the file, as one line; "" without an error
}

// newBackup returns the Backup at a path. g.info must not be nil.
func newBackup(project, path string, g fileHead, zone *time.Location) Backup {
	b := Backup{
		Path: path, Project: project, Made: g.info.ModTime(), SessionID: sessionID(g.head),
		Bytes: g.info.Size(), Modified: g.info.ModTime(), Problem: problemText(g.err),
	}
	if made, reason, ok := parseBackupName(filepath.Base(path), zone); ok {
		b.Made, b.Reason = made, transcript.CleanLine(reason)
	}
	return b
}

// parseBackupName parses YYYYMMDD_HHMMSS[Z][_reason[-N]].jsonl. Old hooks wrote no reason or an empty one.
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

// maxSessionID is the limit of a session ID in bytes. A UUID has 36.
const maxSessionID = 128

// sessionID returns the first "sessionId":"…" in the records. Strings have escaped quotes, so each match is a key.
func sessionID(head []byte) string {
	for {
		_, after, ok := bytes.Cut(head, []byte(`"sessionId":`))
		if !ok {
			return ""
		}
		head = after
		value, isString := bytes.CutPrefix(bytes.TrimLeft(after, " "), []byte(`"`))
		n := bytes.IndexByte(value[:min(len(value), maxSessionID+1)], '"')
		if isString && n > 0 && isID(value[:n]) {
			return string(value[:n])
		}
	}
}

func isID(b []byte) bool {
	for _, c := range b {
		if !isDigit(c) && (c|0x20 < 'a' || c|0x20 > 'z') && c != '-' && c != '_' && c != '.' {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// problemText returns the text of an error as one clean line, or "" for nil.
func problemText(err error) string {
	if err == nil {
		return ""
	}
	return transcript.CleanLine(err.Error())
}
