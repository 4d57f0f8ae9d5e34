package rest

import (
	"bytes"
	"io"
	"mime"
	"mime/multipart"
	"testing"
)

// TestUpload reads an upload as a server would: the payload first, then the files in order,
// whatever their names and bytes are.
func TestUpload(t *testing.T) {
	content := []byte("--x\r\n\x00\xff")
	body, contentType := Upload{
		Payload: []byte(`{"content":"x"}`),
		Files:   []File{{Name: "a\"b\r\n.json", Type: "application/json", Body: content}, {Name: "c", Type: "text/plain", Body: nil}},
	}.encode()
	kind, params, err := mime.ParseMediaType(contentType)
	if kind != "multipart/form-data" || err != nil {
		t.Fatal(contentType, err)
	}
	parts := multipart.NewReader(bytes.NewReader(body), params["boundary"])
	for _, want := range []struct{ field, file, kind, content string }{
		{"payload_json", "", "application/json", `{"content":"x"}`},
		{"files[0]", `a"b.json`, "application/json", string(content)},
		{"files[1]", "c", "text/plain", ""},
	} {
		part, err := parts.NextPart()
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(part)
		if err != nil || part.FormName() != want.field || part.FileName() != want.file || part.Header.Get("Content-Type") != want.kind || string(got) != want.content {
			t.Errorf("got %q %q %v %q, %v, want %q", part.FormName(), part.FileName(), part.Header, got, err, want)
		}
	}
	if _, err := parts.NextPart(); err != io.EOF {
		t.Errorf("there is more: %v", err)
	}
}
