package sandbox_test

import (
	"slices"
	"testing"

	"tictactoe/bot/sandbox"
)

// kinds drains what a subscription holds by now.
func kinds(events <-chan sandbox.Event, want ...sandbox.EventKind) []sandbox.EventKind {
	var out []sandbox.EventKind
	for {
		select {
		case e, open := <-events:
			if !open {
				return append(out, "closed")
			}
			if len(want) == 0 || slices.Contains(want, e.Kind) {
				out = append(out, e.Kind)
			}
		default:
			return out
		}
	}
}

func TestSubscribersLearnWhatTheirClientShows(t *testing.T) {
	srv := sandbox.NewServer(t)
	ada, bob := srv.User("Ada"), srv.User("Bob")
	register(t, srv, ping)
	hers, cancel := srv.World().Subscribe(ada.ID())
	his, cancelHis := srv.World().Subscribe(bob.ID())
	all, cancelAll := srv.World().Subscribe("")
	defer cancelHis()
	defer cancelAll()
	about := []sandbox.EventKind{sandbox.EventMessageCreated, sandbox.EventMessageEdited, sandbox.EventMessageDeleted, sandbox.EventCall}

	private := board(t, srv, obj{"flags": 64}) // of Ada's: sent, message, answered
	if got := kinds(hers, about...); !slices.Equal(got, []sandbox.EventKind{"call", "message_created", "call"}) {
		t.Errorf("Ada learns %v", got)
	}
	if got := kinds(his, about...); got != nil {
		t.Errorf("Bob learns %v of what is for Ada alone", got)
	}
	if got := kinds(all, about...); len(got) != 3 {
		t.Errorf("who sees everything learns %v", got)
	}
	if err := ada.Dismiss(private); err != nil {
		t.Fatal(err)
	}
	if _, err := ada.Say(srv.Guild().Channel("general"), "hi "+bob.Mention()); err != nil {
		t.Fatal(err)
	}
	e := <-his
	if e.Kind != sandbox.EventMessageCreated || !e.Pings || !e.Badges || e.Message.Text() != "hi "+bob.Mention() {
		t.Errorf("Bob learns %+v", e)
	}
	if got := kinds(hers, about...); !slices.Equal(got, []sandbox.EventKind{"message_deleted", "message_created"}) {
		t.Errorf("Ada learns %v", got)
	}
	srv.Guild().SetLocale("de")
	bob.Set(sandbox.Locale("fr"))
	register(t, srv)
	srv.Faults().NoReady()
	w := dial(t, srv)
	w.expect(10, "")
	srv.Faults().Clear()
	w.send(2, identity(srv))
	w.expect(0, "READY")
	srv.Gateway().WaitConnected(t)
	want := []sandbox.EventKind{"guilds_changed", "users_changed", "commands_changed", "faults_changed", "faults_changed", "gateway_connected"}
	if got := kinds(hers); !slices.Equal(got, want) {
		t.Errorf("Ada learns %v, want %v", got, want)
	}
	cancel()
	cancel()
	if got := kinds(hers); !slices.Equal(got, []sandbox.EventKind{"closed"}) {
		t.Errorf("after cancel: %v", got)
	}
}

func TestSlowSubscriberIsDropped(t *testing.T) {
	srv := sandbox.NewServer(t)
	events, cancel := srv.World().Subscribe("")
	defer cancel()
	for range 300 {
		srv.Guild().SetLocale("de")
	}
	n := 0
	for range events { // ends: the server closed it instead of waiting
		n++
	}
	if n != 256 {
		t.Errorf("got %d events before the end, want 256", n)
	}
}

func TestInteractionsForWatchers(t *testing.T) {
	srv := sandbox.NewServer(t)
	call := pinged(t, srv)
	want(t, callback(t, srv, call, `{"type":7}`), 400, 50035)
	want(t, callback(t, srv, call, `{"type":4,"data":{"content":"x"}}`), 204, 0)
	info := call.Info()
	if srv.World().CallByID(call.ID()) != call || info.State != sandbox.CallAnswered || info.Type != 4 || len(info.Problems) != 1 || info.ReplyID != call.Reply().Message.ID() || info.Answer == nil {
		t.Errorf("got %+v", info)
	}
	if _, has := info.Payload.(map[string]any)["token"]; has {
		t.Error("the payload holds the token")
	}
	if all := srv.World().Interactions(); len(all) != 1 || all[0].ID != call.ID() {
		t.Errorf("got %+v", all)
	}
}
