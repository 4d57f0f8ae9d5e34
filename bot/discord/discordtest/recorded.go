package discordtest

import _ "embed"

// Bodies that Discord itself has sent and signed, found in public repositories.
var (
	//go:embed testdata/command-2025-06.json
	command2025 []byte
	//go:embed testdata/command-2023-04.json
	command2023 []byte
)

// Signed is a body that Discord has signed, byte for byte. Who acts, their guild and the
// token, which has expired, are in it for as long as the signature is to fit.
type Signed struct {
	Key, Signature string // in hexadecimal
	Stamp          string
	Body           []byte

	// What it says.
	ID, Application, Guild, Channel, User, Command string
	Permissions, App                               uint64
}

// SignedByDiscord are two slash commands in guilds: of 2025-06, from the tests of
// nucypher/nucypher, and of 2023-04, from those of a library in Rust.
func SignedByDiscord() []Signed {
	return []Signed{
		{
			Key:       "b853dd9f496723daf64bf2f5a886086f790df66e61d7b6f7f98a50c9e5ede8f3",
			Signature: "0a12acb96843700b724f1c9dba3075a7fc482677e0c713eb6be63bfea406fb33b4715975f1062b2dff95127bd559ee23758911bd217760727dc44e7880bc6e04",
			Stamp:     "1749368683", Body: command2025,
			ID: "1381177107555680327", Application: "1380486651436073092", Guild: "1380488052169769110", Channel: "1380488052169769113",
			User: "410212090289192960", Command: "sign", Permissions: 2251799813685247, App: 2248473465835073,
		},
		{
			Key:       "852aec10972ef6dd0431747902c779342cc411ad6d42c2de16ef4c87895c61ad",
			Signature: "c91641b5c3d12f9c819d9b5c568ef7d660e7f9abc2c312f296c562f6d7b028dac80c6c8e5c8a11f7a21ee28dbb8c6cf2762118bee45c00b2df78065b3b59f20c",
			Stamp:     "1682372142", Body: command2023,
			ID: "1100173248714518568", Application: "1052322265397739523", Guild: "798662131062931547", Channel: "941169456686723122",
			User: "282265607313817601", Command: "ping", Permissions: 140737488355327, App: 137411140374081,
		},
	}
}
