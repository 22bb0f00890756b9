package index

import (
	"crypto/rand"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/continuo-tui/continuo/internal/disk"
)

const (
	rowsName   = "rows"
	textPrefix = "text-"
	lockName   = "index.lock"
	fileMode   = 0o600
	dirMode    = 0o700

	// version is the first line of the file rows. It changes with the format.
	version = "continuo index 5\n"
	genLen  = 16 // length of the generation, which is the second line, in hex digits
	logHead = len(version) + genLen + 1
	maxRows = 1 << 30 // maximum size of the log in bytes
)

// store is the cache on disk, guarded by the mutex of the Index.
type store struct {
	root   *disk.Root
	unlock func() // nil if this process isn't the writer
	failed bool   // a write failed, so new data stays in memory

	gen    string
	log    *os.File // open for writing; nil in a process that never was the writer
	logNow fs.FileInfo
	logEnd int64 // length of the complete frames in bytes
	text   *os.File
	end    int64 // length of the committed text file in bytes
	nextID uint32
	old    []*os.File // replaced text files that searches may still read
}

// take takes the lock of the store. It returns false if another process has the lock, or the directory can't be
// written.
func (s *store) take(dir string) bool {
	if s.root == nil {
		root, err := disk.Make(dir, dirMode)
		if err != nil {
			return false
		}
		s.root = root
	}
	unlock, err := s.root.TryLock(lockName)
	if err != nil {
		return false
	}
	s.unlock = unlock
	return true
}

func (s *store) release() {
	if s.unlock != nil {
		s.unlock()
		s.unlock = nil
	}
}

func (s *store) close() {
	s.release()
	s.forget()
	for _, f := range s.old {
		_ = f.Close() // the cache can lose data
	}
	if s.root != nil {
		_ = s.root.Close()
	}
	*s = store{}
}

// changed reports whether another process has written the store since it was read.
func (s *store) changed(dir string) bool {
	if s.root == nil {
		return false
	}
	now, err := s.root.Stat(rowsName)
	if err != nil || s.logNow == nil {
		return (err == nil) != (s.logNow != nil)
	}
	return !os.SameFile(now, s.logNow) || now.Size() != s.logEnd
}

