package sessions

import (
	"encoding/json"
	"os"
	"path/filepath"
)

const (
	defaultRetention = 30 // days without a write until the client deletes a transcript (client 2.1.330)
	purgeSoon        = 10 // days before the deletion from which a session is flagged
	settingsLimit    = 1 << 20
	longestRetention = 100_000 // days (273 years); more would overflow a Duration and means "never"
)

// retention returns cleanupPeriodDays from the user settings of a config dir. A missing value, or one below 1, which
// the client refuses (2.1.89 and later), means the client's default.
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

// Retention returns the days without a write until the client deletes a transcript (client 2.1.330).
func Retention(dir string) int { return retention(dir) }
