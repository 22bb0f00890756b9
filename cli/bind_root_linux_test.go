package cli

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// bindRoot makes file permissions apply to tests that run as root: it restarts the test binary without CAP_DAC_OVERRIDE
// and CAP_DAC_READ_SEARCH. For other users, it does nothing.
func bindRoot() {
	if os.Geteuid() != 0 {
		return
	}
	runtime.LockOSThread() // capabilities belong to a thread, and exec keeps those of the calling thread
	for _, capability := range []uintptr{1, 2} {
		if _, _, errno := syscall.RawSyscall(syscall.SYS_PRCTL, syscall.PR_CAPBSET_DROP, capability, 0); errno != 0 {
			panic("drop a capability: " + errno.Error())
		}
	}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, bindRootEnv+"=") })
	name, err := os.Executable()
	if err == nil {
		err = syscall.Exec(name, os.Args, env)
	}
	panic(err)
}
