package host

import (
	"cmp"
	"runtime/debug"
	"strings"
)

// Version says how this program was built, in one line: its version, the commit and its
// date where the Go tool knew them, and the version of Go. Set is the version that the
// build has set; where it is "" the Go tool's own stands.
func Version(set string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return version(set, info)
}

func version(set string, info *debug.BuildInfo) string {
	known := info.Main.Version
	if known == "(devel)" {
		known = ""
	}
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	commit := settings["vcs.revision"]
	parts := []string{cmp.Or(set, known, "devel")}
	for _, part := range []string{commit[:min(12, len(commit))], settings["vcs.time"], info.GoVersion} {
		if !strings.Contains(parts[0], part) {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, " ")
}
