package main

import (
	"net/http"
	"reflect"
	"strings"
	"testing"
)

// TestHealthServerLimitsEverything: no client keeps a connection by doing nothing.
func TestHealthServerLimitsEverything(t *testing.T) {
	v := reflect.ValueOf(httpServer(http.NotFoundHandler())).Elem()
	limits := 0
	for i := range v.NumField() {
		name := v.Type().Field(i).Name
		if strings.HasSuffix(name, "Timeout") || name == "MaxHeaderBytes" {
			limits++
			if v.Field(i).IsZero() {
				t.Errorf("%s is not set", name)
			}
		}
	}
	if limits < 5 {
		t.Errorf("only %d limits were found", limits)
	}
}
