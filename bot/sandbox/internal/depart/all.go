package depart

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"time"

	"tictactoe/bot/sandbox/rules"
)

// The routes that departures are about.
const (
	post     = "POST /channels/{channel_id}/messages"
	patch    = "PATCH /channels/{channel_id}/messages/{message_id}"
	get      = "GET /channels/{channel_id}/messages/{message_id}"
	remove   = "DELETE /channels/{channel_id}/messages/{message_id}"
	callback = "POST /interactions/{interaction_id}/{interaction_token}/callback"
	hook     = "POST /webhooks/{webhook_id}/{webhook_token}"
	hooked   = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/{message_id}"
	original = "PATCH /webhooks/{webhook_id}/{webhook_token}/messages/@original"
	unhook   = "DELETE /webhooks/{webhook_id}/{webhook_token}/messages/@original"
	register = "POST /applications/{application_id}/guilds/{guild_id}/commands"
	commands = "GET /applications/{application_id}/guilds/{guild_id}/commands"
)

// messages are the routes that make or edit messages.
const messages = post + " | " + patch + " | " + callback + " | " + hook + " | " + hooked + " | " + original

// blank is a zero-width space.
const blank = "\u200b"

// All are the departures, by what is about them.
var All = []Departure{
	{"OtherUser", "The bot's user has another id.", "GET /users/@me", put("", "id", "1100000000000000009")},
	{"NoGateway", "Nobody says where the Gateway is.", "GET /gateway/bot", put("", "url", "")},
	{"Forbidden", "Messages are refused.", post, refuse(http.StatusForbidden, 50013)},
	{"BlanksRefused", "A label that is a zero-width space is refused.", post, when(asked(func(c map[string]any) bool { return c["label"] == blank }), refuse(400, 50035))},
	{"BlanksTrimmed", "Such a label is lost.", post, components("", func(c map[string]any) {
		if c["label"] == blank {
			delete(c, "label")
		}
	})},
	{"RowsWrapped", "A row of five has four.", post, components("", func(c map[string]any) {
		if list, ok := c["components"].([]any); ok && len(list) == 5 {
			c["components"] = list[:4]
		}
	})},
	{"NumbersLost", "Components are numbered anew.", post, put("components.0", "id", 1)},
	{"NumbersTwice", "All components have the same number.", post, components("", func(c map[string]any) { c["id"] = 7 })},
	{"NotQuiet", "Messages are never silent.", post, put("", "flags", 1<<15)},
	{"CustomIDsCut", "Custom IDs lose what follows the first colon.", post, components("", func(c map[string]any) {
		if id, ok := c["custom_id"].(string); ok {
			c["custom_id"], _, _ = strings.Cut(id, ":")
		}
	})},
	{"ContentIntent", "Without the intent for contents own components are hidden.", get, put("", "components", []any{})},
	{"EditsRefused", "Edits are refused.", patch, refuse(400, 50035)},
	{"EditsLoseLabels", "Edits change labels.", patch, components("", func(c map[string]any) {
		if label, ok := c["label"].(string); ok && label != blank {
			c["label"] = "?"
		}
	})},
	{"EditsRenumber", "Edits number components anew.", patch, put("components.0", "id", 1)},
	{"EditsLoseFlags", "Edits take flags away.", patch, put("", "flags", 0)},
	{"EditsUndated", "Edits have no time.", patch, put("", "edited_timestamp", nil)},
	{"TextStays", "Edits leave the text.", patch, put("", "content", "verify")},
	{"AllMentioned", "Whoever is named or listed is mentioned.", post, put("", "mentions", []any{map[string]any{"id": "1"}})},
	{"EditsMentionNobody", "Edits mention nobody.", patch, put("", "mentions", []any{})},
	{"NonceIgnored", "Every creation makes a message.", post, func(a *Answer) {
		if a.Status == http.StatusOK {
			put("", "id", fmt.Sprint(1100000000000000000+rand.Int64N(1e9)))(a) //nolint:gosec // an id
		}
	}},
	{"NothingRefused", "What is wrong with a message is put right.", post, when(refused, answer(http.StatusOK, map[string]any{"id": "1100000000000000009", "flags": 0}))},
	{"ShortLists", "Lists have 24 choices.", post, components("", func(c map[string]any) {
		if list, ok := c["options"].([]any); ok && len(list) > 24 {
			c["options"] = list[:24]
		}
	})},
	{"EmojisLost", "Choices lose their emojis.", post, everywhere("emoji")},
	{"LabelsOf50", "Labels end at 50 characters.", post, when(asked(func(c map[string]any) bool {
		label, _ := c["label"].(string)
		return len(label) > 50
	}), refuse(400, 50035))},
	{"ThirtyComponents", "A message has 30 components.", post, when(func(a *Answer) bool {
		list, _ := a.Asked["components"].([]any)
		return len(list) > 30
	}, refuse(400, 50035))},
	{"DeletesRefused", "Messages cannot be deleted.", remove, refuse(http.StatusForbidden, 50013)},
	{"GoneForbidden", "What is gone is forbidden.", remove + " | " + patch + " | GET /channels/{channel_id}", when(func(a *Answer) bool { return a.Status == http.StatusNotFound }, refuse(http.StatusForbidden, 50001))},
	{"TokensUnchecked", "Any interaction token will do.", original, answer(http.StatusOK, map[string]any{"id": "1"})},
	{"ClosedEdits", "What is archived or locked can be edited.", patch, when(refused, answer(http.StatusOK, map[string]any{"id": "1"}))},
	{"ChannelsHidden", "A channel that is to change is not known.", "PATCH /channels/{channel_id}", refuse(http.StatusNotFound, 10003)},
	{"LocksUntold", "Nobody says whether a thread is locked.", "GET /channels/{channel_id}", drop("", "thread_metadata")},
	{"LimitsUnsaid", "Nothing is said of rate limits.", post, func(a *Answer) {
		for name := range a.Header {
			if strings.HasPrefix(name, "X-Ratelimit-") {
				delete(a.Header, name)
			}
		}
	}},
	{"ClockAhead", "Dates are an hour ahead.", "*", func(a *Answer) { a.Header.Set("Date", time.Now().Add(time.Hour).UTC().Format(http.TimeFormat)) }},
	{"CommandsRefused", "Commands of a guild are refused.", register, refuse(400, 50035)},
	{"CommandsChanged", "Commands come back otherwise.", commands, everywhere("options")},
	{"ThreadsPrivate", "Threads are private.", "POST /channels/{channel_id}/threads", put("", "type", 12)},

	{"TypeFourRefused", "Answers with a message are refused.", callback, when(kind(4), refuse(400, 50035))},
	{"AnswersNotQuiet", "Answers are never silent.", callback, put("resource.message", "flags", 1<<15)},
	{"AnswersRenumber", "Answers number components anew.", callback, put("resource.message.components.0", "id", 1)},
	{"AnswersTrimmed", "Answers lose blank labels.", callback, components("resource.message", func(c map[string]any) { delete(c, "label") })},
	{"AnswersTwice", "A second answer is taken.", callback, when(refused, answer(http.StatusNoContent, nil))},
	{"UpdatesRefused", "Updates are refused.", callback, when(kind(7), refuse(400, 50035))},
	{"UpdatesLost", "What was updated reads as before.", get, func(a *Answer) {
		put("components.0", "id", 1)(a)
		put("", "edited_timestamp", "2020-01-01T00:00:00.000000+00:00")(a)
	}},
	{"OtherOriginal", "@original is another message.", original, put("", "id", "1100000000000000009")},
	{"FollowUpsPublic", "Follow-ups are there for all.", hook, put("", "flags", 1<<15)},
	{"FollowUpsGone", "Follow-ups cannot be edited.", hooked, refuse(http.StatusNotFound, 10008)},
	{"PrivateStays", "Private messages cannot be deleted.", unhook, refuse(http.StatusNotFound, 10008)},

	{"NoAppPermissions", "Interactions do not say what the application may.", Interaction, drop("", "app_permissions")},
	{"OwnersLost", "Interactions do not say who has installed the application.", Interaction, drop("", "authorizing_integration_owners")},
	{"ChannelsUntold", "Interactions say nothing of their channel.", Interaction, drop("", "channel")},
	{"MoreKeys", "Interactions have a key that is new.", Interaction, put("", "novelty", map[string]any{"of": 2030})},
	{"ClicksWithoutFlags", "Clicked messages have no flags.", Interaction, put("message", "flags", 0)},
	{"ClicksRenumbered", "Clicked messages are numbered anew.", Interaction, put("message.components.0", "id", 1)},
	{"ClicksTrimmed", "Clicked messages lose blank labels.", Interaction, components("message", func(c map[string]any) { delete(c, "label") })},
	{"OtherValues", "A choice is not what was chosen.", Interaction, func(a *Answer) {
		if data := at(a.Body, "data"); data["values"] != nil {
			data["values"] = []any{"?"}
		}
	}},
	{"BlanksNever", "A label that is a zero-width space is refused everywhere.", messages, func(*Answer) {}},
	{"NumbersNever", "Components are numbered anew everywhere.", messages + " | " + get + " | " + Interaction, renumber},
	{"NothingResolved", "Nobody says who is meant.", Interaction, drop("data", "resolved")},
}

