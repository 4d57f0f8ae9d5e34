package progress

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLine: a shorter text leaves nothing of the longer one before it, the same text is
// written once, and a line that was never written is not taken away.
func TestLine(t *testing.T) {
	var out strings.Builder
	l := To(&out)
	l.Clear()
	for _, part := range []int{9, 10, 10} {
		l.Say("%d %% done", 10*part)
	}
	l.Say("ready")
	l.Clear()
	if got, want := out.String(), "\r90 % done\r100 % done\rready     \r     \r"; got != want {
		t.Errorf("wrote %q, want %q", got, want)
	}
}

// TestFilesAreNoTerminals: what a command writes to a file has no progress in it.
func TestFilesAreNoTerminals(t *testing.T) {
	f, err := os.Create(filepath.Join(t.TempDir(), "log"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	l := On(f)
	l.Say("half")
	l.Clear()
	if info, err := f.Stat(); err != nil || info.Size() > 0 {
		t.Errorf("%d bytes were written, %v", info.Size(), err)
	}
}
