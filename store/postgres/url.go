package postgres

import (
	"errors"
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
)

// IsURL reports whether the text begins as the address of a PostgreSQL database does.
func IsURL(text string) bool {
	return strings.HasPrefix(text, "postgres://") || strings.HasPrefix(text, "postgresql://")
}

// CheckURL reports in words what is wrong with the address of a database, or nil. What it
// says does not repeat the address, which may hold a password.
func CheckURL(text string) error {
	_, err := parseURL(text, options{})
	return err
}

// parseURL returns what the address says.
func parseURL(text string, o options) (*pgxpool.Config, error) {
	if !IsURL(text) {
		return nil, errors.New("does not begin with postgres://")
	}
	u, err := url.Parse(text)
	if err == nil {
		_, err = url.ParseQuery(u.RawQuery)
	}
	if err != nil {
		return nil, errors.New("is no address; a password with signs such as : / ? # @ % has to be percent-encoded")
	}
	if strings.Trim(u.Path, "/") == "" && !u.Query().Has("dbname") {
		return nil, errors.New("names no database: it has to end like /tictactoe")
	}
	config, err := pgxpool.ParseConfig(text)
	if err != nil {
		return nil, whatIsWrong(u)
	}
	settings := config.ConnConfig.RuntimeParams
	for name, value := range map[string]string{
		"application_name":                    "tictactoe",
		"synchronous_commit":                  "on", // what is acknowledged survives
		"lock_timeout":                        milliseconds(o.timeout * 4 / 5),
		"idle_in_transaction_session_timeout": milliseconds(4 * o.timeout), // a server that is cut off from us lets go of locks
	} {
		if _, chosen := settings[name]; !chosen {
			settings[name] = value
		}
	}
	most := max(connectTime, min(o.timeout, connectMost))
	hosts := map[string]bool{net.JoinHostPort(config.ConnConfig.Host, fmt.Sprint(config.ConnConfig.Port)): true}
	for _, other := range config.ConnConfig.Fallbacks {
		hosts[net.JoinHostPort(other.Host, fmt.Sprint(other.Port))] = true
	}
	if len(hosts) > 1 { // behind one that says nothing there has to be time for the next
		most = o.timeout / time.Duration(len(hosts))
	}
	if chosen := u.Query().Has("connect_timeout"); !chosen && (config.ConnConfig.ConnectTimeout == 0 || config.ConnConfig.ConnectTimeout > most) {
		config.ConnConfig.ConnectTimeout = most
	}
	if !u.Query().Has("pool_max_conns") {
		config.MaxConns = readers
	}
	return config, nil
}

// connectTime bounds how long connecting to the one host may take, unless a write may take longer,
// up to connectMost, or the address says otherwise.
const (
	connectTime = 5 * time.Second
	connectMost = time.Minute
)

func milliseconds(d time.Duration) string { return fmt.Sprint(d.Milliseconds()) }

// whatIsWrong finds the part of the address without which it would do.
func whatIsWrong(u *url.URL) error {
	passes := func(change func(*url.URL)) bool {
		other := *u
		change(&other)
		_, err := pgxpool.ParseConfig(other.String())
		return err == nil
	}
	query := u.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if passes(func(o *url.URL) { q := o.Query(); q.Del(name); o.RawQuery = q.Encode() }) {
			return fmt.Errorf("has a value of %s that cannot be used", name)
		}
	}
	if passes(func(o *url.URL) { o.Host = "localhost" }) {
		return errors.New("has a host or port that cannot be used")
	}
	return errors.New("cannot be used: it has to look like postgres://user:password@host:5432/database?sslmode=require")
}
