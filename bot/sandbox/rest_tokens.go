package sandbox

import (
	"net/http"
)

func getByToken(_ *World, x *exchange) (int, any, error) {
	return http.StatusOK, x.message.json(), nil
}
