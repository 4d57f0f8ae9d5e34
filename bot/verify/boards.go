package verify

import (
	"slices"
	"strings"
	"time"

	"tictactoe/bot/customid"
	"tictactoe/bot/discord"
	"tictactoe/bot/view"
	"tictactoe/engine"
	"tictactoe/engine/strategy"
	"tictactoe/store"
)

// blankLabel is what the board gives an empty cell.
const blankLabel = "\u200b"

var (
	small = engine.Standard
	large = engine.Rules{M: 5, N: 5, K: 4}
)

// moved are the moves that boards show.
var moved = map[engine.Rules][]engine.Cell{small: {0, 3, 6}, large: {0, 6, 12}}

// board is a board of the bot's own. Whoever has X is the application, whom no mention
// notifies.
func (s *session) board(rules engine.Rules, moves int, change ...func(*store.Match, *view.View)) discord.Message {
	m, v := s.match(rules, moves)
	for _, f := range change {
		f(&m, &v)
	}
	return mustView(v.Board().Match(m))
}

func (s *session) match(rules engine.Rules, moves int) (store.Match, view.View) {
	v := view.View{
		Words: view.Load().In(view.DefaultLocale), Now: s.opts.Now(),
		Uptime:  func(store.GuildID) time.Duration { return 0 },
		Person:  func(store.UserID) store.Person { return store.Person{} },
		Guild:   func(store.GuildID) store.GuildSettings { return store.GuildSettings{} },
		Command: func(name string) string { return "`/" + commandPrefix + view.CommandOf(name) + " " + name + "`" },
	}
	m := store.Match{
		ID: 1, Guild: store.GuildID(s.guild), Channel: store.ChannelID(s.channel), Place: 1, Rules: rules,
		X: store.Player{User: store.UserID(s.app.ID)}, O: store.Player{Opponent: strategy.All()[0].Name},
		State: store.Active, Locale: view.DefaultLocale, Version: moves + 1, Moves: moved[rules][:moves],
	}
	return m, v
}

// mustView returns the message, of which only matches that cannot be have none.
func mustView(msg discord.Message, err error) discord.Message {
	if err != nil {
		panic(err)
	}
	return msg
}

// byList has the board be a list of its cells.
func byList(_ *store.Match, v *view.View) {
	v.Person = func(store.UserID) store.Person { return store.Person{PlaysBy: store.ByList} }
}

// drawnWith has the board in another set of marks.
func drawnWith(marks store.Marks) func(*store.Match, *view.View) {
	return func(m *store.Match, _ *view.View) { m.Marks = marks }
}

// markSets are all of them.
var markSets = []store.Marks{0, store.MarksBlocks, store.MarksHearts, store.MarksSky}

// ownID is what the custom IDs begin with of buttons that no board has.
const ownID = "verify:"

func isCell(customID string) bool {
	id, err := customid.Parse(customID)
	return err == nil && id.Action == customid.Cell
}

// withSteps adds what there is to press beside the board, and the words that say so.
func withSteps(msg discord.Message, text string, buttons ...discord.Component) discord.Message {
	msg.Components = append(msg.Components, discord.TextDisplay(text))
	if len(buttons) > 0 {
		msg.Components = append(msg.Components, discord.Row(buttons...))
	}
	return msg
}

func press(style int, label, name string) discord.Component {
	return discord.Button(style, label, ownID+name)
}

// words is a message in components v2 that is text alone.
func words(text string) discord.Message {
	return discord.Message{V2: true, Quiet: true, Components: []discord.Component{discord.TextDisplay(text)}}
}

// longest has texts as long as Discord's documentation allows, and one label of so many
// characters.
func longest(label int) discord.Message {
	long := func(n int) string { return strings.Repeat("m", n) }
	choice := discord.Option{Label: long(100), Value: long(100), Description: long(100)}
	return discord.Message{V2: true, Quiet: true, Components: []discord.Component{
		discord.Row(discord.Button(discord.StyleSecondary, long(label), long(customid.MaxLength))),
		discord.Row(discord.Select(ownID+"long", long(150), choice)),
	}}
}

// many is a message of so many components.
func many(n int) discord.Message {
	msg := words("1")
	msg.Components = slices.Repeat(msg.Components, n)
	return msg
}
