package arena

import "errors"

// ErrOptions: the options ask for something that cannot be done. Test for it with
// errors.Is.
var ErrOptions = errors.New("arena: bad options")
