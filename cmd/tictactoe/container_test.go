package main

import (
	"strings"
	"testing"
)

func TestFateInAContainer(t *testing.T) {
	const (
		overlay = "612 524 0:57 / / rw,relatime master:201 - overlay overlay rw,lowerdir=/var/lib/docker/overlay2/l/A,workdir=/w\n"
		proc    = "613 612 0:60 / /proc rw,nosuid - proc proc rw\n"
		hex     = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"
		lost    = "lost with it"
		unnamed = "without a name"
	)
	volume := func(root, point string) string {
		return "620 612 8:1 " + root + " " + point + " rw,relatime master:1 - ext4 /dev/sda1 rw\n"
	}
	for name, c := range map[string]struct{ mounts, folder, want string }{
		"no volume":                {overlay + proc, "/data", lost},
		"a folder of the root":     {overlay, "/", lost},
		"Podman without root":      {strings.Replace(overlay, "- overlay overlay", "- fuse.fuse-overlayfs fuse-overlayfs", 1), "/data", lost},
		"an anonymous volume":      {overlay + volume("/var/lib/docker/volumes/"+hex+"/_data", "/data"), "/data", unnamed},
		"of a disk of its own":     {overlay + volume("/volumes/"+hex+"/_data", "/data"), "/data/deeper", unnamed},
		"a named volume":           {overlay + volume("/var/lib/docker/volumes/tictactoe/_data", "/data"), "/data", ""},
		"named nearly so":          {overlay + volume("/var/lib/docker/volumes/"+hex[1:]+"/_data", "/data"), "/data", ""},
		"a folder of the host":     {overlay + volume("/srv/games", "/data"), "/data", ""},
		"beside the volume":        {overlay + volume("/srv/games", "/data"), "/database", lost},
		"with a space":             {overlay + volume("/srv/games", `/my\040data`), "/my data", ""},
		"covered by a later one":   {overlay + volume("/srv/games", "/data") + volume("/var/lib/docker/volumes/"+hex+"/_data", "/data"), "/data", unnamed},
		"a machine":                {"28 1 254:1 / / rw,relatime shared:1 - ext4 /dev/vda1 rw\n", "/home/ada", ""},
		"nothing that is readable": {"what is this\n\n1 2 3 - \n" + strings.Repeat("x ", 9), "/data", ""},
	} {
		got := fateIn(c.mounts, c.folder)
		if (got == "") != (c.want == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
