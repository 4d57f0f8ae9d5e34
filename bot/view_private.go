package bot

import (
	"fmt"
	"strings"

	"tictactoe/engine"
	"tictactoe/store"
)

// private returns an answer that only the person who asked sees: a text and, where
// it helps, doors to go on through. It mentions people without notifying them.
func private(text string, buttons ...component) message {
	msg := message{content: text, ephemeral: true}
	if len(buttons) > 0 {
		msg.components = []component{row(buttons...)}
	}
	return msg
}

// boardSize is how large the board is, as people read it: "4×5".
func boardSize(r engine.Rules) string { return fmt.Sprintf("%d×%d", r.M, r.N) }

// boardName names a board: its size and, unless that is a whole side of a square, how
// long a row wins.
func (v view) boardName(r engine.Rules) string {
	if r.Square() && r.K == r.M {
		return boardSize(r)
	}
	return boardSize(r) + ", " + v.goal(r)
}

func (v view) playPrivatelyButton(c choice) component {
	return button(styleSecondary, v.say("button.play_privately", nil), customID{action: actPlayPrivately, choice: c})
}

func (v view) showBoardButton(m store.MatchID) component {
	return button(styleSecondary, v.say("button.show_board", nil), customID{action: actShowBoard, match: m})
}

func (v view) showPrivateButton(m store.MatchID) component {
	return button(styleSecondary, v.say("button.show_private", nil), customID{action: actShowBoard, match: m})
}

// privateToo leads from the public match to the private one in the same channel.
func (v view) privateToo(m store.Match) message {
	return private(v.say("board.private_too", nil), v.showPrivateButton(m.ID))
}

// publicToo leads the other way, to the match of other people.
func (v view) publicToo(m store.Match, link string) message {
	return private(v.say("board.public_too", args{"Link": link}), v.showBoardButton(m.ID))
}

// resignQuestion asks a player once more.
func (v view) resignQuestion(m store.Match, seat engine.Mark) message {
	return withPeople(private(v.say("resign.question", args{"Opponent": v.player(m.Player(seat.Other()))}),
		button(styleDanger, v.say("button.resign", nil), customID{action: actResignConfirm, match: m.ID}),
		button(styleSecondary, v.say("button.keep_playing", nil), customID{action: actKeepPlaying, match: m.ID}),
	), people(m))
}

// stopQuestion asks a moderator who is not in the match.
func (v view) stopQuestion(m store.Match) message {
	return private(v.say("stop.question", nil),
		button(styleDanger, v.say("button.stop", nil), customID{action: actStopConfirm, match: m.ID}),
		button(styleSecondary, v.say("button.keep_going", nil), customID{action: actKeepPlaying, match: m.ID}),
	)
}

// resignWhichQuestion asks somebody who plays two matches here, one of them
// privately.
func (v view) resignWhichQuestion(m, hidden store.Match, seat engine.Mark) message {
	return withPeople(private(v.say("resign.question", args{"Opponent": v.player(m.Player(seat.Other()))})+"\n"+v.say("board.private_too", nil),
		button(styleDanger, v.say("button.resign", nil), customID{action: actResignConfirm, match: m.ID}),
		button(styleDanger, v.say("button.resign_private", nil), customID{action: actResignConfirm, match: hidden.ID}),
		button(styleSecondary, v.say("button.keep_playing", nil), customID{action: actKeepPlaying, match: m.ID}),
	), people(m))
}

// resignOrStopQuestion asks a moderator who plays privately which of the two he
// means.
func (v view) resignOrStopQuestion(mine, other store.Match, seat engine.Mark) message {
	return withPeople(private(v.say("resign.question", args{"Opponent": v.player(mine.Player(seat.Other()))})+"\n"+v.say("stop.question", nil),
		button(styleDanger, v.say("button.resign", nil), customID{action: actResignConfirm, match: mine.ID}),
		button(styleDanger, v.say("button.stop", nil), customID{action: actStopConfirm, match: other.ID}),
		button(styleSecondary, v.say("button.keep_going", nil), customID{action: actKeepPlaying, match: other.ID}),
	), people(mine))
}

// help explains the game and the commands.
func (v view) help(inGuild bool) message {
	lines := []string{
		v.say("help.goal", nil),
		v.say("help.play", args{"Command": v.command("play")}),
	}
	buttons := []component{v.playPrivatelyButton(defaultChoice)}
	if inGuild {
		lines = append(lines, v.say("help.challenge", args{"Command": v.command("challenge")}))
		buttons = append(buttons, button(styleSecondary, v.say("button.open_table", nil), customID{action: actOpenTable}))
	}
	lines = append(lines,
		v.say("help.board", args{"Command": v.command("board")}),
		v.say("help.resign", args{"Command": v.command("resign")}),
		v.say("help.cell_names", nil),
	)
	return private(strings.Join(lines, "\n"), buttons...)
}

func withPeople(m message, ids []string) message {
	m.people = ids
	return m
}
