package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// fate says what becomes of an SQLite file with the container that this process is in; ""
// where it stays, as far as Linux tells, and for another database.
func (d database) fate() string {
	mounts, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil || d.path == "" {
		return "" // no Linux, or none that tells
	}
	folder, err := filepath.Abs(filepath.Dir(d.path))
	if err != nil {
		return ""
	}
	if real, err := filepath.EvalSymlinks(folder); err == nil {
		folder = real
	}
	return fateIn(string(mounts), folder)
}

// anonymous is what is mounted of a volume to which Docker or Podman gave a name.
var anonymous = regexp.MustCompile(`/volumes/[0-9a-f]{64}/_data$`)

// unescape undoes what stands for spaces in lists of mounts.
var unescape = strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)

// fateIn is fate for a folder, by what proc_pid_mountinfo(5) describes.
func fateIn(mounts, folder string) string {
	var point, root, kind string // of the mount that the folder is in
	for line := range strings.Lines(mounts) {
		fields := strings.Fields(line)
		dash := slices.Index(fields, "-")
		if dash < 6 || dash+1 == len(fields) {
			continue
		}
		at := strings.TrimSuffix(unescape.Replace(fields[4]), "/") + "/"
		if len(at) >= len(point) && strings.HasPrefix(folder+"/", at) { // a later one covers the same
			point, root, kind = at, fields[3], fields[dash+1]
		}
	}
	switch {
	case anonymous.MatchString(root):
		return "the database is in a volume without a name: another container does not find it, and --rm deletes it"
	case kind == "overlay" || kind == "fuse.fuse-overlayfs":
		return "the database is in the container itself and is lost with it"
	}
	return ""
}
