package sqlite

import (
	"context"
	"fmt"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// putPuzzles stores how people stand with puzzles.
func (s *writeStatements) putPuzzles(c store.Change) error {
	for _, t := range c.Tries {
		name := fmt.Sprintf("puzzle %d of %s", t.Day, t.User)
		if err := s.try.put(name, t.Version, sqlstore.Tries.Args(&t), string(t.User), t.Day); err != nil {
			return err
		}
		if args, ok := sqlstore.SolvedIn(t); ok {
			if _, err := s.placeSolver.ExecContext(context.Background(), args...); err != nil {
				return err
			}
		}
	}
	for _, p := range c.Puzzlers {
		if err := s.puzzler.put("puzzler "+string(p.User), p.Version, sqlstore.Puzzlers.Args(&p), string(p.User)); err != nil {
			return err
		}
		if _, err := s.moveSolver.ExecContext(context.Background(), sqlstore.MoveSolverArgs(p)...); err != nil {
			return err
		}
	}
	return nil
}
