//go:build ignore

// Command types reads this module and the local Discord's, with their tests, as they are for
// other platforms, and says where a type is wrong. It reads no functions of what they import,
// so it takes a fraction of the time that compiling takes. Its arguments are platforms, such
// as windows/amd64.
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	wrong := 0
	for _, platform := range os.Args[1:] {
		system, architecture, _ := strings.Cut(platform, "/")
		read, err := packages.Load(&packages.Config{
			Mode:  packages.LoadAllSyntax,
			Tests: architecture != "arm", // they have numbers of 64 bits
			Env:   append(os.Environ(), "GOOS="+system, "GOARCH="+architecture, "CGO_ENABLED=0"),
		}, "./...", "tictactoe/bot/sandbox/...")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		wrong += packages.PrintErrors(read)
		fmt.Println(platform, len(read), "packages")
	}
	if wrong > 0 {
		os.Exit(1)
	}
}
