package sessions

import (
	"encoding/json"
	"os"
	"path/filepath"
)

const (
	defaultRetention = 30 // days; the client deletes a transcript that wasn't written for so long (client 2.1.330)
	purgeSoon        = 10 // days before the deletion from which a session is flagged
	settingsLimit    = 1 << 20
	longestRetention = 100_000 // days (273 years); a higher value would overflow a Duration, so it means "never"
)

// retention returns cleanupPeriodDays from the user settings of a config dir. If it is missing or below 1, which the
// client refuses (2.1.89 and later), retention returns the client's default.
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

// Retention returns after how many days without a write the client deletes a transcript of a config dir (client
// 2.1.330).
func Retention(dir string) int { return retention(dir) }
