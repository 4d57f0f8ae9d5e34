// Package metrics counts and times what the bot does, for Prometheus, and serves that
// together with Go's profiles. README.md beside this file names every figure and what to
// be woken up for; dashboard.json shows them in Grafana.
//
// No label has more values than the program has commands, routes and reasons: nothing
// that people send becomes one. The package decides nothing and keeps nothing, and
// nobody outside the operator's machines is meant to reach what it serves.
package metrics
