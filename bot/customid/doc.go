// Package customid is the typed form of the custom IDs that buttons carry: which
// action, on which record, as drawn at which ply. [Parse] reads what [ID.String]
// writes and refuses everything else; a custom ID comes from outside and gives no
// rights.
package customid
