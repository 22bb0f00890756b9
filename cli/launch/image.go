package launch

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/out"
	"github.com/continuo-tui/continuo/cli/place"
	"github.com/continuo-tui/continuo/internal/disk"
)

// Images keeps copies of images for the desktop's image viewer, in a private temporary directory. The zero value has
// no images.
type Images struct {
	mu    sync.Mutex
	dir   *disk.Root
	names []string
}

// View opens an image in the desktop's image viewer. The type comes from the bytes: a wrong type could start a
// different program.
func (v *Images) View(ctx context.Context, env *place.Env, image []byte) (said string, err error) {
	kind := imageType(image)
	if kind == "" {
		return "", &out.Failure{What: "This isn't a PNG, JPEG, GIF or WebP image. Other files aren't opened."}
	}
	path, err := v.write(kind, image)
	if err != nil {
		return "", &out.Failure{What: "The image cannot be written to " + env.Tilde(os.TempDir()) + ": " + out.Reason(err) + ".", Cause: err}
	}
	switch err = env.Host.View(ctx, path); {
	case errors.Is(err, host.ErrNoProgram):
		return "", &out.Failure{What: "No program opens images here. Install xdg-utils, or run continuo on a desktop.", Cause: err}
	case err != nil:
		return "", &out.Failure{What: "The desktop could not open the image. Is there a viewer for " + kind + " files?", Cause: err}
	}
	return "Opened the image in the viewer.", nil
}

// write writes a copy that only the user can read.
func (v *Images) write(kind string, image []byte) (path string, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.dir == nil {
		if v.dir, err = disk.Make(filepath.Join(os.TempDir(), "continuo-"+rand.Text()), 0o700); err != nil {
			return "", err
		}
	}
	name := "image-" + strconv.Itoa(len(v.names)+1) + "." + kind
	if err := v.dir.Replace(name, image, 0o600); err != nil {
		return "", err
	}
	v.names = append(v.names, name)
	return v.dir.At(name), nil
}

// Clear deletes the copies and their directory.
func (v *Images) Clear() error {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.dir == nil {
		return nil
	}
	var errs []error
	for _, name := range v.names {
		errs = append(errs, v.dir.Remove(name))
	}
	dir := v.dir.At(".")
	errs = append(errs, v.dir.Close())
	parent, err := disk.Open(filepath.Dir(dir))
	if err == nil {
		err = errors.Join(parent.Remove(filepath.Base(dir)), parent.Close())
	}
	v.dir, v.names = nil, nil
	return errors.Join(append(errs, err)...)
}

// imageType returns the type for the first bytes of an image; "" for other files.
func imageType(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return "png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return "jpg"
	case bytes.HasPrefix(data, []byte("GIF87a")), bytes.HasPrefix(data, []byte("GIF89a")):
		return "gif"
	case len(data) >= 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "webp"
	}
	return ""
}
