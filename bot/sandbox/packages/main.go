// Command packages makes what people install. It runs in the module's folder:
//
//	go run ./packages binary BINARY VERSION OUT
//	go run ./packages module PATH VERSION OUT
//
// The first puts a static build of cmd/sandbox into an npm package and a Python wheel of
// the platform that it was built for, beside the npm package of all platforms, which is
// the same every time. The second gives the module a path with a host and lays it out as a
// Go module proxy serves it, in a folder for this version alone. VERSION is 1.2.3 or
// 1.2.3-rc.1.
package main

import (
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// name is what the packages, their commands and the Python module are called.
const name = "guildbox"

// module is the path in this repository, which has no host.
const module = "tictactoe/bot/sandbox"

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packages:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 4 {
		return errors.New("want binary BINARY VERSION OUT or module PATH VERSION OUT")
	}
	if !versions.MatchString(args[2]) {
		return fmt.Errorf("%q is not a version such as 1.2.3 or 1.2.3-rc.1", args[2])
	}
	r, err := newRelease(args[2], args[3])
	if err != nil {
		return err
	}
	switch args[0] {
	case "binary":
		return r.binary(args[1])
	case "module":
		return r.module(args[1])
	}
	return fmt.Errorf("%q is neither binary nor module", args[0])
}

var versions = regexp.MustCompile(`^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-rc\.(0|[1-9]\d*))?$`)

// release makes files of one version.
type release struct {
	version string // as npm writes it, and Go behind a v
	out     string
	pages   []file // the licence and what there is to read, for every package
}

// python is the version as Python writes it.
func (r release) python() string { return strings.Replace(r.version, "-rc.", "rc", 1) }

func newRelease(version, out string) (release, error) {
	if _, err := os.Stat("cmd/sandbox"); err != nil {
		return release{}, errors.New("this folder is not the module's")
	}
	here, err := filepath.Abs(".")
	if err != nil {
		return release{}, err
	}
	if to, err := filepath.Abs(out); err != nil || strings.HasPrefix(to, here+string(filepath.Separator)) {
		return release{}, fmt.Errorf("%s is in the module, which it would become a part of", out)
	}
	r := release{version: version, out: out}
	for name, from := range map[string]string{"LICENSE": "../../LICENSE", "README.md": "README.md", "MANUAL.md": "MANUAL.md", "SERVED.md": "SERVED.md"} {
		text, err := os.ReadFile(from) //nolint:gosec // one of four
		if err != nil {
			return release{}, err
		}
		r.pages = append(r.pages, file{name: name, data: text})
	}
	return r, nil
}

// platform is one that there are packages for, as each of those who install calls it.
type platform struct{ system, arch, wheel string }

// platforms are those by their names in Go. A static binary runs beside every C library;
// the oldest macOS is the one that Go supports.
var platforms = map[string]platform{
	"linux/amd64":   {"linux", "x64", "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64"},
	"linux/arm64":   {"linux", "arm64", "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64"},
	"darwin/amd64":  {"darwin", "x64", "macosx_12_0_x86_64"},
	"darwin/arm64":  {"darwin", "arm64", "macosx_12_0_arm64"},
	"windows/amd64": {"win32", "x64", "win_amd64"},
	"windows/arm64": {"win32", "arm64", "win_arm64"},
}

func (p platform) npm() string { return "@" + name + "/" + p.system + "-" + p.arch }

// program is what the binary is called inside of packages.
func (p platform) program() string {
	if p.system == "win32" {
		return name + ".exe"
	}
	return name
}

// binary makes the packages that carry a binary.
func (r release) binary(path string) error {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return err
	}
	set := map[string]string{}
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	p, ok := platforms[set["GOOS"]+"/"+set["GOARCH"]]
	switch {
	case info.Path != module+"/cmd/sandbox":
		return fmt.Errorf("%s is %s, not %s/cmd/sandbox", path, info.Path, module)
	case !ok:
		return fmt.Errorf("%s is for %s/%s, which has no package", path, set["GOOS"], set["GOARCH"])
	case p.system == "linux" && set["CGO_ENABLED"] != "0":
		return fmt.Errorf("%s needs a C library: build it with CGO_ENABLED=0", path)
	}
	data, err := os.ReadFile(path) //nolint:gosec // which the command line names
	if err != nil {
		return err
	}
	program := file{name: p.program(), data: data, runs: true}
	return errors.Join(r.npmPlatform(p, program), r.npmCommon(), r.wheel(p, program))
}

func (r release) path(elem ...string) string {
	return filepath.Join(append([]string{r.out}, elem...)...)
}
