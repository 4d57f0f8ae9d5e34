package customid

import (
	"strconv"
	"strings"
)

// markers is where the markers start, and again where those start of pictures that were
// drawn again. Discord numbers the components of a message from 1 where nobody else does,
// and a message has 40 of them at most.
const (
	markers = 1 << 20
	again   = 2 << 20
	end     = 3 << 20
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
func Again(marker int) bool { return again <= marker && marker < end }

// PlyOf returns what Marker or AgainMarker was given. ok is false for any other number of a
// component: messages of older versions have no marker.
func PlyOf(marker int) (ply int, ok bool) {
	if marker < markers || end <= marker {
		return 0, false
	}
	return marker % markers, true
}

// Caption returns the marker as a line of small print, for where Discord does not leave
// components their numbers; "" for a number that is no marker.
func Caption(marker int) string {
	ply, ok := PlyOf(marker)
	switch {
	case !ok:
		return ""
	case Again(marker):
		return small + strconv.Itoa(ply) + settled
	default:
		return small + strconv.Itoa(ply)
	}
}

// Captioned returns the marker whose caption is the last line of a text. No text of ours ends
// with such a line otherwise.
func Captioned(text string) (marker int, ok bool) {
	line := text[strings.LastIndexByte(text, '\n')+1:]
	number, ok := strings.CutPrefix(line, small)
	if !ok {
		return 0, false
	}
	number, drawnAgain := strings.CutSuffix(number, settled)
	marker, err := strconv.Atoi(number)
	if marker += markers; drawnAgain {
		marker += again - markers
	}
	return marker, err == nil && Caption(marker) == line
}

const (
	small   = "-# "
	settled = "·"
)
