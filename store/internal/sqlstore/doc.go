// Package sqlstore keeps what package store promises in a database that speaks SQL: what the
// databases of this program have in common, which is nearly all.
//
// The columns of a table are listed once, with what a change may do with each; what stores and
// reads whole records is made of these lists. Every statement is a [Query], made once. [Store]
// has the methods of the contract. It asks little of a database: see [DB]. What a change stores
// is a [Plan], which waits in a [Queue] for the one goroutine that writes. What Discord shows
// is [Waiting] until a commit takes it along.
//
// The package opens nothing and knows no driver.
package sqlstore
