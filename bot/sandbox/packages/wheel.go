package main

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
)

// wheel makes the Python package that carries the binary.
func (r release) wheel(p platform, program file) error {
	tags := "py3-none-" + p.wheel
	about := "Metadata-Version: 2.1\nName: " + name + "\nVersion: " + r.python() + "\nSummary: A local Discord to test bots on\n" +
		"License: MIT\nRequires-Python: >=3.9\nDescription-Content-Type: text/markdown\n\n"
	about += string(r.pages[slices.IndexFunc(r.pages, func(f file) bool { return f.name == "README.md" })].data)
	how := "Wheel-Version: 1.0\nGenerator: " + name + "\nRoot-Is-Purelib: false\n"
	for platform := range strings.SplitSeq(p.wheel, ".") {
		how += "Tag: py3-none-" + platform + "\n"
	}
	code, err := read("packages/pip/" + name)
	if err != nil {
		return err
	}
	info := name + "-" + r.python() + ".dist-info"
	files := slices.Concat(under(name, append(code, program)...), under(info, append(r.licence(),
		file{name: "METADATA", data: []byte(about)},
		file{name: "WHEEL", data: []byte(how)},
		file{name: "entry_points.txt", data: []byte("[console_scripts]\n" + name + " = " + name + ".__main__:main\n\n[pytest11]\n" + name + " = " + name + ".pytest_plugin\n")})...))
	record := ""
	for _, f := range sorted(files) {
		sum := sha256.Sum256(f.data)
		record += fmt.Sprintf("%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.data))
	}
	files = append(files, file{name: info + "/RECORD", data: []byte(record + info + "/RECORD,,\n")})
	return writeZip(r.path(name+"-"+r.python()+"-"+tags+".whl"), files)
}
