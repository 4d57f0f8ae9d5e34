// Package arena lets the opponents of package strategy play each other and reports
// what comes of it: on 3x3 exactly, by weighing every random tie with rational
// arithmetic, and on larger boards by seeded games with confidence intervals. It
// writes the report as tables or as JSON.
//
// It changes no ratings, keeps no results and never sees a person play: what it
// measures is programs against programs.
package arena
