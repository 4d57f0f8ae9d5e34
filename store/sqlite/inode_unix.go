//go:build unix

package sqlite

import (
	"os"
	"syscall"
)

// inodeOf returns the number that the file system gives the file, 0 for none.
func inodeOf(info os.FileInfo) int64 {
	if s, ok := info.Sys().(*syscall.Stat_t); ok {
		return int64(s.Ino) //nolint:gosec,unconvert // any number will do; its type differs between systems
	}
	return 0
}
