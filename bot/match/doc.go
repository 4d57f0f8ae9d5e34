// Package match is how matches and challenges change: each function takes a record,
// what somebody wants and the time, and returns the new record or the reason why
// there is none (errors.go lists them all). It also says what is on offer: boards,
// opponents, and who begins.
//
// Every end of a match is made by [End].
//
// It stores nothing, shows nothing, knows no Discord and rolls no dice.
package match
