package sqlstore

// Plan is what is stored together: statements one after the other.
type Plan struct {
	Steps []Step
	// Alone says that nothing else may be stored in the same transaction: it locks rows in an
	// order of its own.
	Alone bool
}

// Step is a statement of a plan.
type Step struct {
	Query *Query
	Args  []any
	// Rows gets how many rows it affects, where somebody wants to know. It is to be read only
	// when the outcome of the plan is known.
	Rows *int64
}

func (p *Plan) add(q *Query, args ...any) { p.Steps = append(p.Steps, Step{Query: q, Args: args}) }