// beforehand are those that refuse requests before anything has happened, by what they note of
// the body.
var beforehand = map[string]func(of rules.Form, asked any){"BlanksNever": blankLabels}

// put sets a key of the object at a path, where there is one.
func put(path, key string, to any) func(*Answer) {
	return func(a *Answer) {
		if o := at(a.Body, path); o != nil && a.Status < 400 {
			o[key] = to
		}
	}
}

// drop takes a key from the object at a path.
func drop(path, key string) func(*Answer) { return func(a *Answer) { delete(at(a.Body, path), key) } }

// everywhere takes a key from all objects.
func everywhere(key string) func(*Answer) {
	return func(a *Answer) { rules.EachObject(a.Body, func(o map[string]any) { delete(o, key) }) }
}

func answer(status int, body any) func(*Answer) {
	return func(a *Answer) { a.Status, a.Body = status, body }
}

// refuse answers with one of Discord's codes.
func refuse(status, code int) func(*Answer) {
	return answer(status, map[string]any{"code": code, "message": "not as documented"})
}

func refused(a *Answer) bool { return a.Status >= 400 }

func when(holds func(*Answer) bool, change func(*Answer)) func(*Answer) {
	return func(a *Answer) {
		if holds(a) {
			change(a)
		}
	}
}

// asked reports whether the request has such an object.
func asked(is func(map[string]any) bool) func(*Answer) bool {
	return func(a *Answer) (found bool) {
		rules.EachObject(a.Asked, func(o map[string]any) { found = found || is(o) })
		return found
	}
}

