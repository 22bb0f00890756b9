package host

import (
	"context"
	"os/exec"
	"runtime"
	"time"
)

// viewerWait is how long View waits for a failure. A program that still runs has opened the file.
const viewerWait = 2 * time.Second

// View opens a file with the desktop's default program, which may outlive continuo. No shell is used. The error is
// ErrNoProgram if the system can't open files. Otherwise, it may be an *ExitError.
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
	inGroup(cmd) // keeps ctrl+c in the terminal away from the viewer
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
