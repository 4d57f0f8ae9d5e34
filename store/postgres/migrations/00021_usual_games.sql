-- What matches are of for which nobody chooses that, how boards show marks, and whether
-- there are hints.

-- +goose Up

ALTER TABLE guilds ADD COLUMN board text COLLATE "C" NOT NULL DEFAULT ''; -- empty for the usual one
ALTER TABLE guilds ADD COLUMN opponent text COLLATE "C" NOT NULL DEFAULT ''; -- empty for the usual one
ALTER TABLE guilds ADD COLUMN marks bigint NOT NULL DEFAULT 0 CHECK (marks IN (0, 10, 20, 30)); -- usual, blocks, hearts, sky
ALTER TABLE guilds ADD COLUMN no_hints_since bigint NOT NULL DEFAULT 0; -- in milliseconds since 1970; 0 where there are hints
ALTER TABLE matches ADD COLUMN marks bigint NOT NULL DEFAULT 0 CHECK (marks IN (0, 10, 20, 30)); -- as in guilds
