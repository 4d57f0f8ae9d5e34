package bottest

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"tictactoe/bot/customid"
	"tictactoe/bot/sandbox"
	"tictactoe/engine"
	"tictactoe/store"
)

func TestDescriptionIsThere(t *testing.T) { NeedDescription(t) }

// TestShape: requests that differ in ids alone are checked once, and no others.
func TestShape(t *testing.T) {
	const body = `{"content":"<@1576099550760796163>, b2","components":[{"type":2,"custom_id":"1:c:2ab3c4d5e6"}]}`
	for want, others := range map[bool][]string{
		true:  {strings.Replace(body, "1576099550760796163", "86099550760796163", 1), strings.Replace(body, "2ab3c4d5e6", "9z8y7x6w5v4u", 1)},
		false: {strings.Replace(body, "b2", "c3", 1), strings.Replace(body, `"type":2`, `"type":3`, 1), strings.Replace(body, "content", "contents", 1), body + "1"},
	} {
		for _, other := range others {
			if same := string(shape([]byte(other))) == string(shape([]byte(body))); same != want {
				t.Errorf("the shapes of %s and %s are the same: %v, want %v", other, body, same, want)
			}
		}
	}
}

// board returns a written message with the marks on the board of a match.
func board(match store.MatchID, cells string) sandbox.Write {
	var row []string
	for i, mark := range cells {
		label := string(mark)
		id := customid.ID{Action: customid.Cell, Match: match, Ply: len(cells) - strings.Count(cells, "."), Cell: engine.Cell(i)}.String()
		if mark == '.' {
			label = "\u200b"
		}
		row = append(row, fmt.Sprintf(`{"type":2,"label":%q,"custom_id":%q}`, label, id))
	}
	return sandbox.Write{Body: json.RawMessage(`{"data":{"components":[{"components":[{"type":1,"components":[` + strings.Join(row, ",") + `]}]}]}}`)}
}

func TestBackwardsFindsOlderPictures(t *testing.T) {
	text := sandbox.Write{Body: json.RawMessage(`{"content":"This board has moved."}`)}
	for name, c := range map[string]struct {
		writes []sandbox.Write
		faults int
	}{
		"in order":           {[]sandbox.Write{board(1, "..."), board(1, "X.."), board(1, "XO.")}, 0},
		"the same again":     {[]sandbox.Write{board(1, "X.."), board(1, "X..")}, 0},
		"words behind it":    {[]sandbox.Write{board(1, "X.."), text}, 0},
		"another match":      {[]sandbox.Write{board(1, "XOX"), board(2, "...")}, 0},
		"one mark less":      {[]sandbox.Write{board(1, "XO."), board(1, "X..")}, 1},
		"less after words":   {[]sandbox.Write{board(1, "XO."), text, board(1, "X..")}, 1},
		"twice":              {[]sandbox.Write{board(1, "XO."), board(1, "X.."), board(1, "...")}, 2},
		"less after another": {[]sandbox.Write{board(1, "X.."), board(2, "X.."), board(1, "...")}, 1},
	} {
		if got := backwards(c.writes); len(got) != c.faults {
			t.Errorf("%s: %d faults, want %d: %v", name, len(got), c.faults, got)
		}
	}
}

// TestLogFindsSecrets writes more than is kept, with a token in the middle.
func TestLogFindsSecrets(t *testing.T) {
	w := New(t)
	call := w.Ada.StartCommand(t, w.Channel, "tictactoe help")
	call.Wait(t)
	for name, secret := range map[string]string{
		"the bot token": w.Discord.Token(), "an interaction's": call.InteractionToken(), "a part of one": call.InteractionToken()[:40],
	} {
		l := newLog(w.Discord.Token())
		line := []byte(strings.Repeat("nothing to see here ", 50) + "\n")
		for i := range 5000 {
			if i == 100 {
				_, _ = fmt.Fprintf(l, "url=https://discord/%s/x\n", secret)
			}
			_, _ = l.Write(line)
		}
		if len(l.Leaks()) != 1 {
			t.Errorf("%s was found %d times in the log, want once", name, len(l.Leaks()))
		}
		if kept := len(l.String()); kept > 3*logTail {
			t.Errorf("%d bytes are kept", kept)
		}
		if got := l.Lines(slog.LevelDebug); got != 5001 {
			t.Errorf("%d lines were counted", got)
		}
	}
}

func TestLogCountsLevels(t *testing.T) {
	l := newLog("secret")
	log := slog.New(slog.NewTextHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
	log.Debug("one")
	log.Info("two")
	log.Error("three")
	log.Error("four level=INFO")
	for level, want := range map[slog.Level]int64{slog.LevelDebug: 4, slog.LevelInfo: 3, slog.LevelWarn: 2, slog.LevelError: 2} {
		if got := l.Lines(level); got != want {
			t.Errorf("%d lines at %v or above, want %d", got, level, want)
		}
	}
}

// TestWorldRestarts plays on over a restart and a crash.
func TestWorldRestarts(t *testing.T) {
	w := New(t)
	board := w.Challenge(t, w.Ada, w.Bob)
	w.Cells(t, board, w.Ada, w.Bob, "a1")
	w.Restart(t)
	w.Cells(t, board, w.Bob, w.Ada, "b2")
	w.Crash(t)
	w.Start(t)
	w.Cells(t, board, w.Ada, w.Bob, "c3")
	w.Shows(t, board, "X../.O./..X")
	if got := w.Position(t); got != "X../.O./..X" {
		t.Errorf("stored is %s", got)
	}
}
