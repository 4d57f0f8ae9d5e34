package apicheck_test

import (
	"bytes"
	"encoding/json"
	"mime/multipart"
	"net/textproto"
	"net/url"
	"strings"
	"testing"

	"github.com/bwmarrin/discordgo"
)

const callbackPath = "/interactions/111/tok_EN-1/callback"

// TestAtTheLimit takes the nearest neighbours of what is refused elsewhere.
func TestAtTheLimit(t *testing.T) {
	d := description(t)
	for _, tt := range []struct{ name, at, to string }{
		{"label of 80", buttonAt + "/label", letters(80)},
		{"empty label", buttonAt + "/label", `""`},
		{"label null", buttonAt + "/label", `null`},
		{"custom ID of 100", buttonAt + "/custom_id", letters(100)},
		{"custom ID of 1", buttonAt + "/custom_id", `"a"`},
		{"five buttons", rowAt + "/components", repeated(button, 5)},
		{"40 components", "/components", repeated(text, 40)},
		{"no components", "/components", `[]`},
		{"components null", "/components", `null`},
		{"text of 4000", textAt + "/content", letters(4000)},
		{"content of 2000", "/content", letters(2000)},
		{"embeds null", "/embeds", `null`},
		{"largest user ID", "/allowed_mentions/users/0", `"18446744073709551615"`},
		{"no colour", "/components/0/accent_color", `null`},
		{"white", "/components/0/accent_color", `16777215`},
		{"custom emoji", buttonAt + "/emoji", `{"id":"5","name":"x","animated":true}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := `{"type":7,"data":` + edit(t, board, tt.at, tt.to) + `}`
			err := d.CheckRequest("POST", callbackPath, "application/json", nil, []byte(body))
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestRequestAroundTheBody(t *testing.T) {
	d := description(t)
	const json, good = "application/json", `{"type":6}`
	for _, tt := range []struct {
		name, method, path, contentType string
		query                           url.Values
		body                            string
		want                            string // refused at; "" means accepted
	}{
		{"deletes a message", "DELETE", "/channels/40/messages/30", "", nil, "", ""},
		{"deletes the original", "DELETE", "/webhooks/10/tok/messages/@original", "", nil, "", ""},
		{"deletes a follow-up", "DELETE", "/webhooks/10/tok/messages/30", "", nil, "", ""},
		{"lists commands", "GET", "/applications/10/commands", "", url.Values{"with_localizations": {"true"}}, "", ""},
		{"asks for the gateway", "GET", "/gateway/bot", "", nil, "", ""},
		{"names a character set", "POST", callbackPath, json + "; charset=UTF-8", nil, good, ""},
		{"escapes the path", "DELETE", "/webhooks/10/tok/messages/%40original", "", nil, "", ""},

		{"body in a DELETE", "DELETE", "/channels/40/messages/30", json, nil, `{}`, "body"},
		{"no body in a POST", "POST", callbackPath, json, nil, ``, "body"},
		{"unknown path", "POST", "/interactions/1/tok/callbacks", json, nil, good, "path: is not described"},
		{"path with the base", "POST", "/api/v10" + callbackPath, json, nil, good, "path: is not described"},
		{"path without a slash", "POST", callbackPath[1:], json, nil, good, "path: is not described"},
		{"path with a slash too many", "POST", callbackPath + "/", json, nil, good, "path: is not described"},
		{"path with an empty token", "POST", "/interactions/1//callback", json, nil, good, "path: is not described"},
		{"path with a broken escape", "POST", "/interactions/1/%zz/callback", json, nil, good, "path: is not described"},
		{"path with its query", "POST", callbackPath + "?wait=true", json, nil, good, "path: is not described"},
		{"empty path", "GET", "", json, nil, good, "path: is not described"},
		{"wrong method", "PUT", callbackPath, json, nil, good, "method: is not described"},
		{"method in lower case", "post", callbackPath, json, nil, good, "method: is not described"},
		{"id that is a word", "POST", "/interactions/one/tok/callback", json, nil, good, "path /interaction_id"},
		{"id beyond 64 bits", "DELETE", "/channels/40/messages/18446744073709551616", "", nil, "", "path /message_id"},
		{"@original in a channel", "DELETE", "/channels/40/messages/@original", "", nil, "", "path /message_id"},
		{"unknown parameter", "POST", callbackPath, json, url.Values{"with_responses": {"true"}}, good, "query"},
		{"parameter of another type", "POST", callbackPath, json, url.Values{"with_response": {"yes"}}, good, "query /with_response"},
		{"parameter twice", "POST", callbackPath, json, url.Values{"with_response": {"true", "true"}}, good, "query /with_response"},
		{"other spelling of a boolean", "POST", callbackPath, json, url.Values{"with_response": {"0"}}, good, ""},
		{"list in a query", "GET", "/guilds/20/messages/search", "", url.Values{"author_id": {"1", "2"}}, "", ""},
		{"spoiled list in a query", "GET", "/guilds/20/messages/search", "", url.Values{"author_id": {"1", "x"}}, "", "query /author_id/1"},
		{"number out of range", "GET", "/channels/40/messages", "", url.Values{"limit": {"101"}}, "", "query /limit"},
		{"number that is none", "GET", "/channels/40/messages", "", url.Values{"limit": {"ten"}}, "", "query /limit"},
		{"no content type", "POST", callbackPath, "", nil, good, "body: has a content type"},
		{"plain text", "POST", callbackPath, "text/plain", nil, good, "body: has a content type"},
		{"URL-encoded form", "POST", callbackPath, "application/x-www-form-urlencoded", nil, "type=6", "body: has a content type"},
		{"other character set", "POST", callbackPath, json + "; charset=latin1", nil, good, "body: has a content type"},
		{"form without a boundary", "POST", callbackPath, "multipart/form-data", nil, good, "body: is malformed: multipart: boundary is empty"},
		{"cut JSON", "POST", callbackPath, json, nil, `{"type":6`, "body: is malformed"},
		{"two JSON values", "POST", callbackPath, json, nil, `{"type":6}{}`, "body: is malformed"},
		{"not UTF-8", "POST", callbackPath, json, nil, "{\"type\":6,\"x\":\"\xff\"}", "body: is malformed"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			err := d.CheckRequest(tt.method, tt.path, tt.contentType, tt.query, []byte(tt.body))
			if tt.want != "" {
				refusedAt(t, err, tt.want)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
}

// form writes a multipart form of fields given by their Content-Disposition
// parameters, content type and content.
func form(t *testing.T, fields ...[3]string) (contentType string, body []byte) {
	t.Helper()
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for _, f := range fields {
		header := textproto.MIMEHeader{"Content-Disposition": {"form-data; " + f[0]}}
		if f[1] != "" {
			header.Set("Content-Type", f[1])
		}
		part, err := w.CreatePart(header)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := part.Write([]byte(f[2])); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return w.FormDataContentType(), b.Bytes()
}

func TestMultipart(t *testing.T) {
	d := description(t)
	const upload = `{"content":"hi","attachments":[{"id":0,"filename":"a.png"},{"id":"1","filename":"b.png"}]}`
	payload := [3]string{`name="payload_json"`, "application/json", upload}
	file := [3]string{`name="files[0]"; filename="a.png"`, "image/png", "PNG"}
	for _, tt := range []struct {
		name   string
		fields [][3]string
		want   string // refused at; "" means accepted
	}{
		{"payload alone", [][3]string{payload}, ""},
		{"payload without a content type", [][3]string{{payload[0], "", upload}}, ""},
		{"with files", [][3]string{payload, file, {`name="files[9]"; filename="b.png"`, "image/png", ""}}, ""},
		{"spoiled payload", [][3]string{{payload[0], payload[1], `{"content":7}`}}, "body /content"},
		{"attachment beyond the files", [][3]string{{payload[0], payload[1], `{"attachments":[{"id":10}]}`}}, "body /attachments/0/id"},
		{"payload marked as text", [][3]string{{payload[0], "text/plain", upload}}, "body payload_json"},
		{"payload twice", [][3]string{payload, payload}, "body payload_json"},
		{"eleventh file", [][3]string{payload, {`name="files[10]"; filename="a"`, "", ""}}, "body files[10]"},
		{"unnumbered file", [][3]string{payload, {`name="file"; filename="a"`, "", ""}}, "body file"},
		{"nameless file", [][3]string{payload, {`name="files[0]"`, "", ""}}, "body files[0]"},
		{"same file twice", [][3]string{payload, file, file}, "body files[0]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			contentType, body := form(t, tt.fields...)
			err := d.CheckRequest("POST", "/channels/40/messages", contentType, nil, body)
			if tt.want != "" {
				refusedAt(t, err, tt.want)
			} else if err != nil {
				t.Error(err)
			}
		})
	}
	t.Run("no payload", func(t *testing.T) {
		contentType, body := form(t, file)
		refusedAt(t, d.CheckRequest("POST", "/channels/40/messages", contentType, nil, body), "body payload_json: is missing")
	})
	t.Run("cut off", func(t *testing.T) {
		contentType, body := form(t, payload)
		refusedAt(t, d.CheckRequest("POST", "/channels/40/messages", contentType, nil, body[:len(body)-20]), "body: is malformed")
	})
}

// TestDiscordgoCommands takes a command as discordgo writes it, with null and
// false in fields that have no meaning for the option's type.
func TestDiscordgoCommands(t *testing.T) {
	d := description(t)
	permissions := int64(discordgo.PermissionManageMessages)
	contexts := []discordgo.InteractionContextType{discordgo.InteractionContextGuild, discordgo.InteractionContextBotDM}
	installs := []discordgo.ApplicationIntegrationType{discordgo.ApplicationIntegrationGuildInstall}
	body, err := json.Marshal([]*discordgo.ApplicationCommand{{
		Name: "tictactoe", Description: "Play", Contexts: &contexts, IntegrationTypes: &installs,
		DefaultMemberPermissions: &permissions,
		Options: []*discordgo.ApplicationCommandOption{
			{
				Type: discordgo.ApplicationCommandOptionSubCommand, Name: "challenge", Description: "Challenge somebody",
				Options: []*discordgo.ApplicationCommandOption{
					{Type: discordgo.ApplicationCommandOptionUser, Name: "user", Description: "Whom", Required: true},
					{
						Type: discordgo.ApplicationCommandOptionString, Name: "level", Description: "How strong",
						Choices: []*discordgo.ApplicationCommandOptionChoice{{Name: "easy", Value: "easy"}},
					},
				},
			},
		},
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.CheckRequest("PUT", "/applications/10/commands", "application/json", nil, body); err != nil {
		t.Errorf("%v\n%s", err, body)
	}
}

// TestErrorTells pins what a developer reads, and that the token is not in it.
func TestErrorTells(t *testing.T) {
	d := description(t)
	body := `{"type":7,"data":` + edit(t, edit(t, board, buttonAt+"/label", letters(81)), rowAt+"/type", `99`) + `}`
	err := d.CheckRequest("POST", callbackPath, "application/json", url.Values{"wait": {"true"}}, []byte(body))
	if err == nil {
		t.Fatal("got no error")
	}
	const want = `apicheck: POST /interactions/{interaction_id}/{interaction_token}/callback: not as described
	body /data/components/0/components/2/type: value must be one of 1, 13, 12, 9, 14, 10
	query: additional properties 'wait' not allowed`
	if got := err.Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	for _, path := range []string{
		callbackPath, "/interactions/tok_EN-1/tok_EN-1/callback", "/tok_EN-1", callbackPath + "/x", "/users/@me/tok_EN-1",
	} {
		for _, method := range []string{"POST", "TRACE"} {
			err := d.CheckRequest(method, path, "application/json", nil, []byte(`{}`))
			if err == nil || strings.Contains(err.Error(), "tok_EN-1") {
				t.Errorf("%s %s: got %v, want an error without the token", method, path, err)
			}
		}
	}
}
