package customid

import "math"

// markers is where the markers start, and again where those start of pictures that were
// drawn again. Discord numbers the components of a message from 1 where nobody else does,
// and a message has 40 of them at most.
const (
	markers = 1 << 20
	again   = 1 << 21
)

// Marker returns the number that a board gives its first component, so that a click
// tells which position stood there: Discord sends the message along as it was when it
// took the click. A number of a component has 32 bits and is unique in its message
// (Discord's documentation, Anatomy of a Component). ply is how many moves have been
// made.
func Marker(ply int) int { return markers + ply }

// AgainMarker is Marker for a picture that replaces one which shows the same and which
// people have had the time to look at. The edit says nothing then of what they have seen.
func AgainMarker(ply int) int { return again + ply }

// Again reports whether the marker is of such a picture.
func Again(marker int) bool { return marker >= again && marker <= math.MaxInt32 }

// PlyOf returns what Marker or AgainMarker was given. ok is false for any other number of a
// component: messages of older versions have no marker.
func PlyOf(marker int) (ply int, ok bool) {
	if marker < markers || marker > math.MaxInt32 {
		return 0, false
	}
	if marker >= again {
		return marker - again, true
	}
	return marker - markers, true
}
