package trajectory

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/continuo-tui/continuo/ledger"
)

const (
	ending = ".jsonl"
	packed = ".jsonl.gz"

	dayForm = "2006-01-02"
)

// Name returns the file name for an agent and a day such as 2026-02-06. agent may be "".
func Name(agent, day string) string {
	if agent == "" {
		return day + ending
	}
	return agent + "-" + day + ending
}

// LogFile returns the path of the file in which an agent logs on a day.
func LogFile(p *ledger.Project, agent string, at time.Time) string {
	return filepath.Join(p.Trajectory, Name(agent, at.Format(dayForm)))
}

// fileNames returns all possible file names for an agent and a day.
func fileNames(agent, day string) []string {
	names := []string{Name(agent, day)}
	if short := strings.ReplaceAll(day, "-", ""); agent != "" {
		names = append(names, Name(agent, short), Name("", day), Name("", short))
	}
	for _, name := range slices.Clone(names) {
		names = append(names, name+".gz")
	}
	return names
}

// Odd returns the path of a link, a FIFO or a directory with the name of a trajectory file; "" if there is none.
// Files skips such a path.
func Odd(dir, agent, day string) string {
	for _, name := range fileNames(agent, day) {
		path := filepath.Join(dir, name)
		if fi, err := os.Lstat(path); err == nil && !fi.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// Files returns the files of a trajectory, newest day first, then last modified first. A file without a day in its
// name has the day of its modification time. Files skips links and special files, because a link to another file
// would count records twice. It also skips compressed copies of plain files. A missing directory has no files.
func Files(dir string) ([]File, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var files []File
	for _, e := range entries { // after an error, use the entries that were read
		f, ok := named(filepath.Join(dir, e.Name()))
		if !ok || !e.Type().IsRegular() {
			continue
		}
		fi, gone := e.Info()
		if gone != nil || !fi.Mode().IsRegular() {
			continue
		}
		f.Size, f.Mod = fi.Size(), fi.ModTime()
		files = append(files, f)
	}
	files = withoutCopies(dir, files)
	slices.SortFunc(files, func(a, b File) int {
		return cmp.Or(cmp.Compare(b.day(), a.day()), b.Mod.Compare(a.Mod), cmp.Compare(a.Path, b.Path))
	})
	if err != nil {
		return files, fmt.Errorf("list %s: %w", dir, err)
	}
	return files, nil
}

// maxCopies is the maximum number of bytes of plain files that are read to compare them with compressed files.
const maxCopies = 64 << 20

// withoutCopies removes compressed copies of plain files, which gzip -k creates. A compressed file with other
// contents is kept.
func withoutCopies(dir string, files []File) []File {
	plain := map[string]bool{}
	for i := range files {
		if !files[i].Zip {
			plain[files[i].Path] = true
		}
	}
	left := int64(maxCopies)
	return slices.DeleteFunc(files, func(f File) bool {
		path, zip := strings.CutSuffix(f.Path, ".gz")
		return zip && plain[path] && isCopy(dir, path, &f, &left)
	})
}

// isCopy reports whether a plain file begins with the contents of a compressed file. It compares the length and the
// checksum at the end of the compressed file. left is the number of bytes that may be read.
func isCopy(dir, path string, f *File, left *int64) bool {
	const trailer = 8 // CRC-32 and length of the contents (RFC 1952), little-endian
	packed, err := ledger.Open(dir, f.Path)
	if err != nil {
		return false
	}
	defer packed.Close()
	var end [trailer]byte
	if _, err := packed.ReadAt(end[:], f.Size-trailer); err != nil {
		return false
	}
	n := int64(binary.LittleEndian.Uint32(end[4:]))
	if n == 0 || n > *left {
		return false
	}
	*left -= n
	whole, err := ledger.Open(dir, path)
	if err != nil {
		return false
	}
	defer whole.Close()
	sum := crc32.NewIEEE()
	_, err = io.CopyN(sum, whole, n)
	return err == nil && sum.Sum32() == binary.LittleEndian.Uint32(end[:4])
}

// day returns the day in the name of the file, or of its last modification.
func (f *File) day() string {
	if f.Day != "" {
		return f.Day
	}
	return f.Mod.Format(dayForm)
}

// named parses a file name. ok is false if the name isn't that of a trajectory file.
func named(path string) (File, bool) {
	f := File{Path: path}
	stem, ok := strings.CutSuffix(filepath.Base(path), packed)
	if f.Zip = ok; !ok {
		stem, ok = strings.CutSuffix(filepath.Base(path), ending)
	}
	if !ok {
		return f, false
	}
	f.Agent = stem
	for _, form := range []string{dayForm, "20060102"} {
		at := len(stem) - len(form)
		if at < 0 || at > 0 && stem[at-1] != '-' {
			continue
		}
		if day, err := time.Parse(form, stem[at:]); err == nil {
			f.Agent, f.Day = stem[:max(at-1, 0)], day.Format(dayForm)
			break
		}
	}
	return f, true
}
