package tui

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/continuo-tui/continuo/transcript"
	"github.com/continuo-tui/continuo/tui/dialog"
)

// Image implements opened.Album.
func (d *fakeDoc) Image(_ context.Context, ref transcript.MessageRef, block, n int) ([]byte, error) {
	return []byte("image " + strconv.Itoa(int(ref.ID)) + "." + strconv.Itoa(block) + "." + strconv.Itoa(n)), nil
}

// TestImage: enter on an image asks before it opens the image.
func TestImage(t *testing.T) {
	t.Parallel()
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		t.Run(strconv.Itoa(size[0]), func(t *testing.T) {
			bubble(t, func(t *testing.T) {
				s := testSource()
				asked := prompt("What is wrong here?")
				asked.Blocks = append(asked.Blocks, transcript.Block{Kind: transcript.BlockImage, Media: "image/png", Bytes: 24_000})
				s.doc = &fakeDoc{msgs: []transcript.Message{asked, answer(textBlock("The clock."))}}
				m := testModel(t, s, testOptions(), size[0], size[1])
				actions, ok := m.Actions.(*fakeActions)
				if !ok {
					t.Fatal("no fake")
				}
				press(t, m, "enter", "g", "j")
				if got := plain(t, m); !strings.Contains(got, "open the image") {
					t.Errorf("the key isn't offered:\n%s", got)
				}
				press(t, m, "enter")
				if !shows[*dialog.Menu](m) || len(actions.viewed) > 0 {
					t.Fatalf("nothing is asked, opened %q", actions.viewed)
				}
				golden(t, "image-"+strconv.Itoa(size[0])+"x"+strconv.Itoa(size[1]), plain(t, m))
				press(t, m, "esc")
				if m.hasDialog() || len(actions.viewed) > 0 {
					t.Errorf("esc opens %q", actions.viewed)
				}
				press(t, m, "enter", "enter")
				if got := plain(t, m); !slices.Equal(actions.viewed, []string{"image 1.1.0"}) || m.hasDialog() || !strings.Contains(got, "Opened the image.") {
					t.Errorf("opened %q:\n%s", actions.viewed, got)
				}
				actions.err = errors.New("No program opens images here.")
				press(t, m, "enter", "enter")
				if got := plain(t, m); !strings.Contains(got, "No program opens images here.") {
					t.Errorf("the error isn't shown:\n%s", got)
				}
			})
		})
	}
}

// TestImagesOfResult: enter on a tool call offers each image of its result.
func TestImagesOfResult(t *testing.T) {
	bubble(t, func(t *testing.T) {
		tr, err := transcript.New(t.Context(), strings.NewReader(`{"type":"assistant","uuid":"u1","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Shoot","input":{"screen":"all"}}]}}
{"type":"user","uuid":"u2","parentUuid":"u1","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"image","source":{"media_type":"image/png","data":"AAAA"}},{"type":"image","source":{"media_type":"image/webp","data":"BBBB"}}]}]}}
`))
		if err != nil {
			t.Fatal(err)
		}
		s := testSource()
		s.doc = &fakeDoc{msgs: []transcript.Message{prompt("Look."), tr.Message(0)}}
		m := testModel(t, s, testOptions(), 80, 24)
		actions, ok := m.Actions.(*fakeActions)
		if !ok {
			t.Fatal("no fake")
		}
		press(t, m, "enter", "G", "enter")
		if got := plain(t, m); !strings.Contains(got, "1  Image 1  image/png") || !strings.Contains(got, "2  Image 2  image/webp") {
			t.Errorf("the images aren't offered:\n%s", got)
		}
		press(t, m, "2")
		if !slices.Equal(actions.viewed, []string{"image 2.1.1"}) {
			t.Errorf("opened %q", actions.viewed)
		}
		press(t, m, "z")
		if got := plain(t, m); !strings.Contains(got, "▾ Shoot") {
			t.Errorf("z doesn't open the call:\n%s", got)
		}
	})
}
