package sandbox

import (
	"bytes"
	"image"
	_ "image/gif" // the sizes of pictures
	_ "image/jpeg"
	_ "image/png"
	"net/http"
	"slices"
)

// How much of what is uploaded is kept: the newest files within both bounds. A
// saved state holds fewer, because it is written often.
const (
	keptFiles      = 100
	keptFileBytes  = 32 << 20
	savedFileBytes = 4 << 20
)

// pictureKinds are the types of files that the page shows. All others, SVG among
// them, it only offers to save.
var pictureKinds = []string{"image/png", "image/jpeg", "image/gif", "image/webp"}

// file is the content of an attachment. It never changes.
type file struct {
	id, name string
	kind     string // by its first bytes, whatever its name says
	body     []byte
}

func newFile(id, name string, body []byte) *file {
	return &file{id, name, http.DetectContentType(body), bytes.Clone(body)}
}

// isPicture reports whether a browser may show the file.
func (f *file) isPicture() bool { return slices.Contains(pictureKinds, f.kind) }

// size returns a picture's width and height, if they can be read.
func (f *file) size() (width, height int, ok bool) {
	c, _, err := image.DecodeConfig(bytes.NewReader(f.body))
	return c.Width, c.Height, err == nil && f.isPicture()
}

// fileStore keeps files of messages, the oldest first. The Server's lock guards it.
type fileStore struct {
	files []*file
	bytes int
}

// add keeps a file and drops the oldest beyond the bounds.
func (s *fileStore) add(f *file) {
	s.files = append(s.files, f)
	s.bytes += len(f.body)
	for len(s.files) > keptFiles || s.bytes > keptFileBytes {
		s.drop(s.files[0].id)
	}
}

func (s *fileStore) find(id string) *file {
	for _, f := range s.files {
		if f.id == id {
			return f
		}
	}
	return nil
}

func (s *fileStore) drop(id string) {
	s.files = slices.DeleteFunc(s.files, func(f *file) bool {
		if f.id == id {
			s.bytes -= len(f.body)
		}
		return f.id == id
	})
}

// newest returns the newest files that have at most limit bytes together.
func (s *fileStore) newest(limit int) []*file {
	from := len(s.files)
	for from > 0 && len(s.files[from-1].body) <= limit {
		from--
		limit -= len(s.files[from].body)
	}
	return s.files[from:]
}

// replace follows a change of a message's attachments: what it no longer has is
// dropped, and of what was uploaded that which it has now is kept.
func (s *fileStore) replace(before, now []any, uploaded []*file) {
	for _, v := range before {
		if id := attachmentID(v); !slices.ContainsFunc(now, func(v any) bool { return attachmentID(v) == id }) {
			s.drop(id)
		}
	}
	for _, f := range uploaded {
		s.add(f)
	}
}

func attachmentID(v any) string {
	o, _ := v.(map[string]any)
	id, _ := o["id"].(string)
	return id
}

// file returns a file that is still kept, or nil.
func (s *Server) file(id string) *file {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.files.find(id)
}
