package act

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/continuo-tui/continuo/internal/change"
	"github.com/continuo-tui/continuo/internal/disk"
)

const (
	// maxText is the limit of an edited file in bytes, as ledger.MaxNotes.
	maxText = 16 << 20
	// maxKept is the limit of a removed or replaced file in bytes. The journal keeps its contents.
	maxKept = 1 << 20
)

// run is the state of one action.
type run struct {
	store  *Store
	roots  map[string]*disk.Root // by directory
	copies map[string]*copied    // by path of the new file
	dirty  map[*disk.Root][]string
	held   map[string]bool // paths of the locks
	unsure bool            // recovery: an unexpected text may be another program's
}

// copied is a copy of a file with a temporary name, until its op is carried out.
type copied struct {
	op   *change.Op // the op as shown to the user
	temp *disk.Temp // nil after the copy got its final name
	sum  string
}

func (s *Store) newRun() *run {
	return &run{
		store: s, roots: map[string]*disk.Root{}, copies: map[string]*copied{}, dirty: map[*disk.Root][]string{}, held: map[string]bool{},
	}
}

func (r *run) close() {
	for _, c := range r.copies { // drop unused copies
		c.temp.Drop()
	}
	for _, root := range r.roots {
		_ = root.Close() // writes are already synced
	}
}

// root returns the open directory o.Dir. It opens each directory once.
func (r *run) root(o *change.Op) (*disk.Root, error) {
	if root := r.roots[o.Dir]; root != nil {
		return root, nil
	}
	if !filepath.IsAbs(o.Dir) || !local(o.Name) || o.To != "" && !local(o.To) || slices.ContainsFunc(slices.Concat(o.Dirs, o.Empty), func(d string) bool { return !local(d) }) {
		return nil, o.Fail(fs.ErrInvalid)
	}
	root, err := disk.Open(o.Dir)
	if err != nil {
		return nil, fmt.Errorf("directory %s: %w", o.Dir, disk.Cause(err))
	}
	root.Step = r.store.Step
	r.roots[o.Dir] = root
	return root, nil
}

func local(name string) bool { return filepath.IsLocal(name) && filepath.Clean(name) == name }

// prepare copies the files of Make ops. A large copy takes long, so this is before the locks.
func (r *run) prepare(ctx context.Context, ops []change.Op) error {
	for i := range ops {
		o := &ops[i]
		if o.Verb != change.Make || o.From == "" {
			continue
		}
		if err := r.copy(ctx, o); err != nil {
			return fmt.Errorf("copy %s to %s: %w", o.From, o.Path(), disk.Cause(err))
		}
	}
	return nil
}

func (r *run) copy(ctx context.Context, o *change.Op) error {
	root, err := r.root(o)
	if err != nil {
		return err
	}
	from, err := disk.Open(filepath.Dir(o.From))
	if err != nil {
		return err
	}
	defer from.Close()
	src, fi, err := from.OpenFile(filepath.Base(o.From))
	if err != nil {
		return err
	}
	defer src.Close()
	if fi.Size() != o.Bytes || !fi.ModTime().Equal(o.Modified) {
		return change.ErrChanged
	}
	if _, err := root.Lstat(o.Name); err == nil && o.Next == "" {
		return &change.TakenError{Paths: []string{o.Path()}}
	}
	// Missing directories are created after the journal entry. Until then, the copy is in the nearest existing
	// parent, on the same file system.
	dir := filepath.Dir(o.Name)
	if dirs := missing(root, o.Name); len(dirs) > 0 {
		dir = filepath.Dir(dirs[len(dirs)-1])
	}
	if err := plainPath(root, filepath.Join(dir, "file")); err != nil {
		return err
	}
	c := &copied{op: o}
	if c.temp, err = root.Create(dir, o.Mode); err != nil {
		return err
	}
	r.copies[o.Path()] = c
	n, sum, err := c.temp.CopyFrom(ctx, src, o.Bytes)
	if err == nil && n != o.Bytes {
		err = change.ErrChanged
	}
	c.sum = sum
	return err
}

// lock takes the locks of all ops that the run doesn't have. Their order by path prevents deadlocks.
func (r *run) lock(ctx context.Context, ops []change.Op) (release func(), err error) {
	locks := map[string]*change.Op{}
	for i := range ops {
		o := &ops[i]
		if path := filepath.Join(o.Dir, o.Lock); o.Lock != "" && !r.held[path] {
			locks[path] = o
		}
	}
	var held []func()
	release = func() {
		for _, unlock := range slices.Backward(held) {
			unlock()
		}
	}
	var paths []string
	for path := range locks {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		root, err := r.root(locks[path])
		if err == nil {
			err = plainPath(root, locks[path].Lock)
		}
		var unlock func()
		if err == nil {
			unlock, err = root.Lock(ctx, locks[path].Lock)
		}
		if err != nil {
			release()
			return nil, fmt.Errorf("lock %s: %w", path, disk.Cause(err))
		}
		held = append(held, func() { unlock(); delete(r.held, path) })
		r.held[path] = true
	}
	return release, nil
}

