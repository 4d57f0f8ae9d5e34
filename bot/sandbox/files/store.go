package files

import "slices"

// How much of what is uploaded is kept: the newest files within both bounds.
const (
	keptFiles = 100
	keptBytes = 32 << 20
)

// Store keeps files of messages, the oldest first. Its caller keeps its methods
// from running at once.
type Store struct {
	files []*File
	bytes int
}

// Add keeps a file and drops the oldest beyond the bounds.
func (s *Store) Add(f *File) {
	s.files = append(s.files, f)
	s.bytes += len(f.Body)
	for len(s.files) > keptFiles || s.bytes > keptBytes {
		s.drop(s.files[0].ID)
	}
}

// Find returns the file of that id, nil if it is not kept.
func (s *Store) Find(id string) *File {
	for _, f := range s.files {
		if f.ID == id {
			return f
		}
	}
	return nil
}

func (s *Store) drop(id string) {
	s.files = slices.DeleteFunc(s.files, func(f *File) bool {
		if f.ID == id {
			s.bytes -= len(f.Body)
		}
		return f.ID == id
	})
}

// Newest returns the newest files that have at most limit bytes together.
func (s *Store) Newest(limit int) []*File {
	from := len(s.files)
	for from > 0 && len(s.files[from-1].Body) <= limit {
		from--
		limit -= len(s.files[from].Body)
	}
	return s.files[from:]
}

// Replace follows a change of a message's attachments: what it no longer has is
// dropped, and of what was uploaded that which it has now is kept.
func (s *Store) Replace(before, now []any, uploaded []*File) {
	for _, v := range before {
		if id := attachmentID(v); !slices.ContainsFunc(now, func(v any) bool { return attachmentID(v) == id }) {
			s.drop(id)
		}
	}
	for _, f := range uploaded {
		s.Add(f)
	}
}

func attachmentID(v any) string {
	o, _ := v.(map[string]any)
	id, _ := o["id"].(string)
	return id
}
