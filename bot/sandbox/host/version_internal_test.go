package host

import (
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	commit := []debug.BuildSetting{
		{Key: "vcs.time", Value: "2026-11-26T14:06:33Z"},
		{Key: "vcs.revision", Value: "5b7cd1c0aa1122334455667788990011223344ff"},
	}
	for _, c := range []struct {
		name, set string
		info      debug.BuildInfo
		want      string
	}{
		{"a release", "1.4.2", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.4.2"}, Settings: commit}, "1.4.2 5b7cd1c0aa11 2026-11-26T14:06:33Z go1.26.8"},
		{"a clone", "", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v0.0.0-20261126140633-5b7cd1c0aa11"}, Settings: commit}, "v0.0.0-20261126140633-5b7cd1c0aa11 2026-11-26T14:06:33Z go1.26.8"},
		{"an image, without the repository", "1.4.2", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}}, "1.4.2 go1.26.8"},
		{"no repository", "", debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}}, "devel go1.26.8"},
		{"nothing", "", debug.BuildInfo{}, "devel"},
	} {
		if got := version(c.set, &c.info); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}
