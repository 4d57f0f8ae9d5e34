package view

// plural returns which spelling a whole number takes in a language: "one", "few", "many" or
// "other", by the rules of Unicode's CLDR. Those of golang.org/x/text are older than the
// "many" of millions in Romance languages.
func plural(language string, n int) string {
	last, teens, millions := n%10, 10 < n%100 && n%100 < 20, n != 0 && n%1_000_000 == 0
	switch language {
	case "id", "ja", "ko", "th", "vi", "zh-CN", "zh-TW":
	case "hr", "lt", "ru", "uk":
		switch {
		case last == 1 && !teens:
			return "one"
		case last >= 2 && last <= 4 && !teens, language == "lt" && last >= 2 && !teens:
			return "few"
		case language == "ru", language == "uk":
			return "many"
		}
	case "fr", "hi", "pt":
		switch {
		case n <= 1:
			return "one"
		case millions && language != "hi":
			return "many"
		}
	default:
		switch {
		case n == 1:
			return "one"
		case language == "pl" && last >= 2 && last <= 4 && !teens,
			language == "cs" && n >= 2 && n <= 4,
			language == "ro" && (n == 0 || n%100 >= 1 && n%100 <= 19):
			return "few"
		case language == "pl", millions && (language == "es" || language == "it"):
			return "many"
		}
	}
	return "other"
}
