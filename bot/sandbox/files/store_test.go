package files

import (
	"fmt"
	"testing"
)

// TestStoreBounds adds more than is kept, by number and by size.
func TestStoreBounds(t *testing.T) {
	var s Store
	add := func(n, size int) {
		for i := range n {
			s.Add(New(fmt.Sprint(i), "a", make([]byte, size)))
		}
	}
	add(keptFiles+1, 1)
	if len(s.files) != keptFiles || s.Find("0") != nil || s.Find("1") == nil {
		t.Errorf("%d small files are kept, from %s on", len(s.files), s.files[0].ID)
	}
	add(5, keptBytes/4)
	if len(s.files) != 4 || s.Find("0") != nil || s.Find("4") == nil {
		t.Errorf("%d large files are kept, from %s on", len(s.files), s.files[0].ID)
	}
	s.Replace([]any{map[string]any{"id": "1"}, map[string]any{"id": "2"}}, []any{map[string]any{"id": "2"}}, nil)
	if s.Find("1") != nil || s.Find("2") == nil || s.Find("3") == nil {
		t.Error("a message keeps what it has, loses what it had, and nothing of others")
	}
}
