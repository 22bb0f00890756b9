package cli

import (
	"os"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// bindRoot makes file permissions apply to root: it restarts the tests without two capabilities.
func bindRoot() {
	if os.Geteuid() != 0 {
		return
	}
	runtime.LockOSThread() // capabilities belong to a thread
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
