package apicheck

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"regexp"
)

// payloadField is the form field that holds the JSON of a multipart request,
// and fileField the shape of the fields that hold its files; both are
// specified by Discord's documentation ("Uploading Files"), the number of
// files by its description.
const payloadField = "payload_json"

var fileField = regexp.MustCompile(`^files\[[0-9]\]$`)

// splitForm returns the JSON payload of a multipart form, and notes what is wrong with the other
// fields. There is none where the form cannot be read.
func (v violations) splitForm(boundary string, body []byte) (payload []byte) {
	seen := make(map[string]bool)
	form := multipart.NewReader(bytes.NewReader(body), boundary)
	for {
		part, err := form.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		var content []byte
		if err == nil {
			content, err = io.ReadAll(part)
		}
		if err != nil {
			v.add("body", "is malformed: "+err.Error())
			return nil
		}
		name := part.FormName()
		place := "body " + name
		if seen[name] {
			v.add(place, "is there twice")
		}
		seen[name] = true
		switch {
		case name == payloadField:
			if !isJSON(part.Header.Get("Content-Type")) {
				v.add(place, "is not marked as JSON")
			}
			payload = content
		case !fileField.MatchString(name):
			v.add(place, "is no field of this form")
		case part.FileName() == "":
			v.add(place, "has no file name")
		}
	}
	if !seen[payloadField] {
		v.add("body "+payloadField, "is missing")
	}
	return payload
}

// isJSON reports whether a form field may hold JSON by its content type, which
// it may also leave out.
func isJSON(contentType string) bool {
	if contentType == "" {
		return true
	}
	mediaType, _, err := mime.ParseMediaType(contentType)
	return err == nil && mediaType == "application/json"
}
