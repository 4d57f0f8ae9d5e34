package bot

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"tictactoe/bot/marks"
	"tictactoe/bot/rest"
	"tictactoe/bot/sandbox"
	"tictactoe/bot/sandbox/waittest"
	"tictactoe/bot/view"
)

// lookedTogether is a Discord whose first list of emojis is not given before the others
// have theirs: every process sees what was there before any of them uploaded.
type lookedTogether struct {
	API
	client *rest.Client
	others *sync.WaitGroup
	looked bool
}

func (l *lookedTogether) Emojis(ctx context.Context) ([]rest.Emoji, error) {
	list, err := l.client.Emojis(ctx)
	if !l.looked {
		l.looked = true
		l.others.Done()
		l.others.Wait()
	}
	return list, err
}

func (l *lookedTogether) CreateEmoji(ctx context.Context, name string, png []byte) (*rest.Emoji, error) {
	return l.client.CreateEmoji(ctx, name, png)
}

// TestTwoProcessesUploadTheMarksTogether: both have found none, so that each meets the
// names that the other was first with. In the end there is one emoji for each mark, and
// both processes show the same.
func TestTwoProcessesUploadTheMarksTogether(t *testing.T) {
	srv := sandbox.NewServer(t, func(o *sandbox.Options) { o.REST.BucketLimit, o.REST.GlobalLimit = 10_000, -1 })
	ctx := waittest.Within(t, 20*time.Second)
	var others sync.WaitGroup
	var bots []*loneBot
	for range 2 {
		client := rest.New(rest.Options{BaseURL: srv.APIURL(), Token: srv.Token()})
		t.Cleanup(client.Close)
		if _, err := client.Application(ctx); err != nil {
			t.Fatal(err)
		}
		others.Add(1)
		api := &lookedTogether{API: &noDiscord{}, client: client, others: &others}
		bots = append(bots, newLoneBot(t, func(o *Options) { o.API = api }))
	}
	var done sync.WaitGroup
	errs := make([]error, len(bots))
	for i, b := range bots {
		done.Go(func() { errs[i] = b.UploadMarks(ctx) })
	}
	done.Wait()
	for i, err := range errs {
		if err != nil {
			t.Errorf("process %d: %v", i+1, err)
		}
	}
	have, err := (&Bot{opts: Options{API: bots[0].opts.API}}).emojis(ctx)
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, m := range marks.All() {
		names[m.Emoji] = true
	}
	if len(have) != len(names) {
		t.Errorf("there are %d emojis of %d marks", len(have), len(names))
	}
	for name := range maps.Keys(have) {
		if !names[name] {
			t.Errorf("there is an emoji called %s", name)
		}
	}
	first, second := bots[0].kit.OwnMarks(), bots[1].kit.OwnMarks()
	if !reflect.DeepEqual(first, second) || len(first.Chosen) != 24 || !strings.HasPrefix(first.X.Plain, "<:ttt_x_") || !strings.HasPrefix(first.O.Winning, "<:ttt_o_win_") {
		t.Errorf("one process shows %+v, the other %+v", first, second)
	}
}

// takesSome is a Discord that takes so many emojis and then no more.
type takesSome struct {
	API
	left  int
	taken []rest.Emoji
}

func (s *takesSome) Emojis(context.Context) ([]rest.Emoji, error) { return slices.Clone(s.taken), nil }

func (s *takesSome) CreateEmoji(_ context.Context, name string, _ []byte) (*rest.Emoji, error) {
	if s.left == 0 {
		return nil, errors.New("no more")
	}
	s.left--
	s.taken = append(s.taken, rest.Emoji{ID: strconv.Itoa(len(s.taken) + 1), Name: name})
	return &s.taken[len(s.taken)-1], nil
}

// TestMarksAreShownAsTheyCome: X and O come first, and all or none of them; then each mark that
// people choose as soon as all its forms are there. What is there is not uploaded again.
func TestMarksAreShownAsTheyCome(t *testing.T) {
	api := &takesSome{API: &noDiscord{}, left: 9}
	b := newLoneBot(t, func(o *Options) { o.API = api })
	for _, step := range []struct {
		more, chosen int
		x            bool
	}{{0, 0, false}, {1, 0, true}, {3, 0, true}, {1, 1, true}, {4, 2, true}, {1000, 24, true}} {
		api.left += step.more
		err := b.UploadMarks(t.Context())
		own := b.kit.OwnMarks()
		if len(own.Chosen) != step.chosen || (own.X.Plain != "") != step.x || (err == nil) != (step.chosen == 24) {
			t.Errorf("with %d emojis %d marks can be chosen, X is %q, and the upload says %v; want %+v", len(api.taken), len(own.Chosen), own.X, err, step)
		}
		for mark, f := range own.Chosen {
			if forms := []string{f.Plain, f.Winning, f.Going, f.Moved}; slices.ContainsFunc(forms, func(s string) bool { return !strings.Contains(s, "_"+view.MarkNames()[mark]+"_") }) {
				t.Errorf("the forms of mark %d are %q", mark, forms)
			}
		}
	}
	if len(api.taken) != len(marks.All()) {
		t.Errorf("%d emojis were uploaded of %d pictures", len(api.taken), len(marks.All()))
	}
}
