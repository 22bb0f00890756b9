//go:build unix

package launch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/cli/host"
	"github.com/continuo-tui/continuo/cli/place"
)

func TestImages(t *testing.T) {
	bin, temp := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temp)
	for _, name := range []string{"xdg-open", "open"} {
		script := "#!/bin/sh\nls -l \"$1\" >" + bin + "/seen\nls -ld \"$(dirname \"$1\")\" >>" + bin + "/seen\ncase \"$1\" in *.gif) exit 3;; esac\n"
		if err := os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700); err != nil { //nolint:gosec // a program
			t.Fatal(err)
		}
	}
	env := &place.Env{Host: host.Host{Environ: []string{"PATH=" + bin + ":" + os.Getenv("PATH")}}}
	var images Images
	for _, test := range []struct{ data, name, err string }{
		{"\x89PNG\r\n\x1a\nrest", "image-1.png", ""},
		{"\xff\xd8\xff\xe0rest", "image-2.jpg", ""},
		{"RIFF\x00\x00\x00\x00WEBPVP8 ", "image-3.webp", ""},
		{"GIF89a", "image-4.gif", "could not open"},
		{"<svg xmlns=\"http://www.w3.org/2000/svg\"/>", "", "isn't a PNG"},
		{"#!/bin/sh\nid", "", "isn't a PNG"},
		{"", "", "isn't a PNG"},
		{"RIFF", "", "isn't a PNG"},
	} {
		_ = os.Remove(filepath.Join(bin, "seen"))
		said, err := images.View(t.Context(), env, []byte(test.data))
		seen, _ := os.ReadFile(filepath.Join(bin, "seen"))
		if got := string(seen); test.name == "" && got != "" || test.name != "" && (!strings.HasPrefix(got, "-rw-------") || !strings.Contains(got, "/"+test.name+"\ndrwx------")) {
			t.Errorf("%q: the viewer sees %q", test.data, got)
		}
		if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) || (said == "") != (err != nil) {
			t.Errorf("%q: %q, %v", test.data, said, err)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(temp, "*", "*")); len(left) != 4 {
		t.Errorf("copies %q", left)
	}
	if err := images.Clear(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	env.Host.Environ = []string{"PATH=" + temp}
	if _, err := images.View(t.Context(), env, []byte("\xff\xd8\xff")); err == nil || !strings.Contains(err.Error(), "No program opens images here.") {
		t.Error(err)
	}
	if err := images.Clear(); err != nil {
		t.Error(err)
	}
}
