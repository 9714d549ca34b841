package scenarios

import (
	"strings"
)

// validateKeys notes what cannot be in the names of the keys.
func (b *binder) validateKeys(t *value, w *Workload) {
	b.missing(t, "kind", "keys", `"product:%d"`)
	if list, is := t.at("keys").data.([]*value); is && t.has("keys") {
		if len(list) == 0 {
			b.fail(t.get("keys"), "the list is empty; write at least one key")
		}
		b.unfit(t, []string{"count", "fields", "tags"}, `a pattern such as keys = "product:%d"`)
		return
	}
	within(b, t.at("count"), w.Count, 1, keysMax)
	if w.Count >= 1 && w.Count <= keysMax && w.Count*len(w.Fields) > keysMax {
		b.fail(t.at("fields"), "count and fields make %d keys; write less of either for at most %d",
			w.Count*len(w.Fields), keysMax)
	}
	if t.has("tags") {
		b.validateTags(t.get("tags"), w)
	}
	switch pattern, is := t.at("keys").data.(string); {
	case is && pattern == "":
		b.fail(t.at("keys"), `a key needs a name; write one such as "product:%%d"`)
	case is:
		b.validatePattern(t, w)
	}
}

// validatePattern notes a pattern that does not go with what it stands beside.
func (b *binder) validatePattern(t *value, w *Workload) {
	pattern := t.at("keys")
	verbs := verbsOf(w.KeyPattern)
	for _, verb := range []byte(verbs) {
		if strings.IndexByte("dtf", verb) < 0 {
			b.fail(pattern, "%%%c stands for nothing; write %%d (number), %%t (tag), %%f (field) or %%%%", verb)
		}
	}
	numbered := strings.Contains(verbs, "d")
	tagged := strings.Contains(verbs, "t") && w.Tags.PerPrimary == 0 && w.Tags.Count >= w.Count
	if w.Count > 1 && !numbered && !tagged {
		b.fail(pattern, "all %d keys would have one name; write %%d where the number belongs", w.Count)
	}
	for _, pair := range []struct {
		verb, key, example string
		used               bool
	}{
		{"t", "tags", "tags = 16", strings.Contains(verbs, "t")},
		{"f", "fields", `fields = ["a", "b"]`, strings.Contains(verbs, "f")},
	} {
		switch {
		case pair.used && !t.has(pair.key):
			b.fail(pattern, "%%%s stands for nothing without %s; write one such as %s",
				pair.verb, pair.key, pair.example)
		case !pair.used && t.has(pair.key):
			b.fail(t.get(pair.key), "the keys do not use it; write %%%s in keys or remove it", pair.verb)
		}
	}
}

// verbsOf returns the letter of each verb of a pattern; a space stands for one
// that the text's end cuts off. %016d has the letter d, and %% is no verb.
func verbsOf(pattern string) string {
	var verbs strings.Builder
	for {
		_, rest, found := strings.Cut(pattern, "%")
		if !found {
			return verbs.String()
		}
		if padded := strings.TrimLeft(rest, "0123456789"); strings.HasPrefix(padded, "d") {
			rest = padded
		}
		if rest == "" {
			rest = " "
		}
		if rest[0] != '%' {
			verbs.WriteByte(rest[0])
		}
		pattern = rest[1:]
	}
}

func (b *binder) validateTags(t *value, w *Workload) {
	tags := w.Tags
	searched := t.has("template") || t.has("per_primary")
	switch {
	case searched && t.has("count"):
		b.fail(t.get("count"), "tags are either counted or searched; remove count, or template and per_primary")
	case searched:
		b.missing(t, "", "template", `"t%d"`)
		b.missing(t, "", "per_primary", "4")
		if t.has("template") && verbsOf(tags.Template) != "d" {
			b.fail(t.get("template"), "a template needs %%d once, where the number belongs, and no other verb")
		}
		if t.has("per_primary") {
			within(b, t.get("per_primary"), tags.PerPrimary, 1, keysPerOpMax)
		}
	default:
		within(b, t.at("count"), tags.Count, 1, keysMax)
	}
}
