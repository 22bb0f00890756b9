package host

import (
	"context"
	"os/exec"
	"runtime"
	"time"
)

// viewerWait is how long View waits for the viewer to fail. A viewer that runs longer has opened the file.
const viewerWait = 2 * time.Second

// View opens a file with the default program of the desktop. This program keeps running when continuo ends. The
// path is one argument, and no shell is used. If the system has no way to open a file, the error is ErrNoProgram.
// Otherwise, it may be an *ExitError.
func (h Host) View(ctx context.Context, path string) error {
	argv := []string{"xdg-open", path}
	switch runtime.GOOS {
	case "darwin":
		argv[0] = "open"
	case "windows":
		argv = []string{"rundll32.exe", "url.dll,FileProtocolHandler", path}
	}
	program, err := h.LookPath(argv[0])
	if err != nil {
		return err
	}
	cmd := exec.CommandContext(context.WithoutCancel(ctx), program, argv[1:]...)
	cmd.Env = append([]string{}, h.Environ...)
	inGroup(cmd) // so ctrl+c in the terminal doesn't end it
	if err := cmd.Start(); err != nil {
		return bare(err)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(viewerWait):
	case <-ctx.Done():
	}
	return nil
}
