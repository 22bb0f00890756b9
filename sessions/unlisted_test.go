package sessions

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestUnlisted: broken and circular links in projects/ are reported. A file isn't.
func TestUnlisted(t *testing.T) {
	t.Parallel()
	const id = "3f9ac1e0-5b7d-4e21-9c0a-41d2b6e87f35"
	dir := t.TempDir()
	projects := filepath.Join(dir, "projects")
	have, empty := filepath.Join(projects, "-srv-x"), filepath.Join(projects, "-srv-y")
	for _, d := range []string{have, empty} {
		if err := os.MkdirAll(d, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{filepath.Join(have, id+".jsonl"), filepath.Join(projects, "a file")} {
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	look := func() (paths, unlisted, found []string) {
		paths, errs := FilesOf([]string{dir, filepath.Join(dir, "none")}, id)
		for _, err := range errs {
			unlisted = append(unlisted, err.Path)
		}
		set, err := Find(t.Context(), Options{Dirs: []string{dir}})
		if err != nil {
			t.Fatal(err)
		}
		for _, err := range set.Problems {
			found = append(found, strings.TrimPrefix(strings.Split(err.Error(), ": ")[0], "project directory "))
		}
		slices.Sort(found)
		if set.Unlisted() != (len(found) > 0) {
			t.Errorf("unlisted %v, problems %v", set.Unlisted(), found)
		}
		return paths, unlisted, found
	}
	paths, unlisted, found := look()
	if !slices.Equal(paths, []string{filepath.Join(have, id+".jsonl")}) || len(unlisted)+len(found) > 0 {
		t.Errorf("%v, unlisted %v, %v", paths, unlisted, found)
	}
	loop, nowhere := filepath.Join(projects, "-srv-loop"), filepath.Join(projects, "-srv-nowhere")
	for link, to := range map[string]string{loop: loop, nowhere: filepath.Join(dir, "unmounted")} {
		if err := os.Symlink(to, link); err != nil {
			t.Skip(err)
		}
	}
	paths, unlisted, found = look()
	want := []string{loop, nowhere}
	if len(paths) != 1 || !slices.Equal(unlisted, want) || !slices.Equal(found, want) {
		t.Errorf("%v, unlisted %v, %v", paths, unlisted, found)
	}
	if err := os.RemoveAll(projects); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(projects, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if paths, unlisted, found = look(); len(paths) > 0 || !slices.Equal(unlisted, []string{projects}) || !slices.Equal(found, []string{projects}) {
		t.Errorf("a file as projects: %v, unlisted %v, %v", paths, unlisted, found)
	}
}

func TestMayConcern(t *testing.T) {
	t.Parallel()
	long := "/srv/" + strings.Repeat("x", 300)
	for _, c := range []struct {
		slug, folder string
		want         bool
	}{
		{Slug("/srv/tea"), "/srv/tea", true},
		{Slug("/srv/tea/inner"), "/srv/tea", true},
		{Slug("/srv/teapot"), "/srv/tea", false},
		{Slug("/srv"), "/srv/tea", false},
		{"", "/srv/tea", true},
		{Slug(long), long, true},
		{"myteam", "/srv/tea", true}, // a name that was set with CLAUDE_CODE_PROJECT_DIR_NAME
		{"", long, true},
		{Slug(long + "/inner"), long, true},
		{Slug("/srv/tea"), long, false},
		{Slug("/srv/" + strings.Repeat("x", 190) + "/inner"), "/srv/" + strings.Repeat("x", 190), true},
	} {
		if got := (&UnlistedError{Slug: c.slug}).MayConcern(c.folder); got != c.want {
			t.Errorf("%s of %s: %v", c.slug, c.folder, got)
		}
	}
}
