package sandbox

func userObjects(us []*User) []any {
	out := []any{}
	for _, u := range us {
		out = append(out, u.json())
	}
	return out
}

func roleIDs(roles []*Role) []any {
	out := []any{}
	for _, r := range roles {
		out = append(out, r.id)
	}
	return out
}

func clone(m map[string]any) map[string]any {
	out := make(map[string]any, len(m)+1)
	for k, v := range m {
		out[k] = v
	}
	return out
}
