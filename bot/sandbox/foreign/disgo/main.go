// Command disgo is a bot in disgo that uses what the library has. It differs from
// one for Discord only in where it finds its API.
package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"slices"
	"strings"

	"github.com/disgoorg/disgo"
	"github.com/disgoorg/disgo/bot"
	"github.com/disgoorg/disgo/cache"
	"github.com/disgoorg/disgo/discord"
	"github.com/disgoorg/disgo/events"
	"github.com/disgoorg/disgo/gateway"
	"github.com/disgoorg/disgo/rest"
)

func main() {
	client, err := disgo.New(os.Getenv("DISCORD_TOKEN"),
		bot.WithRestClientConfigOpts(rest.WithURL(os.Getenv("DISCORD_API_URL"))),
		bot.WithGatewayConfigOpts(gateway.WithIntents(gateway.IntentsNonPrivileged, gateway.IntentGuildMembers, gateway.IntentMessageContent)),
		bot.WithCacheConfigOpts(cache.WithCaches(cache.FlagsAll)),
		bot.WithEventManagerConfigOpts(bot.WithAsyncEventsEnabled()),
		bot.WithEventListeners(bot.NewListenerFunc(note)),
		bot.WithEventListenerFunc(onCommand),
		bot.WithEventListenerFunc(onComponent),
		bot.WithEventListenerFunc(onModal),
		bot.WithEventListenerFunc(onAutocomplete),
		bot.WithEventListenerFunc(onMessage),
		bot.WithEventListenerFunc(onReaction),
	)
	if err == nil {
		_, err = client.Rest.SetGlobalCommands(client.ApplicationID, commands())
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err == nil {
		err = client.OpenGateway(ctx)
	}
	if err != nil {
		slog.Error("start", "error", err)
		os.Exit(1)
	}
	<-ctx.Done()
	client.Close(context.WithoutCancel(ctx))
}

func commands() []discord.ApplicationCommandCreate {
	slash := func(name string, options ...discord.ApplicationCommandOption) discord.ApplicationCommandCreate {
		return discord.SlashCommandCreate{Name: name, Description: "Try " + name + ".", Options: options}
	}
	const about = "An option."
	return []discord.ApplicationCommandCreate{
		slash("hello"), slash("card"), slash("form"), slash("labels"), slash("choose"), slash("file"), slash("follow"),
		slash("options",
			discord.ApplicationCommandOptionString{Name: "text", Description: about},
			discord.ApplicationCommandOptionInt{Name: "number", Description: about},
			discord.ApplicationCommandOptionFloat{Name: "share", Description: about},
			discord.ApplicationCommandOptionBool{Name: "yes", Description: about},
			discord.ApplicationCommandOptionUser{Name: "who", Description: about},
			discord.ApplicationCommandOptionChannel{Name: "where", Description: about},
			discord.ApplicationCommandOptionRole{Name: "role", Description: about},
			discord.ApplicationCommandOptionMentionable{Name: "any", Description: about},
			discord.ApplicationCommandOptionAttachment{Name: "file", Description: about},
		),
		slash("settings", discord.ApplicationCommandOptionSubCommandGroup{
			Name: "colour", Description: about,
			Options: []discord.ApplicationCommandOptionSubCommand{{
				Name: "set", Description: about,
				Options: []discord.ApplicationCommandOption{discord.ApplicationCommandOptionString{Name: "name", Description: about, Required: true}},
			}},
		}),
		slash("find", discord.ApplicationCommandOptionString{Name: "query", Description: about, Required: true, Autocomplete: true}),
		slash("slow", discord.ApplicationCommandOptionBool{Name: "private", Description: about}),
		slash("check", discord.ApplicationCommandOptionString{Name: "what", Description: about, Required: true}),
		discord.UserCommandCreate{Name: "Greet"},
		discord.MessageCommandCreate{Name: "Count"},
	}
}

type message = discord.MessageCreate

func say(text string) message { return discord.NewMessageCreate().WithContent(text) }

func private(text string) message { return say(text).WithEphemeral(true) }

func edit(text string) discord.MessageUpdate {
	return discord.NewMessageUpdate().WithContent(text).ClearComponents()
}

func button(id, label string) discord.ButtonComponent { return discord.NewPrimaryButton(label, id) }

func card(text string) discord.LayoutComponent {
	return discord.NewContainer(discord.NewTextDisplay(text), discord.NewActionRow(button("turn", "Turn"))).WithAccentColor(0x5865f2)
}

func form(id string) discord.ModalCreate {
	name, text := discord.NewShortTextInput("name"), discord.NewParagraphTextInput("text")
	return discord.NewModalCreate(id, "Form", discord.NewLabel("Name", name), discord.NewLabel("Text", text.WithRequired(false)))
}

// read returns what is at an attachment's address.
func read(url string) string {
	resp, err := http.Get(url) //nolint:gosec,noctx // of a message that a test sent
	must(err)
	defer resp.Body.Close()
	return string(try(io.ReadAll(resp.Body)))
}

// must ends a handler with an error, which the library logs.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// try is what there is, where no error ends the handler.
func try[T any](v T, err error) T {
	must(err)
	return v
}

func onCommand(e *events.ApplicationCommandInteractionCreate) {
	switch data := e.Data.(type) {
	case discord.UserCommandInteractionData:
		must(e.CreateMessage(say("Hello, " + data.TargetMember().EffectiveName() + "!")))
	case discord.MessageCommandInteractionData:
		must(e.CreateMessage(say(fmt.Sprintf("%d letters.", len(data.TargetMessage().Content)))))
	case discord.SlashCommandInteractionData:
		slashCommand(e, data)
	}
}

func slashCommand(e *events.ApplicationCommandInteractionCreate, data discord.SlashCommandInteractionData) {
	r, app, token := e.Client().Rest, e.ApplicationID(), e.Token()
	switch data.CommandName() {
	case "hello":
		must(e.CreateMessage(say("Hello, "+e.User().Mention()+"!").
			AddActionRow(button("update", "Update"), button("later", "Later"), button("whisper", "Whisper"), button("ask", "Ask"))))
	case "options":
		must(e.CreateMessage(say(given(data))))
	case "settings":
		path := strings.ReplaceAll(strings.TrimPrefix(data.CommandPath(), "/settings/"), "/", " ")
		must(e.CreateMessage(say(path + " " + data.String("name"))))
	case "card":
		must(e.CreateMessage(discord.NewMessageCreateV2(card("First side"))))
	case "form":
		must(e.Modal(form("form")))
	case "labels":
		must(e.Modal(discord.NewModalCreate("labels", "Labels",
			discord.NewLabel("Name", discord.NewShortTextInput("name")),
			discord.NewLabel("Colour", discord.NewStringSelectMenu("colour", "",
				discord.NewStringSelectMenuOption("Red", "red"), discord.NewStringSelectMenuOption("Blue", "blue"))))))
	case "choose":
		must(e.CreateMessage(say("Choose.").
			AddActionRow(discord.NewStringSelectMenu("string", "",
				discord.NewStringSelectMenuOption("One", "1"), discord.NewStringSelectMenuOption("Two", "2")).WithMaxValues(2)).
			AddActionRow(discord.NewUserSelectMenu("user", "")).
			AddActionRow(discord.NewRoleSelectMenu("role", "")).
			AddActionRow(discord.NewMentionableSelectMenu("mentionable", "").WithMaxValues(2)).
			AddActionRow(discord.NewChannelSelectMenu("channel", ""))))
	case "find":
		must(e.CreateMessage(say("Found " + data.String("query") + ".")))
	case "file":
		must(e.CreateMessage(say("Here.").AddFile("notes.txt", "", strings.NewReader("some words"))))
		m := try(r.GetInteractionResponse(app, token))
		try(r.CreateFollowupMessage(app, token, say("It says: "+read(m.Attachments[0].URL))))
	case "slow":
		must(e.DeferCreateMessage(data.Bool("private")))
		try(r.UpdateInteractionResponse(app, token, edit("There.")))
	case "follow":
		followUps(e)
	case "check":
		must(e.DeferCreateMessage(false))
		c := &check{e, r, *e.GuildID(), e.Channel().ID()}
		try(r.UpdateInteractionResponse(app, token, edit(c.result(data.String("what")))))
	}
}

func followUps(e *events.ApplicationCommandInteractionCreate) {
	r, app, token := e.Client().Rest, e.ApplicationID(), e.Token()
	must(e.CreateMessage(say("First.")))
	second := try(r.CreateFollowupMessage(app, token, say("Second.")))
	try(r.CreateFollowupMessage(app, token, private("Private.")))
	try(r.UpdateFollowupMessage(app, token, second.ID, edit("Second, edited.")))
	third := try(r.CreateFollowupMessage(app, token, say("Third.")))
	must(r.DeleteFollowupMessage(app, token, third.ID))
	must(r.DeleteInteractionResponse(app, token))
	try(r.CreateFollowupMessage(app, token, say("Done.")))
}

// given lists the options of a command as the library decodes them.
func given(data discord.SlashCommandInteractionData) string {
	said := []string{
		option("text", data.OptString), option("number", data.OptInt), option("share", data.OptFloat),
		option("yes", data.OptBool), option("who", data.OptMember), option("where", data.OptChannel),
		option("role", data.OptRole), option("any", data.OptMentionable), option("file", data.OptAttachment),
	}
	return strings.Join(slices.DeleteFunc(said, func(s string) bool { return s == "" }), " ")
}

// option is one option in words, "" where it is not given.
func option[T any](name string, decode func(string) (T, bool)) string {
	v, ok := decode(name)
	if !ok {
		return ""
	}
	return name + "=" + called(v)
}

// called is what to call a value that the library has decoded.
func called(v any) string {
	switch v := v.(type) {
	case discord.ResolvedMember:
		return v.EffectiveName()
	case discord.Role:
		return v.Name
	case discord.ResolvedChannel:
		return v.Name
	case discord.Attachment:
		return v.Filename + ":" + read(v.URL)
	}
	return fmt.Sprint(v)
}

func onComponent(e *events.ComponentInteractionCreate) {
	r, app, token := e.Client().Rest, e.ApplicationID(), e.Token()
	switch e.Data.CustomID() {
	case "update":
		must(e.UpdateMessage(edit("Updated.")))
	case "later":
		must(e.DeferUpdateMessage())
		try(r.UpdateInteractionResponse(app, token, edit("Edited.")))
	case "whisper":
		must(e.CreateMessage(private("Only you.")))
		try(r.CreateFollowupMessage(app, token, private("Still only you.")))
	case "ask":
		must(e.Modal(form("ask")))
	case "turn":
		must(e.UpdateMessage(discord.NewMessageUpdateV2(card("Other side"))))
	default:
		must(e.CreateMessage(say("Chose " + strings.Join(chosen(e.Data), ", ") + ".")))
	}
}

func chosen(data discord.ComponentInteractionData) []string {
	switch d := data.(type) {
	case discord.StringSelectMenuInteractionData:
		return d.Values
	case discord.UserSelectMenuInteractionData:
		return names(d.Members())
	case discord.RoleSelectMenuInteractionData:
		return names(d.Roles())
	case discord.MentionableSelectMenuInteractionData:
		return append(names(d.Members()), names(d.Roles())...)
	case discord.ChannelSelectMenuInteractionData:
		return names(d.Channels())
	}
	return nil
}

func names[T any](list []T) (all []string) {
	for _, v := range list {
		all = append(all, called(v))
	}
	return all
}

func onModal(e *events.ModalSubmitInteractionCreate) {
	switch e.Data.CustomID {
	case "form":
		must(e.CreateMessage(say(e.Data.Text("name") + ": " + e.Data.Text("text"))))
	case "ask":
		must(e.UpdateMessage(edit("Asked " + e.Data.Text("name") + ".")))
	case "labels":
		must(e.CreateMessage(say(e.Data.Text("name") + " likes " + strings.Join(e.Data.StringValues("colour"), ", ") + ".")))
	}
}

func onAutocomplete(e *events.AutocompleteInteractionCreate) {
	choices := []discord.AutocompleteChoice{}
	for _, word := range []string{"apple", "apricot", "banana"} {
		if strings.HasPrefix(word, e.Data.String("query")) {
			choices = append(choices, discord.AutocompleteChoiceString{Name: word, Value: word})
		}
	}
	must(e.AutocompleteResult(choices))
}

func onMessage(e *events.MessageCreate) {
	if e.Message.Author.Bot {
		return
	}
	var text string
	switch e.Message.Content {
	case "!ping":
		text = "pong"
	case "!read":
		text = read(e.Message.Attachments[0].URL)
	case "!may":
		member := *e.Message.Member
		member.User, member.GuildID = e.Message.Author, *e.GuildID
		text = fmt.Sprint(e.Client().Caches.MemberPermissions(member).Has(discord.PermissionAdministrator))
	default:
		return
	}
	try(e.Client().Rest.CreateMessage(e.ChannelID, say(text).WithMessageReferenceByID(e.MessageID)))
}

func onReaction(e *events.MessageReactionAdd) {
	if e.UserID != e.Client().ID() && e.Emoji.Reaction() == "🏓" {
		try(e.Client().Rest.CreateMessage(e.ChannelID, say("pong").WithMessageReferenceByID(e.MessageID)))
	}
}
