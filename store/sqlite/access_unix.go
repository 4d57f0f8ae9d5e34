//go:build unix

package sqlite

import "golang.org/x/sys/unix"

// mayWrite reports whether this process may write the file or folder. It asks
// without opening, because closing a file would drop the locks that the process
// may hold on it by another connection.
func mayWrite(path string) bool {
	return unix.Faccessat(unix.AT_FDCWD, path, unix.W_OK, unix.AT_EACCESS) == nil
}
