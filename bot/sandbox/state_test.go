package sandbox_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/google/go-cmp/cmp"

	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/clock"
	"tictactoe/bot/sandbox/rules"
)

func TestStateGoesOnWhereItWasSaved(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, bob := srv.User("Ada", sandbox.Locale("de"), sandbox.Nick("Countess")), srv.User("Bob", sandbox.Moderator)
	general := srv.Guild().Channel("general")
	secret := srv.Guild().Channel("secret", sandbox.Visible(ada), sandbox.NoBotPosts)
	thread := srv.Guild().Channel("thread", sandbox.Thread(general))
	srv.Guild().SetLocale("fr")
	session := srv.Session()
	_, err := session.ApplicationCommandBulkOverwrite(srv.AppID(), "", []*discordgo.ApplicationCommand{{
		Name: "greet", Description: "Says hello",
		DescriptionLocalizations: &map[discordgo.Locale]string{discordgo.German: "Sagt hallo"},
		Options: []*discordgo.ApplicationCommandOption{{
			Type: discordgo.ApplicationCommandOptionString, Name: "how", Description: "How",
			Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "Loud", Value: "loud"}},
		}},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := session.ChannelMessageSend(ada.DM().ID(), "direct"); err != nil {
		t.Fatal(err)
	}
	posted, err := session.ChannelMessageSendComplex(general.ID(), &discordgo.MessageSend{
		Content: "hello " + ada.Mention(),
		Components: []discordgo.MessageComponent{discordgo.ActionsRow{Components: []discordgo.MessageComponent{
			discordgo.Button{Label: "Press", CustomID: "press", Style: discordgo.DangerButton},
		}}},
	})
	if err != nil {
		t.Fatal(err)
	}
	gone, err := session.ChannelMessageSend(general.ID(), "gone")
	if err != nil {
		t.Fatal(err)
	}
	srv.World().MessageByID(gone.ID).Delete()
	if _, err := bob.Say(thread, "in the thread"); err != nil {
		t.Fatal(err)
	}
	answered := ada.StartCommand(t, general, "greet", sandbox.Opt("how", "loud"))
	want(t, callback(t, srv, answered, v2Message("answer", 0)), 204, 0)
	want(t, request(t, srv, "POST", webhook(srv, answered), obj{"content": "and more"}), 200, 0)
	clicked := ada.StartClick(t, srv.World().MessageByID(posted.ID), "Press")
	want(t, callback(t, srv, clicked, obj{"type": 4, "data": obj{"content": "clicked"}}), 204, 0)
	private := ada.StartCommand(t, general, "greet")
	want(t, callback(t, srv, private, v2Message("for Ada alone", 64)), 204, 0)
	cleo := srv.User("Cleo")
	if _, err := cleo.Say(general, "bye"); err != nil {
		t.Fatal(err)
	}
	cleo.Delete()
	var before []map[string]any
	request(t, srv, "GET", "/channels/"+general.ID()+"/messages", nil).Decode(t, &before)

	var saved bytes.Buffer
	if err := srv.World().SaveState(&saved); err != nil {
		t.Fatal(err)
	}

	next := sandbox.NewServer(t)
	if err := next.World().LoadState(bytes.NewReader(saved.Bytes())); err != nil {
		t.Fatal(err)
	}
	var again bytes.Buffer
	if err := next.World().SaveState(&again); err != nil {
		t.Fatal(err)
	}
	if got, want := again.String(), saved.String(); got != want {
		t.Errorf("what was loaded is saved as\n%s\nwant\n%s", got, want)
	}
	if next.Token() != srv.Token() || next.AppID() != srv.AppID() {
		t.Error("the bot is another one")
	}
	if next.User("Bob").ID() != bob.ID() || next.Guild().Channel("general").ID() != general.ID() {
		t.Error("people or channels are others")
	}
	if next.Guild().Channel("secret").VisibleTo(next.User("Bob")) || !next.Guild().Channel("secret").VisibleTo(next.User("Ada")) {
		t.Error("the secret channel is not as it was")
	}
	_ = secret
	var after []map[string]any
	request(t, next, "GET", "/channels/"+general.ID()+"/messages", nil).Decode(t, &after)
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("messages are others than before (-before +after):\n%s", diff)
	}
	shown := next.Guild().Channel("general").Messages(next.User("Ada"))
	if len(shown) != 5 || shown[1].Snapshot().CommandName != "greet" || shown[1].Snapshot().InvokerID != ada.ID() || shown[3].Snapshot().ReplyTo != posted.ID {
		t.Errorf("got %d messages: who used what is gone, or a private one came back", len(shown))
	}
	m := next.World().MessageByID(posted.ID)
	if m == nil {
		t.Fatal("the message is gone")
	}
	if b, ok := m.Snapshot().Button("Press"); !ok || b.Style != int(discordgo.DangerButton) {
		t.Errorf("the button is %+v", b)
	}
	if _, err := next.Session().ChannelMessageEdit(general.ID(), posted.ID, "edited"); err != nil {
		t.Errorf("the bot cannot edit its message: %v", err)
	}
	commands, err := next.Session().ApplicationCommands(next.AppID(), "")
	if err != nil || len(commands) != 1 || (*commands[0].DescriptionLocalizations)[discordgo.German] != "Sagt hallo" {
		t.Errorf("the commands are %+v, %v", commands, err)
	}
}

