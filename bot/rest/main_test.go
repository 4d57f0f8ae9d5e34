package rest_test

import (
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"
	"testing"
	"time"
)

// TestMain fails the package if its tests leave goroutines behind. Some end by
// themselves a little later, such as those of connections just closed.
func TestMain(m *testing.M) {
	before := runtime.NumGoroutine()
	code := m.Run()
	for deadline := time.Now().Add(patience); code == 0 && runtime.NumGoroutine() > before; {
		if time.Now().After(deadline) {
			fmt.Fprintf(os.Stderr, "goroutines: %d before the tests, %d after\n", before, runtime.NumGoroutine())
			_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 1) // it is failing already
			code = 1
			break
		}
		time.Sleep(10 * time.Millisecond) // polls; nothing depends on its length
	}
	os.Exit(code)
}
