package script

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"tictactoe/bot/sandbox/waittest"

	"github.com/rogpeppe/go-internal/testscript"
)

// trial is a test that may fail: it only takes note of that.
type trial struct {
	*testing.T
	failed bool
	said   strings.Builder
}

func (t *trial) Run(_ string, f func(testscript.T)) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		f(t)
	}()
	<-done
}

func (t *trial) FailNow() {
	t.failed = true
	runtime.Goexit()
}

func (t *trial) Fatal(a ...any) {
	t.Log(a...)
	t.FailNow()
}

func (t *trial) Log(a ...any) {
	for _, one := range a {
		if text, ok := one.(string); ok {
			t.said.WriteString(text)
		}
	}
}

func (t *trial) Parallel()     {}
func (t *trial) Verbose() bool { return false }

// try plays a script and reports whether it held, and what it said if not.
func try(t *testing.T, lines ...string) (held bool, said string) {
	t.Helper()
	dir := t.TempDir()
	text := strings.Join(lines, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(dir, "trial.txtar"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	one := &trial{T: t}
	one.Run("", func(testscript.T) { testscript.RunT(one, params(dir, waittest.Limit(500*time.Millisecond))) })
	return !one.failed, one.said.String()
}

// TestVerbsFail has every verb meet what is not so: the script fails at its line.
func TestVerbsFail(t *testing.T) {
	t.Parallel()
	game := []string{"Ada: /tictactoe challenge user:Bob", "name board", "Bob clicks Accept", "moves Ada Bob a1 b2"}
	if held, said := try(t, game...); !held {
		t.Fatalf("what all of them begin with fails: %s", said)
	}
	for _, bad := range []string{
		"setting DEFAULT_CLOCK 1m",
		"setting NOTHING 1m",
		"delivered",
		"emojis",
		"person Dora queen",
		"Dora: /tictactoe play",
		"Ada: play",
		"Ada: /tictactoe play difficulty",
		"Ada: /tictactoe nonsense",
		"! Ada: /tictactoe help",
		"Ada menu Nonsense Bob",
		"Ada clicks Nonsense",
		"Ada clicks Resign on nothing",
		"Ada aims Accept",
		"Ada chooses Nonsense",
		"Ada taps",
		"Ada plays a1",
		"Ada plays z9",
		"Ada plays",
		"Ada tries c3",
		"Ada sings",
		"! Ada plays c3",
		"moves Bob Ada c3",
		"Ada is told anything",
		"Bob then reads anything",
		"Cleo has anything",
		"all see nonsense",
		"! all see 'your move'",
		"all hear nothing",
		"board X../.../...",
		"! board X../.../...",
		"buttons Accept",
		"notified Ada Bob",
		"badged Ada Bob",
		"name question of Cleo",
		"gone board",
		"delete nothing",
		"free",
		"channel other rights-of-kings",
		"speaks de",
		"later soon",
		"bot sleeps",
	} {
		t.Run(bad, func(t *testing.T) {
			t.Parallel()
			held, said := try(t, append(game, bad)...)
			if held {
				t.Fatal("it held")
			}
			if !strings.Contains(said, "FAIL") || !strings.Contains(said, "trial.txtar:5") {
				t.Errorf("it does not say where it failed: %s", said)
			}
		})
	}
	t.Run("busy", func(t *testing.T) {
		if held, _ := try(t, "busy"); held {
			t.Error("a channel without a game is busy")
		}
	})
}
