package verify

import (
	"net/http"
	"slices"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
)

// row is one thing that the bot relies on: what is expected, where, and how what was seen is
// judged. It looks at evidence by name, all of which has to be there.
type row struct {
	id, expects, where, of string
	judge                  judge
}

// group is rows that are looked at together.
type group struct {
	name string
	rows []row
}

const (
	v2, quietV2 = 1 << 15, 1<<15 | 1<<12 // flags
	private     = 1 << 6
)

var (
	invalidForm = []int{50035}
	anchor      = customid.Marker(0)
)

// groups are all rows.
var groups = []group{{"alone", aloneRows}, {"with your clicks", clickRows}, {"when you like", slices.Concat(moreRows, laterRows)}}

var aloneRows = []row{
	{"application", "the application's id is its bot's", "bot/discord/interaction.go", "me application", alike("id")},
	{"gateway", "it is said where to connect, and how often", "bot/gateway/identify.go", "gateway", all(taken, gatewaySays)},
	{"board-post", "a 5×5 board of blank buttons is taken", "bot/view/board.go", "board.post", taken},
	{"board-blanks", "its labels come back as U+200B", "bot/view/board.go", "board.post", blanks("components", 25, 0)},
	{"board-rows", "it comes back in rows of five", "bot/view/board.go", "board.post", inFives},
	{"board-marker", "its first component has the number it was given", "bot/customid/marker.go", "board.post", shows("components.0.id", anchor)},
	{"board-ids", "every component has a number of its own", "bot/customid/marker.go", "board.post", uniqueIDs},
	{"board-flags", "its flags are 36864: quiet, and components alone", "bot/discord/message.go", "board.post", flags("flags", quietV2)},
	{"board-ids-kept", "custom IDs come back as they were sent", "bot/customid/customid.go", "board.post", customIDs},
	{"board-read", "own components are there without the intent for contents", "bot/discord/interaction.go", "board.post board.read", alike("components")},
	{"edit-taken", "an edit with null content and no embeds is taken", "bot/discord/message.go", "board.edit", taken},
	{"edit-cell", "the edit has one mark, 24 blanks", "bot/view/board.go", "board.edit", blanks("components", 24, 1)},
	{"edit-marker", "the edit has the next number", "bot/customid/marker.go", "board.edit", shows("components.0.id", anchor+1)},
	{"edit-flags", "it still is a message of components alone", "bot/discord/message.go", "board.edit", flags("flags", v2)},
	{"edit-again", "an edit that changes nothing has a time of its own", "bot/games/move.go", "board.edit board.again", edited},
	{"text-to-board", "a plain message becomes a board", "bot/discord/message.go", "text.edit", all(taken, flags("flags", v2), blanks("components", 8, 1))},
	{"text-gone", "its text is gone then", "bot/discord/message.go", "text.edit", shows("content", "")},
	{"mention-left", "who is named and not listed is not mentioned", "bot/discord/message.go", "mention.left", all(taken, lists("mentions", 0))},
	{"mention-edit", "an edit that lists them mentions them", "bot/discord/message.go", "mention.edit", all(taken, lists("mentions", 1))},
	{"mention-unnamed", "who is listed and not named is no error, and not mentioned", "bot/discord/message.go", "mention.unnamed", all(taken, lists("mentions", 0))},
	{"nonce-twice", "a creation with the same nonce is the same message", "bot/rest/channels.go", "nonce.first nonce.second", alike("id")},
	{"nonce-deleted", "once that is deleted it is code 10008", "bot/posted.go", "nonce.third", refused([]int{10008})},
	{"list-25", "a list of 25 choices is taken and comes back", "bot/view/list.go", "list.post", all(taken, lists("components.0.components.1.components.0.options", 25))},
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

var clickRows = []row{
	{"command-reads", "a command is understood", "bot/discord/interaction.go", "command", reads(bySlash, "as a command")},
	{"command-keys", "it has the keys that the local Discord's has", "bot/sandbox/call.go", "command", asLocally},
	{"command-owners", "it says that the server has installed the app", "bot/discord/reach.go", "command", byServer},
	{"app-permissions", "it says what the bot may do in the channel", "bot/discord/interaction.go", "command guild member channel", appMay},
	{"answer", "a board as its answer is taken, and named", "bot/rest/interactions.go", "answer", all(taken, flags("resource.message.flags", v2))},
	{"answer-flags", "it is quiet", "bot/discord/message.go", "answer", flags("resource.message.flags", quietV2)},
	{"answer-marker", "it has the number it was given", "bot/customid/marker.go", "answer", shows("resource.message.components.0.id", anchor)},
	{"answer-blanks", "it has 25 blank cells", "bot/view/board.go", "answer", blanks("resource.message.components", 25, 0)},
	{"answered-twice", "a second answer is refused with code 40060", "bot/rest/errors.go", "answer.twice", refused([]int{40060}, 400)},
	{"click-reads", "a click is understood", "bot/discord/interaction.go", "click", reads(byClick, "as a click")},
	{"click-keys", "it has the keys that the local Discord's has", "bot/sandbox/messages.go", "click", asLocally},
	{"click-marker", "its message comes with its number", "bot/customid/marker.go", "click", marked(0)},
	{"click-blanks", "and with its blank cells", "bot/view/board.go", "click", blanks("message.components", 25, 0)},
	{"update", "the board with a move as its answer is taken", "bot/rest/interactions.go", "update", taken},
	{"update-read", "the message is that board then", "bot/discord/message.go", "update.read", all(shows("content", ""), shows("components.0.id", anchor+1), blanks("components", 24, 1))},
	{"next-marker", "the next click comes with the new number", "bot/customid/marker.go", "next", marked(1)},
	{"same-again", "an update that changes nothing has a time of its own", "bot/games/move.go", "update.read same.read", edited},
	{"original", "after a silent acknowledgement @original is the clicked message", "bot/tracker/show.go", "silent original again", originalIs},
	{"followup", "a follow-up can be private", "bot/rest/interactions.go", "followup", all(taken, flags("flags", private))},
	{"followup-edit", "it can be edited by its id and the token", "bot/tracker/show.go", "followup.edit", taken},
	{"private-click", "a click on it says that it is private", "bot/discord/interaction.go", "private", flags("message.flags", private)},
	{"private-original", "there, too, @original is the clicked message", "bot/tracker/show.go", "private.silent private.original private", originalIs},
	{"private-update", "an update of it is taken", "bot/discord/message.go", "private.update", taken},
	{"private-delete", "it can be deleted by the token", "bot/rest/interactions.go", "private.delete", taken},
	{"select-reads", "a choice is understood", "bot/customid/customid.go", "select", reads(bySelect, "as a choice")},
	{"select-keys", "it has the keys that the local Discord's has", "bot/sandbox/prepare_component.go", "select", asLocally},
	{"in-time", "commands and clicks come within 1.5 s", "bot/dispatch/deadline.go", "command click next", within(&inTime, "after %d ms at most")},
	{"answer-time", "answers are taken within 1 s", "bot/dispatch/deadline.go", "answer update same silent", within(&quick, "within %d ms")},
	{"look-rows", "three rows of three without gaps", "bot/view/running.go", "look.rows", liked},
	{"look-blank", "empty cells are empty buttons", "bot/view/board.go", "look.blank", liked},
	{"look-phone", "five columns fit a phone", "bot/view/board.go", "look.phone", liked},
	{"look-lines", "a board of symbols has straight lines", "bot/view/textboard.go", "look.lines", liked},
	{"look-letters", "letters for marks are no emojis", "bot/view/marks.go", "look.letters", liked},
	{"person-reads", "a user command says who is meant", "bot/discord/interaction.go", "person", reads(byMenu, "whom it is about")},
	{"person-keys", "it has the keys that the local Discord's has", "bot/sandbox/commands.go", "person", asLocally},
}

var moreRows = []row{
	{"second-reads", "a click of somebody else is understood", "bot/discord/interaction.go", "second", reads(func(in *discord.Interaction) bool { return in.Message.V2() }, "as a click")},
	{"second-private", "an answer to them can be private", "bot/rest/interactions.go", "second.answer", all(taken, flags("resource.message.flags", private))},
	{"second-hidden", "nobody else sees that", "bot/view/private.go", "second.hidden", liked},
	{"second-called", "of two who are named, who is listed is mentioned", "bot/discord/message.go", "second.post second", callsThem},
	{"second-badge", "that leaves a badge and makes no sound", "bot/discord/message.go", "second.badge", liked},
	{"second-edited", "an edit that lists both mentions both", "bot/discord/message.go", "second.edit", all(taken, lists("mentions", 2))},
	{"second-no-badge", "that leaves no badge", "bot/discord/message.go", "second.nobadge", liked},

	{"archived-edit", "an edit in an archived thread is code 50083", "bot/rest/errors.go", "thread.edit", refused([]int{50083}, http.StatusBadRequest)},
	{"archived-open", "the bot can open it", "bot/games/thread.go", "thread.open", all(taken, shows("thread_metadata.archived", false))},
	{"archived-click", "a click in it comes when it is open again", "bot/sandbox/threads.go", "thread", shows("channel.thread_metadata.archived", false)},
	{"archived-reads", "it names the thread's channel", "bot/discord/interaction.go", "thread", inThread},
	{"archived-update", "an update there is taken", "bot/dispatch/answer.go", "thread.update", taken},
	{"locked-told", "the bot can see that a thread is locked", "bot/games/thread.go", "locked", shows("thread_metadata.locked", true)},
	{"locked-edit", "an edit there is refused with a code that has the bot look at the thread", "bot/rest/errors.go", "locked.edit", refused(closed)},
	{"locked-post", "a message there is, too", "bot/rest/errors.go", "locked.post", refused(closed)},
	{"locked-token", "an edit by an interaction token is code 50083", "bot/dispatch/answer.go", "locked.token", refused([]int{50083})},
	{"deleted-thread", "a thread that is deleted is code 10003", "bot/rest/errors.go", "deleted.read", refused([]int{10003}, http.StatusNotFound)},

	{"elsewhere-owners", "a command where the bot is not says who has brought it along", "bot/discord/reach.go", "elsewhere", brought},
	{"elsewhere-answer", "a private answer there is taken", "bot/rest/interactions.go", "elsewhere.answer", all(taken, flags("resource.message.flags", private))},
}

var laterRows = []row{
	{"old-edits", "of five quick edits of an old message one is refused with 30046, and taken later", "bot/rest/apierror.go", "old.try1 old", oldEdits},
	{"old-click", "a click on an old message is answered all the same", "bot/tracker/show.go", "old.update", taken},
}

// closed are the codes after which the bot looks whether a thread is locked (rest.Forbidden).
var closed = []int{50001, 50013, 50083, 160005}
