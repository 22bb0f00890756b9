package index

import (
	"context"
	"io"
	"slices"
	"sync"
	"time"
)

// memoryIDs is the first ID for files with texts in memory only.
const memoryIDs = 1 << 31

// Index is an index in a cache directory. It is safe for concurrent use, but at most one Update may run.
type Index struct {
	dir string // "" keeps the whole index in memory
	now func() time.Time

	mu     sync.Mutex
	rows   map[string]*row // by path
	blocks []*block
	store  store
	memID  uint32 // next ID from memoryIDs on
	broken bool   // the store is damaged
	free   []*builder
	view   *view           // snapshot for searches; nil if the index has changed since
	files  map[string]File // files of the last Update
}

// view is a snapshot of the index for a search.
type view struct {
	text   io.ReaderAt
	blocks []*block
	rows   map[uint32]*row
	files  map[string]File
}

// Open returns the index in a cache directory. It is read at its first use, and created by the first Update. If dir
// is "" or unwritable, the index is in memory.
func Open(dir string) *Index {
	return &Index{dir: dir, now: time.Now, memID: memoryIDs}
}

// Close writes the collected texts and closes the files.
func (x *Index) Close() {
	x.Flush()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.store.close()
}

// row returns the row of a path, or nil.
func (x *Index) row(path string) *row {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.load()
	return x.rows[path]
}

// begin must be called before a file is read. It returns the row of the path, and takes the lock of the store if that
// is free.
func (x *Index) begin(path string) *row {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.lock()
	return x.rows[path]
}

// id returns a new id.
func (x *Index) id() uint32 {
	x.mu.Lock()
	defer x.mu.Unlock()
	if !x.writes() {
		x.memID++
		return x.memID - 1
	}
	x.store.nextID++
	return x.store.nextID - 1
}

// mayExtend reports whether new texts of a file may have the ID of its row. Texts in memory can't have an ID from the
// store, because another process may write the same texts there.
func (x *Index) mayExtend(r *row) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.writes() == (r.id < memoryIDs)
}

// builder returns a builder for a scan.
func (x *Index) builder() *builder {
	x.mu.Lock()
	defer x.mu.Unlock()
	if n := len(x.free); n > 0 {
		b := x.free[n-1]
		x.free = x.free[:n-1]
		return b
	}
	return new(builder)
}

// release takes a builder back.
func (x *Index) release(b *builder) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.free = append(x.free, b)
}

// flush adds the texts and the finished files of a builder to the index.
func (x *Index) flush(b *builder) {
	blk, rows := b.take(), b.rows()
	x.mu.Lock()
	defer x.mu.Unlock()
	x.commit(blk, rows)
}

// commit adds a block and rows to the index, and to the store in the writer. blk may be nil.
func (x *Index) commit(blk *block, rows []*row) {
	if blk == nil && len(rows) == 0 {
		return
	}
	if x.writes() {
		x.store.add(blk, rows) // after an error, the block stays in memory
	}
	if blk != nil {
		blk.memory = slices.Clone(blk.memory) // nil if the block is in the store now
		x.blocks = append(x.blocks, blk)
	}
	if x.rows == nil {
		x.rows = map[string]*row{}
	}
	for _, r := range rows {
		x.rows[r.path] = r
	}
	x.view = nil
}

