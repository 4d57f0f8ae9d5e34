package transport_test

import (
	"bytes"
	"compress/zlib"
	"io"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"tictactoe/bot/sandbox/transport"
)

// TestFrames reads each frame as soon as it is there, as a client does.
func TestFrames(t *testing.T) {
	payloads := []string{`{"op":10}`, strings.Repeat(`{"op":0,"d":"same"}`, 5000), `{"op":11}`, ""}
	open := map[string]func(io.Reader) (io.Reader, error){
		transport.Zlib: func(r io.Reader) (io.Reader, error) { return zlib.NewReader(r) },
		transport.Zstd: func(r io.Reader) (io.Reader, error) { return zstd.NewReader(r, zstd.WithDecoderConcurrency(1)) },
	}
	for kind, reader := range open {
		s, ok := transport.New(kind)
		if !ok {
			t.Fatalf("%s is not offered", kind)
		}
		// The reader waits for the next frame, as on a socket.
		wire, sent := io.Pipe()
		var r io.Reader
		for i, p := range payloads {
			f := s.Frame([]byte(p))
			if len(p) > 1000 && len(f) > len(p)/10 {
				t.Errorf("%s: %d bytes became %d", kind, len(p), len(f))
			}
			if kind == transport.Zlib && !bytes.HasSuffix(f, []byte{0, 0, 0xff, 0xff}) {
				t.Errorf("frame %d does not end as Discord's documentation says: % x", i, f)
			}
			go func() { _, _ = sent.Write(f) }()
			if r == nil {
				var err error
				if r, err = reader(wire); err != nil {
					t.Fatal(err)
				}
			}
			got := make([]byte, len(p))
			if _, err := io.ReadFull(r, got); err != nil || string(got) != p {
				t.Errorf("%s: frame %d: %v", kind, i, err)
			}
		}
		_ = wire.Close()
	}
}

func TestUnknown(t *testing.T) {
	for _, kind := range []string{"", "gzip", "ZLIB-STREAM"} {
		if _, ok := transport.New(kind); ok {
			t.Errorf("%q is offered", kind)
		}
	}
}
