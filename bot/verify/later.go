package verify

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"tictactoe/bot/discord"
)

// leaveOne leaves a message that is looked at when it has become old.
func (s *session) leaveOne(ctx context.Context) {
	if _, ok := s.made.kept(); ok || !s.opts.Later {
		return
	}
	msg := withSteps(words("This message waits for `tictactoe verify --resume` in an hour or more."), "Press it five times, when you are asked to.",
		press(discord.StylePrimary, "Next", nextButton))
	if s.post(ctx, "later", msg) != "" && s.failed == nil {
		s.made.things[len(s.made.things)-1].Kept = true
		s.fail(s.made.save())
	}
}

var laterRows = []row{
	{"old-edits", "of five quick edits of an old message one is refused with 30046, and taken later", "bot/rest/apierror.go", "old.limited old.4", oldEdits},
	{"old-click", "a click on an old message is answered all the same", "bot/tracker/show.go", "old.update", taken},
}

// oldEdits expects an edit that was refused for now, and the last one to be taken.
func oldEdits(of ...evidence) (string, bool) {
	first, last := of[0], of[1]
	if !last.taken() {
		return last.refusal(), false
	}
	return fmt.Sprintf("%d, code %d", first.status, first.number("code")), first.status == http.StatusTooManyRequests && first.number("code") == 30046
}

// resume looks at the message that was left.
func (s *session) resume(ctx context.Context) error {
	old, ok := s.made.kept()
	if !ok || old.Channel != s.channel {
		return errNothingKept
	}
	since, _ := discord.Made(old.ID)
	if discord.SinceEpoch(s.client.DiscordTime(s.opts.Now()))-since < time.Hour {
		return errTooYoung
	}
	msg := withSteps(words("An old message."), "Press Next.", press(discord.StylePrimary, "Next", nextButton))
	for i := range 5 {
		name := fmt.Sprintf("old.%d", i)
		s.edit(ctx, name, old.ID, msg.Edit())
		if limited, ok := s.seen[name+".try1"]; ok {
			s.seen["old.limited"] = limited
		}
	}
	if s.failed != nil {
		return s.failed
	}
	if _, ok := s.seen["old.limited"]; !ok {
		s.seen["old.limited"] = s.seen["old.4"] // none was refused
	}
	err := s.play(ctx, []act{{
		name: "old.click", please: "press Next on the old message.", meant: pressed(nextButton),
		answer: func(ctx context.Context, a arrival) { s.update(ctx, "old.update", a, msg) },
	}})
	for i := range s.made.things {
		s.made.things[i].Kept = false
	}
	return err
}
