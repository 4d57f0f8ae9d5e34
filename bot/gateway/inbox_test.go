package gateway

import "testing"

// An idle connection keeps no more than the buffer of an ordinary packet, whatever it
// carried before, and allocates none for the next ordinary one.
func TestInboxKeepsLittle(t *testing.T) {
	var in inbox
	in.Grow(keptBuffer + 1)
	_, _ = in.WriteString("a large packet") // it never fails
	in.release()
	if in.Len() > 0 || in.Cap() > keptBuffer {
		t.Errorf("after a large packet: got %d bytes in a buffer of %d, want none in at most %d", in.Len(), in.Cap(), keptBuffer)
	}
	_, _ = in.WriteString("an ordinary packet")
	before := in.Cap()
	in.release()
	if in.Len() > 0 || in.Cap() != before {
		t.Errorf("after an ordinary packet: got %d bytes in a buffer of %d, want none in %d", in.Len(), in.Cap(), before)
	}
}
