package postgres

import (
	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// The statements about streaks in guilds.
var (
	placeSolverText = sqlstore.Postgres.Text(sqlstore.PlaceSolver)
	moveSolverText  = sqlstore.Postgres.Text(sqlstore.MoveSolver)
)

// places adds what notes where the puzzle was solved.
func (p *pipeline) places(t store.PuzzleTry) {
	if args, ok := sqlstore.SolvedIn(t); ok {
		p.addAny(placeSolverText, args...)
	}
}

// moves adds what brings rows of streaks up to date.
func (p *pipeline) moves(of store.Puzzler) { p.addAny(moveSolverText, sqlstore.MoveSolverArgs(of)...) }
