//go:build !unix

package sqlite

// mayWrite cannot ask here: the first write will tell.
func mayWrite(string) bool { return true }
