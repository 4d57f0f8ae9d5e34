package sqlite

import (
	"net/url"
	"runtime"
	"strconv"
	"strings"
)

// dsn returns the name under which the driver opens the file.
func dsn(path string, o options, params map[string]string, pragmas ...string) string {
	q := url.Values{}
	// Before everything else: the other pragmas may have to wait for a lock.
	q.Add("_pragma", "busy_timeout("+strconv.FormatInt(o.busy.Milliseconds(), 10)+")")
	for _, p := range pragmas {
		q.Add("_pragma", p)
	}
	for k, v := range params {
		q.Set(k, v)
	}
	if o.vfs != "" {
		q.Set("vfs", o.vfs)
	}
	return fileURI(runtime.GOOS, path) + "?" + q.Encode()
}

// fileURI returns the absolute path as SQLite takes it (documentation, URI Filenames):
// without a host, since SQLite refuses any. On Windows a drive letter stands behind a
// slash, which SQLite takes off, and a share is a path that begins with two.
func fileURI(goos, path string) string {
	if goos == "windows" {
		if rest, ok := strings.CutPrefix(path, `\\?\UNC\`); ok {
			path = `\\` + rest
		}
		path = strings.TrimPrefix(path, `\\?\`)
		path = strings.ReplaceAll(path, `\`, "/")
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