// fill sets Was and Sum of each op. After a crash, the sums show which ops were carried out.
func (r *run) fill(ctx context.Context, ops []change.Op) error {
	for i := range ops {
		if err := r.fillOne(ops, i); err != nil {
			return ops[i].Fail(err)
		}
	}
	return ctx.Err()
}

func (r *run) fillOne(ops []change.Op, i int) error {
	o := &ops[i]
	root, err := r.root(o)
	if err != nil || o.Verb == change.Run {
		return err
	}
	switch o.Verb {
	case change.Make:
		c := r.copies[o.Path()]
		if o.From != "" && (c == nil || c.temp == nil) { // only files of the shown change were copied
			return change.ErrChanged
		}
		o.Sum = change.Sum(fileOf(o.Text))
		if o.From != "" {
			o.Dir, o.Name, o.Sum = c.op.Dir, c.op.Name, c.sum // use the temporary file of the copy
			if root, err = r.root(o); err != nil {
				return err
			}
		}
		o.Name = freeName(root, ops[:i], o)
		o.Dirs = missing(root, o.Name)
		if o.From != "" {
			r.copies[o.Path()] = c
		}
	case change.Replace:
		o.Was, o.Sum = change.Sum(fileOf(o.Before)), change.Sum(fileOf(o.Text))
	case change.Insert, change.Cut:
		now, err := r.read(o, maxText)
		if err != nil {
			return err
		}
		next, err := edited(o, now)
		if err != nil {
			return err
		}
		o.Was, o.Sum, o.Dirs = change.Sum(now), change.Sum(next), missing(root, o.Name)
	case change.Move:
		o.Dirs = missing(root, o.To)
	case change.Remove, change.Delete, change.Run:
	}
	return nil
}

// freeName returns the name for the file of a Make op. If the name is taken and the op has Next, it tries Next-2,
// Next-3 and so on. The journal needs the name before the file exists.
func freeName(root *disk.Root, others []change.Op, o *change.Op) string {
	name := o.Name
	for n := 2; o.Next != ""; n++ {
		_, err := root.Lstat(name)
		if err != nil && !slices.ContainsFunc(others, func(p change.Op) bool { return p.Verb == change.Make && p.Path() == root.At(name) }) {
			break
		}
		name = filepath.Join(filepath.Dir(o.Name), o.Next+"-"+strconv.Itoa(n))
	}
	return name
}

// missing returns the parent directories of a file that must be created, innermost first.
func missing(root *disk.Root, name string) (dirs []string) {
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) {
		if _, err := root.Lstat(dir); err == nil {
			break
		}
		dirs = append(dirs, dir)
	}
	return dirs
}

// read returns the contents of an op's file, or nil without a file.
func (r *run) read(o *change.Op, limit int64) ([]byte, error) {
	root, err := r.root(o)
	if err == nil {
		err = plainPath(root, o.Name)
	}
	if err != nil {
		return nil, err
	}
	text, _, err := root.ReadFile(o.Name, limit)
	if disk.IsAbsent(err) {
		return nil, nil
	}
	if errors.Is(err, disk.ErrTooLong) {
		err = change.ErrTooLarge
	}
	if text == nil && err == nil {
		text = []byte{}
	}
	return text, disk.Cause(err)
}

// errLink is returned if a parent directory of a file is a link.
var errLink = errors.New("a parent directory is a symbolic link")

// plainPath returns errLink if a parent directory of a file is a link. Missing directories are fine.
func plainPath(root *disk.Root, name string) error {
	dir := filepath.Dir(name)
	for i, c := range dir + string(filepath.Separator) {
		if c != filepath.Separator || dir == "." {
			continue
		}
		fi, err := root.Lstat(dir[:i])
		if disk.IsAbsent(err) {
			return nil
		}
		if err != nil {
			return err
		}
		if fi.Mode()&fs.ModeSymlink != 0 {
			return errLink
		}
	}
	return nil
}

// mkdirs creates the missing directories of a path.
func mkdirs(root *disk.Root, dir string, mode fs.FileMode) error {
	if err := plainPath(root, filepath.Join(dir, "file")); err != nil {
		return err
	}
	if fi, err := root.Lstat(dir); err == nil && fi.IsDir() {
		return nil
	}
	if err := mkdirs(root, filepath.Dir(dir), mode); err != nil {
		return err
	}
	if mode == 0 {
		mode = 0o755
	}
	if err := root.Mkdir(dir, mode); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return root.SyncDir(filepath.Dir(dir))
}

// rmdirs removes the empty ones of the directories.
func rmdirs(root *disk.Root, dirs []string) {
	for _, dir := range dirs {
		if fi, err := root.Lstat(dir); err == nil && fi.IsDir() { // since the plan, the path may have become a file
			_ = root.Remove(dir) // fails if the directory isn't empty
		}
	}
}
