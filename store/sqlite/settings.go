package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"tictactoe/store"
	"tictactoe/store/internal/sqlstore"
)

// settingStatements store a record that has a version and nothing else to be guarded:
// what a guild or person has set, how somebody stands with puzzles, and what was posted.
type settingStatements struct{ insert, update, version *sql.Stmt }

// put runs the statement that creates the record, or the one that stores it over
// its version.
func (s settingStatements) put(name string, version int, args []any, key ...any) error {
	ctx := context.Background()
	stmt := s.update
	if version == 0 {
		stmt = s.insert
	}
	result, err := stmt.ExecContext(ctx, args...)
	switch {
	case isUniqueViolation(err):
		return fmt.Errorf("%w: %s exists", store.ErrConflict, name)
	case err != nil:
		return err
	}
	if n, err := result.RowsAffected(); err != nil || n > 0 {
		return err
	}
	stored, err := storedVersion(ctx, s.version, key...)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return fmt.Errorf("%w: %s has version %d, not %d", store.ErrConflict, name, stored, version)
}

// GuildSettings implements [store.Store].
func (s *Store) GuildSettings(ctx context.Context, guild store.GuildID) (store.GuildSettings, error) {
	g, err := readOne(ctx, s, sqlstore.Guilds, func(r *readStatements) *sql.Stmt { return r.guild }, string(guild))
	if errors.Is(err, store.ErrNotFound) {
		return store.GuildSettings{Guild: guild}, nil
	}
	return g, err
}

// Person implements [store.Store].
func (s *Store) Person(ctx context.Context, user store.UserID) (store.Person, error) {
	p, err := readOne(ctx, s, sqlstore.People, func(r *readStatements) *sql.Stmt { return r.person }, string(user))
	if errors.Is(err, store.ErrNotFound) {
		return store.Person{User: user}, nil
	}
	return p, err
}

// Post implements [store.Store].
func (s *Store) Post(ctx context.Context, key string) (store.Post, error) {
	p, err := readOne(ctx, s, sqlstore.Posts, func(r *readStatements) *sql.Stmt { return r.post }, key)
	if errors.Is(err, store.ErrNotFound) {
		return store.Post{Key: key}, nil
	}
	return p, err
}