// Flush adds the collected texts to the index and releases the lock. Before that, it compacts a store with much
// unused space.
func (x *Index) Flush() {
	x.mu.Lock()
	free := x.free
	x.free = nil
	x.mu.Unlock()
	for _, b := range free {
		x.flush(b)
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.writes() && x.wasteful() {
		x.compact()
	}
	x.store.release()
}

// writes reports whether this process may write the store.
func (x *Index) writes() bool { return x.store.unlock != nil && !x.store.failed }

// snapshot returns a view of the current index.
func (x *Index) snapshot() *view {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.load()
	if x.view == nil {
		v := &view{blocks: slices.Clone(x.blocks), rows: make(map[uint32]*row, len(x.rows)), files: x.files}
		if x.store.text != nil {
			v.text = x.store.text
		}
		for _, r := range x.rows {
			if !r.damaged {
				v.rows[r.id] = r
			}
		}
		x.view = v
	}
	return x.view
}

// load reads the store once.
func (x *Index) load() {
	if x.rows == nil {
		x.reload()
	}
}

// reload reads the rows and blocks of the store. A row in memory stays if the store has none for the same state of
// the file.
func (x *Index) reload() {
	kept, memory := map[string]*row{}, []*block{}
	for path, r := range x.rows {
		if r.id >= memoryIDs {
			kept[path] = r
		}
	}
	for _, b := range x.blocks {
		if b.memory != nil && len(kept) > 0 {
			memory = append(memory, b)
		}
	}
	rows, blocks, err := x.store.read(x.dir)
	if err != nil {
		x.broken = true
		rows, blocks = map[string]*row{}, nil
	}
	for path, r := range kept {
		if d := rows[path]; d == nil || d.size != r.size || d.modified != r.modified || d.inode != r.inode || d.changed != r.changed {
			rows[path] = r
		}
	}
	x.rows, x.blocks, x.view = rows, append(blocks, memory...), nil
}

// lock makes this process the writer, unless another process is. A new writer drops texts that are only in memory,
// because it can write them to the store now. It replaces a damaged store.
func (x *Index) lock() {
	if x.store.unlock != nil || x.dir == "" {
		x.load()
		return
	}
	if !x.store.take(x.dir) {
		switch {
		case x.broken: // the index stays empty until the writer has replaced the store
			x.rows, x.blocks, x.view = map[string]*row{}, nil, nil
		case x.store.changed(x.dir):
			x.reload()
		}
		x.load()
		return
	}
	if x.rows == nil || x.broken || x.store.failed || x.store.changed(x.dir) || x.keepsMemory() {
		x.store.failed = false
		x.rows, x.blocks = nil, nil
		x.reload()
	}
	if x.broken || x.store.text == nil {
		x.broken = false
		x.rows, x.blocks, x.view = map[string]*row{}, nil, nil
		x.store.renew()
	}
	x.store.trim()
}

func (x *Index) keepsMemory() bool {
	return slices.ContainsFunc(x.blocks, func(b *block) bool { return b.memory != nil })
}

// Status describes the index.
type Status struct {
	Dir     string // "" if the index is only in memory
	Files   int    // number of indexed files
	Texts   int
	Text    int64 // total length of the texts in bytes
	Stored  int64 // size of the cache on disk in bytes
	Covered int64 // number of bytes of the files that are covered
}

// Status returns the state of the index. The index isn't updated.
func (x *Index) Status() Status {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.load()
	s := Status{Dir: x.dir, Files: len(x.rows), Stored: x.store.end + x.store.logEnd}
	for _, r := range x.rows {
		s.Covered, s.Texts, s.Text = s.Covered+r.covered, s.Texts+int(r.texts), s.Text+r.text
	}
	return s
}

// SetFiles sets the files for later searches. fewer is true if files may have been deleted: there are fewer than at
// the last call, or there was no call.
func (x *Index) SetFiles(files []File) (fewer bool) {
	set := make(map[string]File, len(files))
	for i := range files {
		set[files[i].Path] = files[i]
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	fewer = len(set) < len(x.files) || x.files == nil
	x.files, x.view = set, nil
	return fewer
}

// Indexed returns how many of the files are in the index as they are now, and their total size in bytes.
func (x *Index) Indexed(files []File) (n int, bytes int64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.load()
	for i := range files {
		if x.rows[files[i].Path].is(files[i].Info) {
			n++
			bytes += files[i].Info.Size()
		}
	}
	return n, bytes
}

// Rebuild deletes the cache, so that the next Update reads everything.
func (x *Index) Rebuild() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.load()
	x.broken = true
}

// Verify reads every block and checks its checksums. The error is ErrDamaged or ctx.Err().
func (x *Index) Verify(ctx context.Context) error {
	v := x.snapshot()
	if x.isBroken() {
		return ErrDamaged
	}
	var buf []byte
	for _, b := range v.blocks {
		if err := ctx.Err(); err != nil {
			return err
		}
		b.sound.Store(false)
		_, table, err := b.read(v.text, &buf)
		if err == nil {
			_, err = b.entriesOf(table, nil)
		}
		if err == nil {
			b.bloom.Store(nil)
			_, err = b.loadFilter(v.text)
		}
		if err != nil {
			x.damage()
			return err
		}
	}
	return nil
}

func (x *Index) isBroken() bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.broken
}

// damage marks the store as damaged. The next Update builds it again.
func (x *Index) damage() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.broken = true
}