// TestIDsGoOn: what comes after a world was loaded is newer than what was loaded, though the
// clock stood ahead when it was saved.
func TestIDsGoOn(t *testing.T) {
	ahead := clock.NewManual(time.Now().Add(48 * time.Hour))
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clock = ahead })
	old, err := srv.User("Ada").Say(srv.Guild().Channel("general"), "old", sandbox.File{Name: "a.txt", Content: []byte("a")})
	if err != nil {
		t.Fatal(err)
	}
	register(t, srv, ping)
	last := srv.App().Commands("")[0].Version
	var saved bytes.Buffer
	next := sandbox.NewServer(t)
	if err := errors.Join(srv.World().SaveState(&saved), next.World().LoadState(&saved)); err != nil {
		t.Fatal(err)
	}
	general := next.Guild().Channel("general")
	m, err := next.User("Ada").Say(general, "new")
	if err != nil {
		t.Fatal(err)
	}
	if !rules.OlderID(old.ID(), m.ID()) || !rules.OlderID(last, m.ID()) {
		t.Errorf("%s comes after %s and the command's version %s", m.ID(), old.ID(), last)
	}
	shown, _, _ := general.History(next.User("Ada"), m.ID(), 9)
	if len(shown) != 1 || shown[0].ID != old.ID() {
		t.Errorf("before the new message there are %+v", shown)
	}
}

func v2Message(text string, flags int) obj {
	return obj{"type": 4, "data": obj{"flags": 32768 | flags, "components": arr{obj{"type": 10, "content": text}}}}
}

// TestLoadStateLeavesPrivateMessagesOut reads a state of a version that kept them.
func TestLoadStateLeavesPrivateMessagesOut(t *testing.T) {
	srv := sandbox.NewServer(t)
	err := srv.World().LoadState(strings.NewReader(`{"version":1,"app_id":"1","token":"t","users":[{"id":"1"},{"id":"5","name":"Ada","dm":"6"}],"guilds":[{"id":"2"}],
		"messages":[{"id":"7","channel":"6","author":"1","viewer":"5","flags":64,"content":"secret"}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := srv.User("Ada").DM().Messages(nil); len(got) != 0 {
		t.Errorf("the private message came back: %q", got[0].Text())
	}
}

func TestLoadStateRefusesOtherThings(t *testing.T) {
	const right = `{"version":1,"app_id":"1","token":"t","users":[{"id":"1"}],"guilds":[{"id":"2","channels":[{"id":"4"}]}]` // but for what follows
	if err := sandbox.NewServer(t).World().LoadState(strings.NewReader(right + "}")); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"nothing":         "",
		"no JSON":         "hello",
		"another version": right + `,"version":99}`,
		"no application":  right + `,"app_id":"","users":[{"id":""}]}`,
		"no token":        right + `,"token":""}`,
		"no guilds":       right + `,"guilds":[]}`,
		"no bot":          right + `,"users":[]}`,
		"no owner":        right + `,"owner":"9"}`,
		"loose message":   right + `,"messages":[{"id":"3","channel":"9","author":"1"}]}`,
		"loose answer":    right + `,"messages":[{"id":"3","channel":"4","author":"1","origin":"9"}]}`,
		"loose call":      right + `,"calls":[{"id":"3","channel":"4","user":"9"}]}`,
		"loose thread":    right + `,"guilds":[{"id":"2","channels":[{"id":"4","parent":"9"}]}]}`,
		"unknown member":  right + `,"guilds":[{"id":"2","members":["9"]}]}`,
		"unknown party":   right + `,"parties":[{"id":"3","people":["1","9"]}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			srv := sandbox.NewServer(t)
			token := srv.Token()
			if err := srv.World().LoadState(strings.NewReader(text)); !errors.Is(err, sandbox.ErrState) {
				t.Errorf("got %v, want ErrState", err)
			}
			if srv.Token() != token || srv.Guild() == nil {
				t.Error("a refused state changed the server")
			}
		})
	}
	t.Run("used server", func(t *testing.T) {
		var saved bytes.Buffer
		if err := sandbox.NewServer(t).World().SaveState(&saved); err != nil {
			t.Fatal(err)
		}
		srv := sandbox.NewServer(t)
		if _, err := srv.User("Ada").Say(srv.Guild().Channel("general"), "hello"); err != nil {
			t.Fatal(err)
		}
		if err := srv.World().LoadState(&saved); !errors.Is(err, sandbox.ErrState) {
			t.Errorf("got %v, want ErrState", err)
		}
	})
}

