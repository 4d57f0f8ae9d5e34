package rules

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"regexp"
	"slices"

	"tictactoe/bot/sandbox/files"
)

// SplitBody returns the JSON of a request's body and the files that came with it:
// a body of type application/json, or a multipart form with a part payload_json,
// whose JSON is nil when that part is missing. Anything else is an *Error. The id
// of a file is the n of its files[n].
func SplitBody(contentType string, body []byte) (raw []byte, uploads []files.File, err error) {
	kind, params, err := mime.ParseMediaType(contentType)
	switch {
	case err == nil && kind == "application/json":
		return body, nil, nil
	case err == nil && kind == "multipart/form-data":
		return splitMultipart(body, params["boundary"])
	}
	f := NewForm()
	f.Fail("CONTENT_TYPE_INVALID", `Expected "Content-Type" header to be one of {'application/json', 'multipart/form-data'}.`)
	return nil, nil, f.Err()
}

var filePart = regexp.MustCompile(`^files?\[(\d+)\]$`)

func splitMultipart(body []byte, boundary string) (raw []byte, uploads []files.File, err error) {
	f := NewForm()
	parts := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := parts.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		var content []byte
		if err == nil {
			content, err = io.ReadAll(part)
		}
		if err != nil {
			f.Fail("MULTIPART_INVALID", "The multipart body could not be read.")
			return nil, nil, f.Err()
		}
		if part.FormName() == "payload_json" {
			raw = content
			continue
		}
		m := filePart.FindStringSubmatch(part.FormName())
		if m == nil || part.FileName() == "" {
			continue // Discord ignores parts that it does not know
		}
		if len(content) > MaxFileBytes {
			return nil, nil, ErrTooLarge
		}
		if slices.ContainsFunc(uploads, func(u files.File) bool { return u.ID == m[1] }) {
			f.At("files").At(m[1]).Fail("ATTACHMENT_DUPLICATED", "A file of that number was already given")
			continue
		}
		uploads = append(uploads, files.File{ID: m[1], Name: part.FileName(), Body: content})
	}
	f.At("files").Length(len(uploads), 0, MaxFiles)
	return raw, uploads, f.Err()
}
