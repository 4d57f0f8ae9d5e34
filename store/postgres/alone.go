package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"tictactoe/store"
)

// errPlayedOn says that another process is alone on the database.
var errPlayedOn = fmt.Errorf("%w: another process has it for itself; wait until it is done, or stop it", store.ErrBusy)

// beAlone waits for whoever is alone on the database, and then is it until the transaction
// ends: who fills it, and who is going to play on it for as long as it takes to look at the
// tables. What takes longer than a look is not waited for.
func beAlone(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, "SET LOCAL lock_timeout = '5s'"); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, lockPeopleText, []string{"play"}) // which is nobody's id
	if code(err) == lockNotAvailable {
		return errPlayedOn
	}
	return err
}
