// Package transport is the transport compression of the Gateway: one compressed
// stream for a whole connection, cut into a frame for each payload. It does not
// read frames: clients never compress.
package transport

import (
	"bytes"
	"compress/zlib"
	"io"

	"github.com/klauspost/compress/zstd"
)

// The names by which a client asks for a compression, as Discord's documentation
// of the Gateway has them.
const (
	Zlib = "zlib-stream"
	Zstd = "zstd-stream"
)

// Stream compresses the payloads of one connection. It is not for several
// goroutines at once.
type Stream struct {
	out bytes.Buffer
	w   flusher
}

type flusher interface {
	io.Writer
	Flush() error
}

// New begins a stream. It reports false for a compression that Discord does not have.
func New(kind string) (*Stream, bool) {
	s := &Stream{}
	switch kind {
	case Zlib:
		s.w = zlib.NewWriter(&s.out)
	case Zstd:
		// One goroutine and a small window: payloads are short, connections many.
		w, err := zstd.NewWriter(&s.out, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(1<<17))
		if err != nil {
			panic(err) // the options are constants
		}
		s.w = w
	default:
		return nil, false
	}
	return s, true
}

// Frame compresses a payload. The frames of a connection belong together: a client
// reads each with what it knows from those before, so none may be left out.
func (s *Stream) Frame(payload []byte) []byte {
	s.out.Reset()
	_, err := s.w.Write(payload)
	if err == nil {
		err = s.w.Flush()
	}
	if err != nil {
		panic(err) // a buffer takes everything
	}
	return bytes.Clone(s.out.Bytes())
}
