package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
)

// hosted is a path of a module under a host. What has capitals would need another name in
// a proxy, and so would a major version above 1.
var hosted = regexp.MustCompile(`^[a-z0-9-]+(\.[a-z0-9-]+)+(/[a-z0-9][a-z0-9._-]*)+$`)

// module lays the module out under another path, in a folder for one version.
func (r release) module(to string) error {
	if !hosted.MatchString(to) {
		return fmt.Errorf("%q is not a path such as example.com/%s", to, name)
	}
	files, err := sources(to)
	if err != nil {
		return err
	}
	v := "v" + r.version
	manifest := files[slices.IndexFunc(files, func(f file) bool { return f.name == "go.mod" })].data
	at := r.path(to, "@v", v)
	return errors.Join(write(r.path(to, "@v", "list"), []byte(v+"\n")), write(at+".mod", manifest),
		write(at+".info", fmt.Appendf(nil, `{"Version":%q}`+"\n", v)),
		writeZip(at+".zip", under(to+"@"+v, append(files, r.licence()...)...)))
}

// sources are the module's files with another path for it, but not those of modules in it.
func sources(to string) (files []file, err error) {
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			if _, err := os.Stat(filepath.Join(path, "go.mod")); path != "." && (err == nil || d.Name()[0] == '.' || d.Name() == "node_modules") {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular() || d.Name()[0] == '.':
			return nil
		}
		data, err := os.ReadFile(path) //nolint:gosec // of the module
		if filepath.Ext(path) == ".go" || path == "go.mod" {
			data = bytes.ReplaceAll(data, []byte(module), []byte(to))
		}
		files = append(files, file{name: filepath.ToSlash(path), data: data})
		return err
	})
	return files, err
}
