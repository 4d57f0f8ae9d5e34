package sandbox

import (
	"fmt"
	"net/http"

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
	f.world.trouble.departures = append(f.world.trouble.departures, d)
	return nil
}

// Departures lists what Depart takes.
func (f *Faults) Departures() []FaultInfo {
	return each(depart.All, func(d depart.Departure) FaultInfo { return FaultInfo{Name: d.Name, About: d.About} })
}

// Wrong implements rest.World.
func (w restWorld) Wrong(route string, asked any) error {
	return depart.Wrong(w.world.trouble.departures, route, asked)
}

// Departs implements rest.World.
func (w restWorld) Departs(route string, asked any, status int, body []byte, header http.Header) (int, []byte) {
	return depart.Answered(w.world.trouble.departures, route, asked, status, body, header)
}
