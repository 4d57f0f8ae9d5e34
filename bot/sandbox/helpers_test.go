package sandbox_test

import "tictactoe/bot/sandbox/internal/apitest"

// Short names for what the tables are full of.
type (
	obj    = apitest.Obj
	arr    = apitest.Arr
	answer = apitest.Answer
)

var (
	connect, register       = apitest.Connect, apitest.Register
	request, newRequest, do = apitest.Request, apitest.NewRequest, apitest.Do
	want                    = apitest.Want
	btn, row, v2            = apitest.Button, apitest.Row, apitest.V2
)
