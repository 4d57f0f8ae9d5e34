package gateway

import "bytes"

// keptBuffer is how large a buffer is kept for the next packet, in bytes.
const keptBuffer = 64 << 10

// inbox holds the packet that is being read. Its memory is used again for the next one.
type inbox struct{ bytes.Buffer }

// release empties it before a packet is waited for. A large packet's memory goes back:
// it is rare, and the wait may be long.
func (b *inbox) release() {
	if b.Cap() > keptBuffer {
		b.Buffer = bytes.Buffer{}
		return
	}
	b.Reset()
}