// TestLoadStateTakesOddComponents: what a server has taken is no reason to refuse its state.
func TestLoadStateTakesOddComponents(t *testing.T) {
	srv := sandbox.NewServer(t)
	general := srv.Guild().Channel("general")
	odd := obj{"type": 2, "style": 1, "custom_id": "a", "label": "Press", "emoji": obj{"name": "🎲", "animated": "yes"}}
	want(t, request(t, srv, "POST", "/channels/"+general.ID()+"/messages", obj{"components": arr{obj{"type": 1, "components": arr{odd}}}}), 200, 0)
	var saved bytes.Buffer
	next := sandbox.NewServer(t)
	if err := errors.Join(srv.World().SaveState(&saved), next.World().LoadState(&saved)); err != nil {
		t.Fatal(err)
	}
	var got []struct{ Components []obj }
	request(t, next, "GET", "/channels/"+general.ID()+"/messages", nil).Decode(t, &got)
	if len(got) != 1 || len(got[0].Components) != 1 {
		t.Errorf("the message came back as %+v", got)
	}
}

// TestStateLeavesThinkingOut: a bot that was about to answer is not when a world is loaded.
func TestStateLeavesThinkingOut(t *testing.T) {
	srv := sandbox.NewServer(t)
	register(t, srv, ping)
	asked := srv.User("Ada").StartCommand(t, srv.Guild().Channel("general"), "ping")
	want(t, callback(t, srv, asked, obj{"type": 5}), 204, 0)
	var saved bytes.Buffer
	next := sandbox.NewServer(t)
	if err := errors.Join(srv.World().SaveState(&saved), next.World().LoadState(&saved)); err != nil {
		t.Fatal(err)
	}
	if m := next.Guild().Channel("general").LastMessage(nil); m == nil || m.Snapshot().Loading() {
		t.Error("the answer is gone, or still says that the bot is thinking")
	}
}

// TestDeletedGuildsAreNotKept: a guild that was deleted is not there again in a saved world.
func TestDeletedGuildsAreNotKept(t *testing.T) {
	srv := sandbox.NewServer(t)
	srv.World().AddGuild("gone").Delete()
	kept := srv.World().AddGuild("kept")
	var state bytes.Buffer
	if err := srv.World().SaveState(&state); err != nil {
		t.Fatal(err)
	}
	next := sandbox.NewServer(t)
	if err := next.World().LoadState(&state); err != nil {
		t.Fatal(err)
	}
	if all := next.World().Guilds(); len(all) != 2 || all[1].ID() != kept.ID() {
		t.Errorf("got %d guilds", len(all))
	}
}

// TestStateWithoutAnOwnerWhoWasNobody: what somebody has said who owned a world before one of the
// people did is not kept, and keeps nothing else away.
func TestStateWithoutAnOwnerWhoWasNobody(t *testing.T) {
	srv := sandbox.NewServer(t)
	nobody := srv.World().Owner()
	if _, err := nobody.Say(nobody.DM(), "hello"); err != nil {
		t.Fatal(err)
	}
	srv.User("Ada", sandbox.Owns)
	var state bytes.Buffer
	if err := srv.World().SaveState(&state); err != nil {
		t.Fatal(err)
	}
	if err := sandbox.NewServer(t).World().LoadState(&state); err != nil {
		t.Error(err)
	}
}
