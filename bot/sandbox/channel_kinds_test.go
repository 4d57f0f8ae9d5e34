package sandbox_test

import (
	"bytes"
	"errors"
	"net/http"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/internal/apitest"
)

// TestKindsOfChannels: a voice channel has a chat and no threads, and a forum nothing but
// threads. What kind they are is told to the bot and kept with the world.
func TestKindsOfChannels(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	ada, guild := srv.User("Ada"), srv.Guild()
	voice, forum := guild.Channel("lounge", sandbox.Voice), guild.Channel("ideas", sandbox.Forum)
	post := guild.Channel("a post", sandbox.Thread(forum))
	thread := map[string]any{"name": "aside", "type": 11}
	for _, c := range []struct {
		path         string
		body         map[string]any
		status, code int
	}{
		{"/channels/" + voice.ID() + "/messages", map[string]any{"content": "hello"}, http.StatusOK, 0},
		{"/channels/" + post.ID() + "/messages", map[string]any{"content": "hello"}, http.StatusOK, 0},
		{"/channels/" + forum.ID() + "/messages", map[string]any{"content": "hello"}, http.StatusBadRequest, 50008},
		{"/channels/" + voice.ID() + "/threads", thread, http.StatusBadRequest, 50024},
		{"/channels/" + post.ID() + "/threads", thread, http.StatusBadRequest, 50024},
	} {
		apitest.Want(t, apitest.Request(t, srv, "POST", c.path, c.body), c.status, c.code)
	}
	if _, err := ada.Say(forum, "hello"); !errors.Is(err, sandbox.ErrForbidden) {
		t.Errorf("somebody writes in a forum: %v", err)
	}
	if _, err := ada.StartThread(sandbox.NewThread{Channel: voice, Name: "aside"}); !errors.Is(err, sandbox.ErrForbidden) {
		t.Errorf("somebody begins a thread in a voice channel: %v", err)
	}
	if _, err := ada.StartThread(sandbox.NewThread{Channel: forum, Name: "another post"}); err != nil {
		t.Errorf("a post in a forum: %v", err)
	}
	register(t, srv, &discordgo.ApplicationCommand{Name: "ping", Description: "Ping"})
	for c, offered := range map[*sandbox.Channel]bool{voice: true, post: true, forum: false} {
		if got := len(sandbox.Offered(ada, c)) > 0; got != offered {
			t.Errorf("commands are offered in %s: %v", c.Name(), got)
		}
	}
	var saved bytes.Buffer
	if err := srv.World().SaveState(&saved); err != nil {
		t.Fatal(err)
	}
	next := sandbox.NewServer(t, unlimited)
	if err := next.World().LoadState(&saved); err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]int{voice.ID(): 2, forum.ID(): 15, post.ID(): 11} {
		var got struct {
			Type int `json:"type"`
		}
		if apitest.Request(t, next, "GET", "/channels/"+id, nil).Decode(t, &got); got.Type != want {
			t.Errorf("after a load %s has the type %d, want %d", id, got.Type, want)
		}
	}
}

// TestDeletedChannels are in no list, and nobody chooses one.
func TestDeletedChannels(t *testing.T) {
	srv := sandbox.NewServer(t, unlimited)
	ada, guild := srv.User("Ada"), srv.Guild()
	general, old := guild.Channel("general"), guild.Channel("old")
	register(t, srv, &discordgo.ApplicationCommand{Name: "move", Description: "Move", Options: []*discordgo.ApplicationCommandOption{
		{Type: discordgo.ApplicationCommandOptionChannel, Name: "to", Description: "Where to"},
	}})
	got := request(t, srv, "POST", "/channels/"+general.ID()+"/messages", obj{"content": "Where to?", "components": arr{row(obj{"type": 8, "custom_id": "to"})}})
	want(t, got, 200, 0)
	old.Delete()
	for _, a := range []sandbox.Action{
		sandbox.Selection{Message: general.LastMessage(ada), CustomID: "to", Values: []string{old.ID()}},
		sandbox.SlashCommand{Channel: general, Path: "move", Args: []sandbox.Arg{sandbox.Opt("to", old)}},
	} {
		if _, err := ada.Prepare(a); !errors.Is(err, sandbox.ErrBadOption) {
			t.Errorf("%s: %v", a, err)
		}
	}
	if srv.World().ChannelByID(old.ID()) != nil || len(guild.Channels()) != 1 || !old.Deleted() {
		t.Errorf("there are %d channels", len(guild.Channels()))
	}
	want(t, request(t, srv, "GET", "/channels/"+old.ID(), nil), 404, 10003)
}
