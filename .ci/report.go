//go:build ignore

// Command report reads the output of go test -json, prints what failed, a line for
// each package and every test that skipped, and fails if any did: on the machine
// that runs all tests everything that they need is there. With -later tests may skip
// for a reason that the pattern matches: another run has them.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"strings"
)

type event struct {
	Action, Package, Test, Output string
	Elapsed                       float64
}

func main() {
	later := flag.String("later", "", "pattern of reasons for which tests may skip")
	flag.Parse()
	mayWait := regexp.MustCompile(*later)
	f, err := os.Open(flag.Arg(0))
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	outputs := map[string][]string{}
	var reasons []string
	var passed, failed, skipped, postponed int
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var e event
		if json.Unmarshal(lines.Bytes(), &e) != nil {
			fmt.Println(lines.Text()) // the compiler's own words
			continue
		}
		key := e.Package + " " + e.Test
		switch e.Action {
		case "output", "build-output":
			outputs[key] = append(outputs[key], e.Output)
			if e.Action == "build-output" || e.Test == "" && (strings.HasPrefix(e.Output, "ok ") || strings.HasPrefix(e.Output, "FAIL") || strings.HasPrefix(e.Output, "---") || strings.HasPrefix(e.Output, "?")) {
				fmt.Print(e.Output)
			}
		case "pass":
			if e.Test != "" {
				passed++
			}
			delete(outputs, key)
		case "skip":
			reason := strings.Join(outputs[key], "")
			switch {
			case e.Test == "": // a package without tests
			case *later != "" && mayWait.MatchString(reason):
				postponed++
			default:
				skipped++
				fmt.Printf("SKIP %s\n%s", key, reason)
			}
			delete(outputs, key)
		case "fail":
			failed++
			out := strings.Join(outputs[key], "")
			fmt.Printf("FAIL %s\n%s\n", key, shortened(out))
			for _, line := range said.FindAllString(out, 5) {
				reasons = append(reasons, key+": "+strings.TrimSpace(line))
			}
			delete(outputs, key)
			if e.Test == "" {
				// A test in which the process ended has no end of its own: its words say why.
				for unended, lines := range outputs {
					if strings.HasPrefix(unended, key) {
						fmt.Printf("NOT ENDED %s\n%s\n", unended, shortened(strings.Join(lines, "")))
						delete(outputs, unended)
					}
				}
			}
		}
	}
	if postponed > 0 {
		fmt.Printf("%d tests are left for another run\n", postponed)
	}
	for _, reason := range reasons[:min(len(reasons), 40)] { // once more: of a long output often only the end is kept
		fmt.Println(reason)
	}
	fmt.Printf("tests: %d passed, %d failed, %d skipped\n", passed, failed, skipped)
	if failed > 0 || skipped > 0 || passed == 0 {
		os.Exit(1)
	}
}

// shortened leaves the middle out of what is long, but for what tests say themselves: there is
// why they failed, and behind it often thousands of lines of a log.
func shortened(out string) string {
	const first, last = 4_000, 16_000
	if len(out) <= first+last {
		return out
	}
	said := said.FindAllString(out[first:len(out)-last], 100)
	return out[:first] + "\n[...]\n" + strings.Join(said, "\n") + "\n[...]\n" + out[len(out)-last:]
}

var said = regexp.MustCompile(`(?m)^ +[a-z0-9_]+\.go:[0-9]+: .*|^WARNING: DATA RACE|^panic: .*`)
