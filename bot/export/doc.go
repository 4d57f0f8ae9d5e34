// Package export writes what is kept about a person as one JSON file, for that person.
//
// It reads nothing and knows neither Discord nor a database: rows of [store.KeptParts] go
// in, a file comes out. What fields mean stands at the beginning of each file, since that is
// all that its reader has.
package export
