package backup

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/internal/disk"
	"github.com/continuo-tui/continuo/transcript"
)

// rawDir is the directory for new backups, relative to the memory directory.
const rawDir = "raw"

// copied is a copy of a transcript in raw, under a temporary name.
type copied struct {
	temp     *disk.Temp
	bytes    int64
	sum      string    // SHA-256 in hex
	session  string    // session ID in the first 64 KB; "" without one
	modified time.Time // modification time of the transcript
	problem  error
}

// copyIn copies a transcript into raw under a temporary name. An error leaves no file.
func (m *Memory) copyIn(ctx context.Context, path string) (copied, error) {
	if !filepath.IsAbs(path) {
		return copied{}, fmt.Errorf("transcript %q: not an absolute path", path)
	}
	src, fi, err := transcript.OpenFile(path)
	if isAbsent(err) || err == nil && fi.Size() == 0 {
		err = ErrNothing
	}
	if err != nil {
		if src != nil {
			_ = src.Close()
		}
		return copied{}, fmt.Errorf("transcript %s: %w", path, cause(err))
	}
	defer src.Close()
	if err := ctx.Err(); err != nil { // checked first, so that no empty directory is created
		return copied{}, fmt.Errorf("transcript %s: %w", path, err)
	}
	if err := m.mkdir(rawDir); err != nil {
		return copied{}, err
	}
	if err := m.ignoreAll(rawDir); err != nil {
		return copied{}, err
	}
	temp, err := m.create(rawDir)
	if err != nil {
		return copied{}, err
	}
	c := copied{temp: temp, modified: fi.ModTime()}
	if err := c.fill(ctx, temp, src, fi.Size()); err != nil {
		temp.Drop()
		return copied{}, fmt.Errorf("copy %s to %s: %w", path, m.at(rawDir), cause(err))
	}
	if c.bytes < fi.Size() {
		c.problem = fmt.Errorf("transcript %s: %w", path, errShrank)
	}
	return c, nil
}

// fill copies size bytes of a transcript and sets the sum and the session ID.
func (c *copied) fill(ctx context.Context, dst *disk.Temp, src *os.File, size int64) (err error) {
	if c.bytes, c.sum, err = dst.CopyFrom(ctx, src, size); err != nil {
		return err
	}
	if c.bytes == 0 {
		return ErrNothing
	}
	head, err := readHead(io.NewSectionReader(dst, 0, c.bytes), make([]byte, min(headBytes, c.bytes)))
	if err != nil {
		return err
	}
	c.session = sessionID(head)
	return nil
}

// sumsName is the file of sums in raw, in the format of sha256sum.
const sumsName = ".sums"

// maxSums is the limit of the file of sums in bytes: 500,000 backups.
const maxSums = 64 << 20

// Sums returns the recorded SHA-256 sums in hex by backup name, with those of discarded backups. Of several sums, the
// last one counts. Other lines are skipped. A missing file has no sums.
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
		sums[name[1:]] = strings.ToLower(sum) // the second character is the mode flag of sha256sum
	}
	return sums, err
}

// addSum records the sum of a backup.
func (m *Memory) addSum(name, sum string) error {
	return m.appendLine(filepath.Join(rawDir, sumsName), fmt.Sprintf("%s  %s", sum, name))
}
