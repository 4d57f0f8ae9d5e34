// Package foreign holds bots in libraries that nobody here wrote. Its tests run
// them as processes against the local Discord, unmodified but for the address, and
// let people use them. What they get right says more about the local Discord than
// any client of our own could.
//
// The tests need Node with the packages of package-lock.json (NODE_PATH names their
// folder), Debian's python3-discord, and disgo in Go's module cache; what is missing
// is skipped with the command that installs it.
package foreign
