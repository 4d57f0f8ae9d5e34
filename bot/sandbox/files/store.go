package files

import "slices"

// How much of what is uploaded is kept: the newest files within both bounds.
const (
	keptFiles = 100
	keptBytes = 32 << 20
)

// Store keeps files of messages, the oldest first. Its caller keeps its methods
// from running at once.
type Store struct{ files []*File }

// Add keeps a file and drops the oldest beyond the bounds.
func (s *Store) Add(f *File) {
	s.files = append(s.files, f)
	newest := s.Newest(keptBytes)
	s.files = slices.Clone(newest[max(0, len(newest)-keptFiles):]) // a part of the list would hold all of it
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
	s.files = slices.DeleteFunc(s.files, func(f *File) bool { return lists(before, f.ID) && !lists(now, f.ID) })
	for _, f := range uploaded {
		s.Add(f)
	}
}

// lists reports whether a file is among attachments.
func lists(attached []any, id string) bool {
	return slices.ContainsFunc(attached, func(v any) bool {
		o, _ := v.(map[string]any)
		return o["id"] == id
	})
}
