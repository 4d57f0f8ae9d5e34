package view

import (
	"strings"

	"tictactoe/bot/match"
	"tictactoe/engine"
	"tictactoe/store"
)

// result is the first line of a match that is over: who won and how.
func (v Board) result(m store.Match) string {
	a := args{"Winner": v.player(m.Player(m.Winner)), "Loser": v.player(m.Player(m.Winner.Other()))}
	switch m.EndReason {
	case store.ByLine:
		won := v.say("end.line", a)
		if m.AsList { // who hears the board is told where the line is
			won += " " + v.winningCells(m)
		}
		return won
	case store.FullBoard:
		if match.HeldPerfect(m) {
			return v.say("end.draw_perfect", args{"Opponent": v.opponent(match.Perfect)})
		}
		return v.say("end.draw", nil)
	case store.Repetition:
		return v.say("end.repetition", nil)
	case store.MoveLimit:
		return v.say("end.move_limit", nil)
	case store.Resignation:
		if len(m.Moves) == 0 {
			return v.say("end.resignation_first", a)
		}
		return v.say("end.resignation", a)
	case store.Clock:
		if len(m.Moves) == 0 {
			return v.say("end.clock_first", a)
		}
		return v.say("end.clock", a)
	case store.Idle:
		return v.say("end.idle", args{"Duration": v.duration(m.Clock)})
	case store.PutAside:
		if match.Paused(m) {
			return v.say("end.paused", args{"Opponent": v.player(store.Player{User: m.EndedBy})})
		}
		return v.say("end.abandoned", args{"Duration": v.duration(match.PausedFor)})
	case store.Stopped:
		return v.say("end.stopped", args{"Moderator": v.mention(m.EndedBy)})
	case store.Unreachable:
		return v.say("end.unreachable", nil)
	case store.ThreadLocked:
		return v.say("end.locked", nil)
	case store.PlayerErased:
		return v.say("end.player_erased", nil)
	default:
		return v.say("end.abandoned", args{"Duration": v.duration(match.AbandonAfter)})
	}
}

func (v Board) winningCells(m store.Match) string {
	g, err := match.Position(m)
	if err != nil {
		return ""
	}
	var names []string
	for c := range m.Rules.CellsOf(g.WinningCells()) {
		names = append(names, m.Rules.CellName(c))
	}
	return strings.Join(names, " ")
}

// verdict says which move lost the match, "" where that is not known.
func (v Board) verdict(m store.Match) string {
	var key string
	switch m.Verdict.Kind {
	case store.ThrewWin:
		key = "end.gave_win"
		if winsAtOnce(m) {
			key = "end.missed_win"
		}
	case store.ThrewDraw:
		key = "end.gave_draw"
	default:
		return ""
	}
	if m.Verdict.Ply >= len(m.Moves) {
		return "" // a damaged record
	}
	return v.say(key, args{
		"Played": m.Rules.CellName(m.Moves[m.Verdict.Ply]), "Move": m.Verdict.Ply + 1, "Cell": m.Rules.CellName(m.Verdict.Cell),
	})
}

// winsAtOnce reports whether the cell that the verdict names would have ended the match.
func winsAtOnce(m store.Match) bool {
	g, err := engine.Replay(m.Rules, m.Moves[:min(m.Verdict.Ply, len(m.Moves))])
	if err != nil {
		return false
	}
	g, err = g.Play(m.Verdict.Cell)
	return err == nil && g.Over() && g.Outcome() != engine.Drawn
}

// afterword is what stands below the result: which move lost it, and an offered rematch.
func (v Board) afterword(m store.Match) (verdict, offer string) {
	if m.State != store.Ended {
		return "", ""
	}
	switch {
	case m.RematchX:
		offer = v.say("rematch.offered", args{"Player": v.player(m.X)})
	case m.RematchO:
		offer = v.say("rematch.offered", args{"Player": v.player(m.O)})
	case m.RematchDeclined != engine.None:
		offer = v.say("rematch.declined", args{"Player": v.player(m.Player(m.RematchDeclined))})
	}
	return v.verdict(m), offer
}
