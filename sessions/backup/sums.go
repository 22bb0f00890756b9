package backup

import (
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
)

// sumsName is the file of sums in raw, as sha256sum writes and checks it.
const sumsName = ".sums"

// maxSums is that of 500 000 backups.
const maxSums = 64 << 20

// Sums returns the recorded SHA-256 sums, in hex, by the names of the backups in raw. Of two for a name the last one
// holds, and a backup that was discarded keeps its own. Lines that are no sum do not count. No file is no error.
func (m *Memory) Sums() (map[string]string, error) {
	text, _, err := m.read(filepath.Join(rawDir, sumsName), maxSums)
	sums := map[string]string{}
	if isAbsent(err) {
		return sums, nil
	}
	for line := range strings.Lines(string(text)) {
		line, whole := strings.CutSuffix(line, "\n")
		sum, name, ok := strings.Cut(line, " ")
		if _, bad := hex.DecodeString(sum); !whole || !ok || bad != nil || len(sum) != 64 || len(name) < 2 {
			continue
		}
		sums[name[1:]] = strings.ToLower(sum) // the second sign says how sha256sum read it
	}
	return sums, err
}

// addSum records the sum of a backup.
func (m *Memory) addSum(name, sum string) error {
	return m.appendLine(filepath.Join(rawDir, sumsName), fmt.Sprintf("%s  %s", sum, name))
}