// read returns the rows and blocks of the store, up to the first incomplete frame. A missing store has none. The
// error is ErrDamaged.
func (s *store) read(dir string) (map[string]*row, []*block, error) {
	rows := map[string]*row{}
	was, text := s.gen, s.text
	s.forget()
	if s.root == nil {
		root, err := disk.Open(dir)
		if dir == "" || err != nil {
			return rows, nil, nil
		}
		s.root = root
	}
	b, info, err := s.root.ReadFile(rowsName, maxRows)
	if err != nil {
		if disk.IsAbsent(err) {
			return rows, nil, nil
		}
		return nil, nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	s.logNow = info
	if len(b) < logHead || string(b[:len(version)]) != version || b[logHead-1] != '\n' || !isHex(b[len(version):logHead-1]) {
		return nil, nil, fmt.Errorf("%w: %s has another version or no header", ErrDamaged, rowsName)
	}
	const usual = 1 << 10 // bytes of a row
	rows = make(map[string]*row, len(b)/usual)
	s.gen = string(b[len(version) : logHead-1])
	s.logEnd = int64(logHead)
	for rest := b[logHead:]; ; {
		frame, size := nextFrame(rest)
		if frame == nil {
			break
		}
		if err = s.readFrame(frame, rows); err != nil {
			return nil, nil, fmt.Errorf("%w: frame at byte %d: %w", ErrDamaged, s.logEnd, err)
		}
		rest = rest[size:]
		s.logEnd += int64(size)
	}
	if s.gen == was && text != nil {
		s.old = s.old[:len(s.old)-1]
	} else if text, _, err = s.root.OpenFile(textPrefix + s.gen); err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	s.text = text
	blocks, err := readHeaders(text, s.end)
	if err != nil {
		return nil, nil, err
	}
	return rows, blocks, nil
}

// forget makes the store empty. Running searches still need the open text file.
func (s *store) forget() {
	if s.text != nil {
		s.old = append(s.old, s.text)
	}
	if s.log != nil {
		_ = s.log.Close() // the cache can lose data
	}
	s.logNow, s.logEnd, s.end, s.gen, s.text, s.log, s.nextID = nil, 0, 0, "", nil, nil, 1
}

func isHex(b []byte) bool { return strings.Trim(string(b), "0123456789abcdef") == "" }

// A frame has a head and a payload. The head has the length of the payload and its CRC-32C, both u32 in little-endian
// order. The payload has the committed length of the text, the next ID, and the rows. After a kill, committed texts
// may have no row, so the next ID is stored: no other file may get their ID.
const frameHead = 8

// nextFrame returns the payload and the length of the first frame. An incomplete frame has a nil payload.
func nextFrame(b []byte) (payload []byte, size int) {
	if len(b) < frameHead {
		return nil, 0
	}
	n := int(binary.LittleEndian.Uint32(b))
	if n > len(b)-frameHead || checksum(b[frameHead:frameHead+n]) != binary.LittleEndian.Uint32(b[4:]) || n == 0 {
		return nil, 0
	}
	return b[frameHead : frameHead+n], frameHead + n
}

func (s *store) readFrame(payload []byte, rows map[string]*row) error {
	c := newReader(payload)
	next := uint64(0)
	c.int(&s.end)
	c.uint(&next)
	s.nextID = uint32(next) //nolint:gosec // as it was written
	for c.err == nil && len(c.b) > 0 {
		r := new(row)
		c.row(r)
		if c.err == nil {
			rows[r.path] = r
		}
	}
	return c.err
}

func frameOf(end int64, nextID uint32, rows []*row) []byte {
	c := codec{b: make([]byte, frameHead, 1024)}
	next := uint64(nextID)
	c.int(&end)
	c.uint(&next)
	for _, r := range rows {
		c.row(r)
	}
	binary.LittleEndian.PutUint32(c.b, uint32(len(c.b)-frameHead)) //nolint:gosec // far below 4 GB
	binary.LittleEndian.PutUint32(c.b[4:], checksum(c.b[frameHead:]))
	return c.b
}

// add writes a block, commits it with rows and frees its memory. After an error, the store stays, and this process
// doesn't write it any more.
func (s *store) add(blk *block, rows []*row) {
	end := s.end
	if blk != nil {
		_, err := s.text.WriteAt(blk.header(), end)
		if err == nil {
			_, err = s.text.WriteAt(blk.memory, end+headerSize)
		}
		if err != nil {
			s.failed = true
			return
		}
		end += blk.size()
	}
	frame := frameOf(end, s.nextID, rows)
	if _, err := s.log.WriteAt(frame, s.logEnd); err != nil {
		s.failed = true
		return
	}
	if blk != nil {
		blk.at, blk.memory = s.end, nil
		blk.sound.Store(true)
	}
	s.end, s.logEnd = end, s.logEnd+int64(len(frame))
}

// renew replaces the store with an empty one.
func (s *store) renew() {
	next := s.nextID
	s.forget()
	gen := make([]byte, genLen/2)
	_, _ = rand.Read(gen) // never fails
	s.failed, s.gen, s.logEnd, s.nextID = true, hex.EncodeToString(gen), int64(logHead), next
	text, err := s.root.OpenWritable(textPrefix+s.gen, fileMode)
	if err != nil {
		return
	}
	s.text = text
	if s.root.Replace(rowsName, []byte(version+s.gen+"\n"), fileMode) != nil {
		return
	}
	s.failed = false
	s.sweep()
}

// trim opens the files for writing and cuts uncommitted bytes.
func (s *store) trim() {
	if s.failed {
		return
	}
	if s.log == nil {
		var err error
		if s.log, err = s.root.OpenWritable(rowsName, fileMode); err == nil {
			s.old = append(s.old, s.text)
			s.text, err = s.root.OpenWritable(textPrefix+s.gen, fileMode)
		}
		if err != nil {
			s.failed = true
			return
		}
	}
	if s.log.Truncate(s.logEnd) != nil || s.text.Truncate(s.end) != nil {
		s.failed = true
	}
	s.logNow, _ = s.log.Stat()
}

// sweep deletes the text files of other generations.
func (s *store) sweep() {
	names, _ := s.root.Names(".") // after an error, the files stay until the next call
	for _, name := range names {
		if strings.HasPrefix(name, textPrefix) && name != textPrefix+s.gen {
			_ = s.root.Remove(name)
		}
	}
}
