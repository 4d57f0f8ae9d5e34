package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// file is one inside of a package.
type file struct {
	name string // with slashes
	data []byte
	runs bool // somebody may start it
}

func (f file) mode() os.FileMode {
	if f.runs {
		return 0o755
	}
	return 0o644
}

// under puts files into a folder.
func under(folder string, files ...file) (moved []file) {
	for _, f := range files {
		f.name = path.Join(folder, f.name)
		moved = append(moved, f)
	}
	return moved
}

// read reads the files of a folder, but not of those in it.
func read(folder string) (files []file, err error) {
	entries, err := os.ReadDir(folder)
	for _, e := range entries {
		if !e.Type().IsRegular() {
			continue
		}
		data, err := os.ReadFile(path.Join(folder, e.Name())) //nolint:gosec // of the module
		if err != nil {
			return nil, err
		}
		files = append(files, file{name: e.Name(), data: data})
	}
	return files, err
}

// when is the time of every file: the first that a zip file can tell.
var when = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

func sorted(files []file) []file {
	return slices.SortedFunc(slices.Values(files), func(a, b file) int { return strings.Compare(a.name, b.name) })
}

// write makes a file that everybody may read, and the folder that it is in.
func write(to string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil { //nolint:gosec // likewise
		return err
	}
	return os.WriteFile(to, data, 0o644) //nolint:gosec // on purpose
}

// writeTarball writes a .tgz.
func writeTarball(to string, files []file) error {
	var b bytes.Buffer // which does not fail
	packed := gzip.NewWriter(&b)
	w := tar.NewWriter(packed)
	for _, f := range sorted(files) {
		h := tar.Header{Typeflag: tar.TypeReg, Name: f.name, Mode: int64(f.mode()), Size: int64(len(f.data)), ModTime: when}
		if err := w.WriteHeader(&h); err != nil {
			return err
		}
		_, _ = w.Write(f.data)
	}
	if err := w.Close(); err != nil {
		return err
	}
	_ = packed.Close()
	return write(to, b.Bytes())
}

// writeZip writes a .zip.
func writeZip(to string, files []file) error {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, f := range sorted(files) {
		h := zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: when}
		h.SetMode(f.mode())
		in, err := w.CreateHeader(&h)
		if err != nil {
			return err
		}
		_, _ = in.Write(f.data)
	}
	if err := w.Close(); err != nil {
		return err
	}
	return write(to, b.Bytes())
}
