package sandbox

import (
	"fmt"

	"tictactoe/bot/sandbox/internal/depart"
)

// Depart lets Discord do something else than its documentation says, from now on, by a name
// of Departures. ErrUnknownFault means that there is none.
func (f *Faults) Depart(name string) error {
	d, ok := depart.Find(name)
	if !ok {
		return fmt.Errorf("%w: %q", ErrUnknownFault, name)
	}
	defer f.world.hold()()
	f.world.departures = append(f.world.departures, d)
	return nil
}

// Departures lists what Depart takes.
func (f *Faults) Departures() []FaultInfo {
	return each(depart.All, func(d depart.Departure) FaultInfo { return FaultInfo{Name: d.Name, About: d.About} })
}

// Departures implements rest.World.
func (w restWorld) Departures() depart.List { return w.world.departures }
