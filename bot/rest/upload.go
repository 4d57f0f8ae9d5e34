package rest

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/textproto"
	"strconv"
	"strings"
)

// Upload is a body with files: Discord takes it where it takes the payload of a message
// (documentation, Uploading Files). The payload names the files by their place in its
// attachments; an edit drops files that it does not name, so that one which is repeated
// leaves the message with each file once.
type Upload struct {
	Payload json.RawMessage
	Files   []File
}

// File is a file that goes with a message.
type File struct {
	Name string
	Type string // as in Content-Type
	Body []byte
}

// quoted makes a text fit for a quoted part of a header.
var quoted = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\r", "", "\n", "")

// encode returns the upload as a multipart form and its content type.
func (u Upload) encode() (body []byte, contentType string) {
	size := len(u.Payload) + 1024
	for _, f := range u.Files {
		size += len(f.Body) + 512
	}
	b := bytes.NewBuffer(make([]byte, 0, size)) // a copy at most, however large the files
	w := multipart.NewWriter(b)
	part := func(disposition, kind string, content []byte) { // nothing fails in memory
		to, _ := w.CreatePart(textproto.MIMEHeader{"Content-Disposition": {disposition}, "Content-Type": {kind}})
		_, _ = to.Write(content)
	}
	part(`form-data; name="payload_json"`, "application/json", u.Payload)
	for i, f := range u.Files {
		part(`form-data; name="files[`+strconv.Itoa(i)+`]"; filename="`+quoted.Replace(f.Name)+`"`, f.Type, f.Body)
	}
	_ = w.Close()
	return b.Bytes(), w.FormDataContentType()
}
