package sandbox_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"

	"tictactoe/bot/sandbox"
)

// TestDepart: a departure changes what is answered or told, and nothing that has happened; it
// ends with Clear.
func TestDepart(t *testing.T) {
	srv := sandbox.NewServer(t)
	srv.AllowUnanswered()
	session, channel, ada := srv.Session(), srv.Guild().Channel("general"), srv.User("Ada")
	if err := srv.Faults().Depart("NoSuchThing"); !errors.Is(err, sandbox.ErrUnknownFault) {
		t.Errorf("one that there is not: %v", err)
	}
	names := map[string]bool{}
	for _, d := range srv.Faults().Departures() {
		if names[d.Name] || d.About == "" {
			t.Errorf("%q is there twice, or nothing is said about it", d.Name)
		}
		names[d.Name] = true
	}
	for _, name := range []string{"NotQuiet", "Forbidden"} {
		if err := srv.Faults().Depart(name); err != nil {
			t.Fatal(err)
		}
	}
	var refused *discordgo.RESTError
	if _, err := session.ChannelMessageSend(channel.ID(), "hello"); !errors.As(err, &refused) || refused.Message.Code != 50013 {
		t.Errorf("a message: %v", err)
	}
	if n := len(channel.Messages(ada)); n != 1 {
		t.Errorf("%d messages are there, and the one is", n)
	}
	srv.Faults().Clear()
	if _, err := session.ChannelMessageSend(channel.ID(), "hello"); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

// TestDepartByHTTP: what a departure refuses beforehand it refuses in the body of a response, too.
func TestDepartByHTTP(t *testing.T) {
	e := &endpoint{reply: func(w http.ResponseWriter, _ map[string]any) {
		inline(w, strings.Replace(helloWithButton, "Again", "\u200b", 1))
	}}
	srv, general := posting(t, e)
	srv.AllowUnanswered()
	if err := srv.Faults().Depart("BlanksNever"); err != nil {
		t.Fatal(err)
	}
	r := srv.User("Ada").Command(t, general, "hello")
	if r.Answered() || len(r.Problems) != 1 || !strings.Contains(r.Problems[0], "BASE_TYPE_REQUIRED") {
		t.Errorf("answered %v with %v", r.Answered(), r.Problems)
	}
}

// TestDepartFromInteractions: what is told of an act is another thing, too.
func TestDepartFromInteractions(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.World.Clicks = sandbox.ClicksDelivered })
	session := srv.Session()
	told := make(chan json.RawMessage, 1)
	session.AddHandler(func(s *discordgo.Session, e *discordgo.Event) {
		if e.Type == "INTERACTION_CREATE" {
			told <- e.RawData
		}
	})
	if err := session.Open(); err != nil {
		t.Fatal(err)
	}
	defer session.Close() //nolint:errcheck // the server ends, too
	if _, err := session.ApplicationCommandCreate(srv.AppID(), srv.Guild().ID(), &discordgo.ApplicationCommand{Name: "hello", Description: "hello"}); err != nil {
		t.Fatal(err)
	}
	if err := srv.Faults().Depart("NoAppPermissions"); err != nil {
		t.Fatal(err)
	}
	call := srv.User("Ada").StartCommand(t, srv.Guild().Channel("general"), "hello")
	call.AllowUnanswered()
	var in map[string]any
	if err := json.Unmarshal(<-told, &in); err != nil || in["app_permissions"] != nil || in["id"] != call.ID() {
		t.Errorf("it was told %v, %v", in, err)
	}
	// Where there is nothing to change, nothing is.
	if err := srv.Faults().Depart("ClicksRenumbered"); err != nil {
		t.Fatal(err)
	}
	ada := srv.User("Ada")
	call = ada.Start(t, sandbox.ButtonClick{Message: mustSay(t, ada, call.Channel()), CustomID: "a", Forced: true})
	call.AllowUnanswered()
	if err := json.Unmarshal(<-told, &in); err != nil || in["id"] != call.ID() {
		t.Errorf("it was told %v, %v", in, err)
	}
}

// TestDepartBeforehand: what a departure refuses for its form has not happened, and Discord says
// where in the form the mistake is.
func TestDepartBeforehand(t *testing.T) {
	srv := sandbox.NewServer(t)
	session, channel := srv.Session(), srv.Guild().Channel("general")
	for _, name := range []string{"BlanksNever", "NumbersNever"} {
		if err := srv.Faults().Depart(name); err != nil {
			t.Fatal(err)
		}
	}
	send := func(label string) (*discordgo.Message, error) {
		return session.ChannelMessageSendComplex(channel.ID(), &discordgo.MessageSend{Components: []discordgo.MessageComponent{
			discordgo.ActionsRow{ID: 90, Components: []discordgo.MessageComponent{discordgo.Button{Label: label, CustomID: "a", Style: discordgo.PrimaryButton}}},
		}})
	}
	var refused *discordgo.RESTError
	if _, err := send("\u200b"); !errors.As(err, &refused) || refused.Message.Code != 50035 ||
		!strings.Contains(string(refused.ResponseBody), `{"components":{"0":{"components":{"0":{"label":{"_errors":`) {
		t.Errorf("a blank label: %v", err)
	}
	if n := len(channel.Messages(nil)); n != 0 {
		t.Errorf("%d messages are there", n)
	}
	if m, err := send("·"); err != nil || m.Components[0].(*discordgo.ActionsRow).ID != 1 {
		t.Errorf("a dot: %+v, %v", m, err)
	}
}