// kind reports whether the callback is of the type.
func kind(n int) func(*Answer) bool {
	return func(a *Answer) bool { return fmt.Sprint(a.Asked["type"]) == fmt.Sprint(n) }
}

// components changes each component of the message at a path.
func components(path string, change func(map[string]any)) func(*Answer) {
	return func(a *Answer) {
		if m := at(a.Body, path); m != nil {
			rules.EachObject(m["components"], change)
		}
	}
}

// blankLabels notes the blank labels in a body, as Discord tells what is wrong with a form.
func blankLabels(f rules.Form, v any) {
	switch v := v.(type) {
	case map[string]any:
		if v["label"] == blank {
			f.At("label").Missing()
		}
		for key, below := range v {
			blankLabels(f.At(key), below)
		}
	case []any:
		for i, below := range v {
			blankLabels(f.At(i), below)
		}
	}
}

// renumber numbers the components of a message from 1 on, as Discord does where nobody else has.
func renumber(a *Answer) {
	next := 0
	var number func(v any)
	number = func(v any) {
		list, _ := v.([]any)
		for _, below := range list {
			c, _ := below.(map[string]any)
			next++
			c["id"] = next
			number(c["components"])
			if b, ok := c["accessory"].(map[string]any); ok {
				number([]any{b})
			}
		}
	}
	for _, path := range []string{"", "message", "resource.message"} {
		number(at(a.Body, path)["components"])
	}
}
