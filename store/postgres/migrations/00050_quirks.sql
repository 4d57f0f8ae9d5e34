-- What Discord was found to take otherwise than documented, by names of the program.

-- +goose Up

CREATE TABLE quirks (
	quirk text COLLATE "C" NOT NULL PRIMARY KEY
);
