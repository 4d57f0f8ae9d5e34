package main

import (
	"encoding/json"
	"slices"
	"strings"
)

// npmPlatform makes the npm package that carries the binary. npm installs it where system
// and processor fit.
func (r release) npmPlatform(p platform, program file) error {
	manifest := encode(map[string]any{
		"name": p.npm(), "version": r.version, "license": "MIT", "description": "The program of " + name + " for " + p.system + " on " + p.arch,
		"os": []string{p.system}, "cpu": []string{p.arch}, "preferUnplugged": true, // out of an archive it could not be started
	})
	files := append([]file{program, {name: "package.json", data: manifest}}, r.licence()...)
	return writeTarball(r.path(strings.NewReplacer("@", "", "/", "-").Replace(p.npm())+"-"+r.version+".tgz"), under("package", files...))
}

// npmCommon makes the one that people install, which asks for all of those.
func (r release) npmCommon() error {
	files, err := read("packages/npm")
	if err != nil {
		return err
	}
	i := slices.IndexFunc(files, func(f file) bool { return f.name == "package.json" })
	var manifest map[string]any
	if err := json.Unmarshal(files[i].data, &manifest); err != nil {
		return err
	}
	each := map[string]string{}
	for _, p := range platforms {
		each[p.npm()] = r.version
	}
	manifest["version"], manifest["optionalDependencies"] = r.version, each
	files[i].data = encode(manifest)
	return writeTarball(r.path(name+"-"+r.version+".tgz"), under("package", append(files, r.pages...)...))
}

func (r release) licence() []file {
	return slices.DeleteFunc(slices.Clone(r.pages), func(f file) bool { return f.name != "LICENSE" })
}

func encode(manifest map[string]any) []byte {
	b, _ := json.MarshalIndent(manifest, "", "  ") // strings always encode
	return append(b, '\n')
}
