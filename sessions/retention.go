package sessions

import (
	"encoding/json"
	"os"
	"path/filepath"
)

const (
	defaultRetention = 30 // days without a write until the client deletes a transcript (client 2.1.330)
	purgeSoon        = 10 // a session is flagged this many days before the deletion
	settingsLimit    = 1 << 20
	longestRetention = 100_000 // days (273 years); a higher value means "never", because it would overflow a Duration
)

// retention returns cleanupPeriodDays from the user settings of a config dir, or the client's default if it isn't set.
// The client refuses values below 1 (2.1.89 and later), so retention returns the default for them.
func retention(dir string) int {
	path := filepath.Join(dir, "settings.json")
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > settingsLimit {
		return defaultRetention
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return defaultRetention
	}
	var set struct {
		Days float64 `json:"cleanupPeriodDays"`
	}
	if json.Unmarshal(data, &set) != nil || set.Days < 1 {
		return defaultRetention
	}
	return int(min(set.Days, longestRetention))
}

// Retention returns the number of days after which the client deletes a transcript that isn't written any more, for a
// config dir (client 2.1.330).
func Retention(dir string) int { return retention(dir) }
