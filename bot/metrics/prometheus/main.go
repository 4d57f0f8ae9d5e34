// Command prometheus asks what the bot serves as Prometheus would: it reads some scrapes
// and expressions and says what each comes to, with Prometheus' own parser and engine. It
// is a module of its own, so that the bot does not depend on what those depend on.
//
// What the program will not do: it scrapes nothing itself, keeps nothing, and looks at no
// rule's "for".
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"time"

	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/model/rulefmt"
	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
	"github.com/prometheus/prometheus/storage"
)

// question is what is read.
type question struct {
	Labels  map[string]string `json:"labels"` // that the scrape adds
	Scrapes []struct {
		At   time.Time `json:"at"`
		Text string    `json:"text"`
	} `json:"scrapes"`
	Queries []string `json:"queries"`
	Rules   string   `json:"rules"` // a file of rules
}

// answer is what is written.
type answer struct {
	Queries []result `json:"queries"`
	Alerts  []result `json:"alerts"`
}

// result is what an expression came to at the time of the last scrape.
type result struct {
	Name   string              `json:"name,omitempty"` // of an alert
	Expr   string              `json:"expr"`
	Error  string              `json:"error,omitempty"`
	Series []map[string]string `json:"series"` // labels of each, and its value under ""
	Fires  bool                `json:"fires"`  // an alert's; its series are those that it compares
}

func main() {
	if err := run(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(in io.Reader, out io.Writer) error {
	var q question
	if err := json.NewDecoder(in).Decode(&q); err != nil {
		return err
	}
	kept := memory{}
	var last time.Time
	for _, s := range q.Scrapes {
		if err := kept.scrape(s.Text, s.At, q.Labels); err != nil {
			return err
		}
		last = s.At
	}
	engine := promql.NewEngine(promql.EngineOpts{
		Logger: slog.New(slog.DiscardHandler), MaxSamples: 1_000_000, Timeout: time.Minute, EnableAtModifier: true,
	})
	ask := func(expr string) result { return query(engine, kept, expr, last) }
	var a answer
	for _, expr := range q.Queries {
		a.Queries = append(a.Queries, ask(expr))
	}
	rules, errs := rulefmt.Parse([]byte(q.Rules), false, model.UTF8Validation, parser.NewParser(parser.Options{}), nil)
	if len(errs) > 0 {
		return errors.Join(errs...)
	}
	for _, g := range rules.Groups {
		for _, r := range g.Rules {
			whole := ask(r.Expr)
			compared := ask(comparedIn(r.Expr))
			compared.Name, compared.Expr, compared.Fires = r.Alert, r.Expr, len(whole.Series) > 0
			if whole.Error != "" {
				compared.Error = whole.Error
			}
			a.Alerts = append(a.Alerts, compared)
		}
	}
	return json.NewEncoder(out).Encode(a)
}

// comparedIn returns what an alert compares with its threshold, or all of it where it
// compares nothing: an alert that does not fire has no series of its own.
func comparedIn(expr string) string {
	parsed, err := parser.NewParser(parser.Options{}).ParseExpr(expr)
	if b, ok := parsed.(*parser.BinaryExpr); err == nil && ok && b.Op.IsComparisonOperator() {
		return b.LHS.String()
	}
	return expr
}

func query(engine *promql.Engine, from storage.Queryable, expr string, at time.Time) result {
	r := result{Expr: expr, Series: []map[string]string{}}
	q, err := engine.NewInstantQuery(context.Background(), from, nil, expr, at)
	if err != nil {
		r.Error = err.Error()
		return r
	}
	defer q.Close()
	got := q.Exec(context.Background())
	v, err := got.Vector()
	switch {
	case got.Err != nil:
		r.Error = got.Err.Error()
	case err != nil:
		r.Error = err.Error()
	}
	for _, s := range v {
		one := s.Metric.Map()
		one[""] = fmt.Sprint(s.F)
		r.Series = append(r.Series, one)
	}
	return r
}
