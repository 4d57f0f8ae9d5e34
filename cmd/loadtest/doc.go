// Package loadtest measures a bot under load: simulated people in many channels
// of a local Discord play one game after the other with it, beside a bot that
// only acknowledges. Every bot is a process of its own, so that its CPU time and
// memory are its own as well.
//
// It measures and does not judge: what the figures ought to be is for whoever
// reads them. The README beside this file says how.
package loadtest
