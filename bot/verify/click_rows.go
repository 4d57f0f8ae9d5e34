package verify

import (
	"fmt"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
)

// marked expects the clicked message to come along with a number.
func marked(ply int) judge {
	return func(of ...evidence) (string, bool) {
		got, ok := customid.PlyOf(of[0].in.Message.Marker)
		return show("message.components.0.id", of[0].in.Message.Marker), ok && got == ply
	}
}

// bySlash is what the bot reads of a command.
func bySlash(in *discord.Interaction) bool {
	return in.Root == chatCommand && in.Command == "play" && in.Installed && in.User != ""
}

// byClick is what it reads of a click.
func byClick(in *discord.Interaction) bool {
	return in.Message.ID != "" && in.Message.V2() && !in.Message.Lacks && isCell(in.CustomID)
}

func bySelect(in *discord.Interaction) bool {
	_, ok := customid.ParseCellValue(in.Values)
	return ok && in.Message.ID != "" && !in.Message.Lacks
}

func byMenu(in *discord.Interaction) bool {
	_, known := in.Users[in.Target]
	return in.Target != "" && known
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
	{"same-again", "an update that changes nothing has a time of its own", "bot/games/click.go", "update.read same.read", later("edited_timestamp")},
	{"original", "after a silent acknowledgement @original is the clicked message", "bot/tracker/show.go", "silent original again", originalIs},
	{"followup", "a follow-up can be private", "bot/rest/interactions.go", "followup", all(taken, flags("flags", private))},
	{"followup-edit", "it can be edited by its id and the token", "bot/tracker/show.go", "followup.edit", taken},
	{"private-click", "a click on it says that it is private", "bot/discord/interaction.go", "private", flags("message.flags", private)},
	{"private-original", "there, too, @original is the clicked message", "bot/tracker/show.go", "private.silent private.original private", originalIs},
	{"private-update", "an update of it is taken", "bot/discord/message.go", "private.update", taken},
	{"private-delete", "it can be deleted by the token", "bot/rest/interactions.go", "private.delete", taken},
	{"select-reads", "a choice is understood", "bot/customid/customid.go", "select", reads(bySelect, "as a choice")},
	{"select-keys", "it has the keys that the local Discord's has", "bot/sandbox/prepare_component.go", "select", asLocally},
	{"in-time", "commands and clicks come within 1.5 s", "bot/dispatch/deadline.go", "command click next", promptly},
	{"answer-time", "answers are taken within 1 s", "bot/dispatch/deadline.go", "answer update same silent", quickly},
	{"look-rows", "three rows of three without gaps", "bot/view/running.go", "look.rows", liked},
	{"look-blank", "empty cells are empty buttons", "bot/view/board.go", "look.blank", liked},
	{"look-phone", "five columns fit a phone", "bot/view/board.go", "look.phone", liked},
	{"look-lines", "a board of symbols has straight lines", "bot/view/textboard.go", "look.lines", liked},
	{"look-letters", "letters for marks are no emojis", "bot/view/marks.go", "look.letters", liked},
	{"person-reads", "a user command says who is meant", "bot/discord/interaction.go", "person", reads(byMenu, "whom it is about")},
	{"person-keys", "it has the keys that the local Discord's has", "bot/sandbox/commands.go", "person", asLocally},
}

// byServer expects its server to have installed the app.
func byServer(of ...evidence) (string, bool) {
	const path = "authorizing_integration_owners.0"
	return show("context", get(of[0].body, "context")) + ", by a server " + fmt.Sprint(of[0].text(path) != ""),
		of[0].text(path) == of[0].in.Guild && of[0].number("context") == discord.ContextGuild
}

// appMay expects the permissions that the bot looks at to be those that its roles and the channel
// give it.
func appMay(of ...evidence) (string, bool) {
	const looked = discord.BeginThreads | discord.PermissionSendMessages | discord.PermissionManageMessages | readHistory
	got, want := of[0].in.App&looked, permissions(of[1], of[2], of[3])&looked
	return fmt.Sprintf("%d, and %d by roles and channel", got, want), got == want
}

// originalIs expects an edit of @original to be of the message that was clicked.
func originalIs(of ...evidence) (string, bool) {
	acknowledged, edit, click := of[0], of[1], of[2]
	if seen, same := taken(acknowledged, edit); !same {
		return seen, false
	}
	if edit.text("id") != click.in.Message.ID {
		return "another message", false
	}
	return "the clicked message", true
}
