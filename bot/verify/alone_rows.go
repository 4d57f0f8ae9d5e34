package verify

import (
	"fmt"
	"slices"
	"strings"
)

var aloneRows = []row{
	{"application", "the application's id is its bot's", "bot/discord/interaction.go", "me application", alike("id")},
	{"gateway", "it is said where to connect, and how often", "bot/gateway/identify.go", "gateway", all(taken, gatewaySays)},
	{"board-post", "a 5×5 board of blank buttons is taken", "bot/view/board.go", "board.post", taken},
	{"board-blanks", "its labels come back as U+200B", "bot/view/board.go", "board.post", blanks("components", 25, 0)},
	{"board-rows", "it comes back in rows of five", "bot/view/board.go", "board.post", inRows(5, 5)},
	{"board-marker", "its first component has the number it was given", "bot/customid/marker.go", "board.post", shows("components.0.id", anchor)},
	{"board-ids", "every component has a number of its own", "bot/customid/marker.go", "board.post", uniqueIDs},
	{"board-flags", "its flags are 36864: quiet, and components alone", "bot/discord/message.go", "board.post", flags("flags", quietV2)},
	{"board-ids-kept", "custom IDs come back as they were sent", "bot/customid/customid.go", "board.post", customIDs},
	{"board-read", "own components are there without the intent for contents", "bot/discord/interaction.go", "board.post board.read", alike("components")},
	{"edit-taken", "an edit with null content and no embeds is taken", "bot/discord/message.go", "board.edit", taken},
	{"edit-cell", "the edit has one mark, 24 blanks", "bot/view/board.go", "board.edit", blanks("components", 24, 1)},
	{"edit-marker", "the edit has the next number", "bot/customid/marker.go", "board.edit", shows("components.0.id", anchor+1)},
	{"edit-flags", "it still is a message of components alone", "bot/discord/message.go", "board.edit", flags("flags", v2)},
	{"edit-again", "an edit that changes nothing has a time of its own", "bot/games/click.go", "board.edit board.again", later("edited_timestamp")},
	{"text-to-board", "a plain message becomes a board", "bot/discord/message.go", "text.edit", all(taken, flags("flags", v2), blanks("components", 8, 1))},
	{"text-gone", "its text is gone then", "bot/discord/message.go", "text.edit", shows("content", "")},
	{"mention-left", "who is named and not listed is not mentioned", "bot/discord/message.go", "mention.left", all(taken, lists("mentions", 0))},
	{"mention-edit", "an edit that lists them mentions them", "bot/discord/message.go", "mention.edit", all(taken, lists("mentions", 1))},
	{"mention-unnamed", "who is listed and not named is no error, and not mentioned", "bot/discord/message.go", "mention.unnamed", all(taken, lists("mentions", 0))},
	{"nonce-twice", "a creation with the same nonce is the same message", "bot/rest/channels.go", "nonce.first nonce.second", alike("id")},
	{"nonce-deleted", "once that is deleted it is code 10008", "bot/posted.go", "nonce.third", refused([]int{10008})},
	{"list-25", "a list of 25 choices is taken and comes back", "bot/view/list.go", "list.post", all(taken, options(25))},
	{"marks", "the symbols of every set of marks are emojis that a list takes", "bot/view/marks.go", "marks.0 marks.1 marks.2 marks.3", all(taken, emojis)},
	{"longest", "labels of 80, IDs and choices of 100, 150 in a select are taken", "bot/customid/customid.go", "longest", taken},
	{"too-long", "a label of 81 is refused with code 50035", "bot/rest/errors.go", "too-long", all(refused(invalidForm, 400), about("label"))},
	{"forty", "40 components are taken", "bot/view/board.go", "forty", taken},
	{"forty-one", "41 are refused", "bot/view/board.go", "forty-one", refused(invalidForm, 400)},
	{"no-label", "a button without a label is refused", "bot/view/board.go", "no-label", refused(invalidForm, 400)},
	{"space-label", "one with a space is, too", "bot/view/board.go", "space-label", refused(invalidForm, 400)},
	{"content-beside", "a content beside components is refused", "bot/discord/message.go", "both", refused(invalidForm, 400)},
	{"delete", "its own message can be deleted", "bot/rest/channels.go", "gone.delete", taken},
	{"delete-again", "a message that is gone is code 10008", "bot/rest/errors.go", "gone.again", refused([]int{10008}, 404)},
	{"edit-gone", "an edit of it is, too", "bot/rest/errors.go", "gone.edit", refused([]int{10008}, 404)},
	{"forbidden", "what the bot may not do is code 50013", "bot/rest/errors.go", "forbidden", refused([]int{50013}, 403)},
	{"no-channel", "a channel that is none is code 10003", "bot/rest/errors.go", "no-channel", refused([]int{10003}, 404)},
	{"no-token", "an interaction token that is none is code 50027 or 10015", "bot/rest/errors.go", "no-token", refused([]int{50027, 10015})},
	{"limits", "answers say how much is left of a limit", "bot/rest/limiter.go", "board.post", limited},
	{"clock", "dates of answers and times in ids are of one clock", "bot/rest/date.go", "board.post", dated},
	{"commands-taken", "the commands are taken", "bot/register.go", "commands.0 commands.1 commands.2 commands.3", taken},
	{"commands-same", "they come back as they were written", "bot/discord/command.go", "commands", readBack},
	{"thread", "a public thread begins without a message", "bot/games/thread.go", "thread.begin", all(taken, shows("type", 11), shows("thread_metadata.auto_archive_duration", 10080))},
	{"thread-post", "the bot can write in it", "bot/games/thread.go", "thread.post", taken},
}

func gatewaySays(of ...evidence) (string, bool) {
	url, at := of[0].text("url"), of[0].number("session_start_limit.max_concurrency")
	return fmt.Sprintf("shards %d, at once %d", of[0].number("shards"), at), strings.HasPrefix(url, "ws") && at > 0 && of[0].number("shards") > 0
}

// customIDs expects those of a board of 25 cells, each once.
func customIDs(of ...evidence) (string, bool) {
	var ids []string
	for _, c := range of[0].parts("components") {
		if id, _ := c["custom_id"].(string); isCell(id) && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return fmt.Sprintf("%d cells", len(ids)), len(ids) == 25
}

// options expects a select with so many choices.
func options(n int) judge {
	return func(of ...evidence) (string, bool) {
		for _, c := range of[0].parts("components") {
			if list, ok := c["options"].([]any); ok {
				return fmt.Sprintf("%d choices", len(list)), len(list) == n
			}
		}
		return "no select", false
	}
}

// emojis expects every choice to have one.
func emojis(of ...evidence) (string, bool) {
	names := map[string]bool{}
	for _, e := range of {
		for _, c := range e.parts("components") {
			list, _ := c["options"].([]any)
			for _, o := range list {
				name, _ := get(o, "emoji.name").(string)
				if name == "" {
					return fmt.Sprintf("a choice in %s without one", e.name), false
				}
				names[name] = true
			}
		}
	}
	return fmt.Sprintf("%d emojis", len(names)), len(names) > 2*len(of)
}
