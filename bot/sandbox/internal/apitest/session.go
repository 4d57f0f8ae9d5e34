package apitest

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
)

// Connect opens an unmodified discordgo session that hands every interaction to
// handle, and closes it when the test ends.
func Connect(t *testing.T, srv *sandbox.Server, handle func(*discordgo.Session, *discordgo.InteractionCreate)) *discordgo.Session {
	t.Helper()
	s := srv.Session()
	s.Identify.Intents = discordgo.IntentsNone
	s.StateEnabled = false
	s.LogLevel = -1
	if handle != nil {
		s.AddHandler(handle)
	}
	if err := s.Open(); err != nil {
		t.Fatalf("open: %v", err)
	}
	t.Cleanup(func() {
		// What was asked last may be about to be answered, or is left unanswered on purpose.
		for end := time.Now().Add(time.Second); pending(srv) && time.Now().Before(end); {
			time.Sleep(time.Millisecond)
		}
		go s.Close() // it says goodbye at once, and then sleeps for a second
	})
	srv.Gateway().WaitConnected(t)
	AwaitHeartbeat(t, s)
	return s
}

// pending reports whether somebody waits for a first answer.
func pending(srv *sandbox.Server) bool {
	return slices.ContainsFunc(srv.World().Interactions(), func(i sandbox.CallInfo) bool { return i.State == sandbox.CallPending })
}

// AwaitHeartbeat waits until discordgo has sent its first heartbeat. A connection
// that is lost while it does makes it close the next one as well.
func AwaitHeartbeat(t *testing.T, s *discordgo.Session) {
	t.Helper()
	waittest.Until(t, "discordgo's heartbeat", func() bool {
		s.RLock()
		defer s.RUnlock()
		return s.DataReady
	})
}

// Picture is a board of two colours, 60 x 40 pixels.
func Picture() image.Image {
	m := image.NewPaletted(image.Rect(0, 0, 60, 40), color.Palette{color.RGBA{0x47, 0x57, 0xe0, 0xff}, color.RGBA{0xc2, 0x32, 0x3c, 0xff}})
	for i := range m.Pix {
		m.Pix[i] = uint8((i%60/20 + i/60/13) % 2)
	}
	return m
}

// PNG is Picture as a file.
func PNG(t *testing.T) string {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, Picture()); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// Post sends a message to #general with files through discordgo.
func Post(t *testing.T, srv *sandbox.Server, m *discordgo.MessageSend, files ...*discordgo.File) *discordgo.Message {
	t.Helper()
	m.Files = files
	sent, err := srv.Session().ChannelMessageSendComplex(srv.Guild().Channel("general").ID(), m)
	if err != nil {
		t.Fatal(err)
	}
	return sent
}

// Named is a file of that name for Post.
func Named(name, content string) *discordgo.File {
	return &discordgo.File{Name: name, ContentType: "application/octet-stream", Reader: strings.NewReader(content)}
}
