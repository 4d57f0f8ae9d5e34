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

// splitForm takes a multipart form apart: the JSON payload, and what is wrong
// with the other fields.
func splitForm(boundary string, body []byte) (payload []byte, found []violation) {
	complain := func(field, reason string) {
		found = append(found, violation{in: "body", pointer: field, reason: reason})
	}
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
			complain("", "is malformed: "+err.Error())
			return nil, found
		}
		name := part.FormName()
		if seen[name] {
			complain(name, "is there twice")
		}
		seen[name] = true
		switch {
		case name == payloadField:
			if !isJSON(part.Header.Get("Content-Type")) {
				complain(name, "is not marked as JSON")
			}
			payload = content
		case !fileField.MatchString(name):
			complain(name, "is no field of this form")
		case part.FileName() == "":
			complain(name, "has no file name")
		}
	}
	if !seen[payloadField] {
		complain(payloadField, "is missing")
	}
	return payload, found
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
