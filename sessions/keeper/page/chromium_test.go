package page

import (
	"bufio"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/coder/websocket"
)

// patience is the limit for waits. What a test waits for appears at once.
const patience = time.Minute

// browser is a headless Chromium, driven over the DevTools protocol.
type browser struct {
	conn *websocket.Conn

	mu      sync.Mutex
	last    int
	waiting map[int]chan reply
	faults  []string // exceptions, refused scripts and the like of all tabs
}

type reply struct {
	ID     int
	Result json.RawMessage
	Error  *struct{ Message string }
	Method string
	Params json.RawMessage
}

// tab is a tab of a browser.
type tab struct {
	t       *testing.T
	browser *browser
	session string
}

// startBrowser starts a Chromium with its own home. Without Chromium, the test is skipped.
func startBrowser(t *testing.T) *browser {
	t.Helper()
	program, err := exec.LookPath("chromium")
	if err != nil {
		t.Skip("no chromium: run apt-get install chromium")
	}
	home := t.TempDir()
	args := []string{"--headless=new", "--remote-debugging-port=0", "--user-data-dir=" + filepath.Join(home, "profile"), "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--hide-scrollbars"}
	if os.Geteuid() == 0 {
		args = append(args, "--no-sandbox")
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program, append(args, "about:blank")...)
	cmd.Env = append(os.Environ(), "HOME="+home, "XDG_CONFIG_HOME="+home, "XDG_CACHE_HOME="+home, "XDG_RUNTIME_DIR="+home, "TZ=UTC")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	b := &browser{waiting: map[int]chan reply{}}
	drained := make(chan struct{})
	t.Cleanup(func() {
		if b.conn != nil {
			_, _ = b.call("", "Browser.close", nil)
			_ = b.conn.CloseNow()
		}
		stop := time.AfterFunc(10*time.Second, func() { _ = cmd.Process.Kill() })
		<-drained // all processes of Chromium have ended, so nothing writes into its home
		stop.Stop()
		_ = cmd.Wait()
	})
	address := regexp.MustCompile(`ws://\S+`)
	lines := bufio.NewScanner(stderr)
	for b.conn == nil && lines.Scan() {
		if at := address.FindString(lines.Text()); at != "" {
			b.dial(t, at)
		}
	}
	go func() {
		_, _ = io.Copy(io.Discard, stderr) // a full pipe would block Chromium
		close(drained)
	}()
	if b.conn == nil {
		t.Fatal("chromium has not started")
	}
	return b
}

func (b *browser) dial(t *testing.T, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	conn, response, err := websocket.Dial(ctx, address, nil)
	if err != nil {
		t.Fatal(err)
	}
	if response.Body != nil {
		_ = response.Body.Close()
	}
	conn.SetReadLimit(64 << 20)
	b.conn = conn
	go b.read()
}

func (b *browser) read() {
	for {
		_, data, err := b.conn.Read(context.Background())
		if err != nil {
			return
		}
		var r reply
		if json.Unmarshal(data, &r) != nil {
			continue
		}
		b.mu.Lock()
		if c := b.waiting[r.ID]; c != nil {
			delete(b.waiting, r.ID)
			c <- r
		}
		b.note(r)
		b.mu.Unlock()
	}
}

// note stores a fault. Failed requests aren't faults, because tests send bad ones.
func (b *browser) note(r reply) {
	switch {
	case r.Method == "Runtime.exceptionThrown":
		b.faults = append(b.faults, string(r.Params))
	case r.Method == "Log.entryAdded" && !strings.Contains(string(r.Params), `"source":"network"`) && !strings.Contains(string(r.Params), "WebSocket"):
		b.faults = append(b.faults, string(r.Params))
	}
}

func (b *browser) call(session, method string, params any) (json.RawMessage, error) {
	b.mu.Lock()
	b.last++
	id, c := b.last, make(chan reply, 1)
	b.waiting[id] = c
	b.mu.Unlock()
	message := map[string]any{"id": id, "method": method}
	if session != "" {
		message["sessionId"] = session
	}
	if params != nil {
		message["params"] = params
	}
	text, err := json.Marshal(message)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := b.conn.Write(ctx, websocket.MessageText, text); err != nil {
		return nil, err
	}
	select {
	case r := <-c:
		if r.Error != nil {
			return nil, fmt.Errorf("%s: %w", method, errors.New(r.Error.Message))
		}
		return r.Result, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("%s: %w", method, ctx.Err())
	}
}

// object is a JSON object.
type object map[string]any

// newTab opens a tab. Its size is in CSS pixels. A fault of the tab fails the test.
func (b *browser) newTab(t *testing.T, width, height int, phone bool, scheme string) *tab {
	t.Helper()
	p := &tab{t: t, browser: b}
	var target struct{ TargetID string }
	p.decode(p.call("Target.createTarget", object{"url": "about:blank"}), &target)
	var attached struct{ SessionID string }
	p.decode(p.call("Target.attachToTarget", object{"targetId": target.TargetID, "flatten": true}), &attached)
	p.session = attached.SessionID
	scale := 1
	if phone {
		scale = 2
		p.call("Emulation.setTouchEmulationEnabled", object{"enabled": true})
	}
	p.call("Emulation.setDeviceMetricsOverride", object{"width": width, "height": height, "deviceScaleFactor": scale, "mobile": phone})
	p.call("Emulation.setEmulatedMedia", object{"features": []object{{"name": "prefers-color-scheme", "value": scheme}}})
	for _, domain := range []string{"Page", "Runtime", "Log"} {
		p.call(domain+".enable", nil)
	}
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, fault := range b.faults {
			t.Error("fault in the page:", fault)
		}
	})
	return p
}

func (p *tab) call(method string, params any) json.RawMessage {
	p.t.Helper()
	result, err := p.browser.call(p.session, method, params)
	if err != nil {
		p.t.Fatal(err)
	}
	return result
}

func (p *tab) decode(text json.RawMessage, into any) {
	p.t.Helper()
	if err := json.Unmarshal(text, into); err != nil {
		p.t.Fatal(err)
	}
}

func (p *tab) open(address string) {
	p.call("Page.bringToFront", nil)
	p.call("Page.navigate", object{"url": address})
}

func (p *tab) reload() { p.call("Page.reload", nil) }

// eval returns the JSON value of an expression.
func (p *tab) eval(expression string) any {
	p.t.Helper()
	var r struct {
		Result           struct{ Value any }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	p.decode(p.call("Runtime.evaluate", object{"expression": expression, "returnByValue": true, "awaitPromise": true}), &r)
	if r.ExceptionDetails != nil {
		p.t.Fatalf("%s: %s", expression, r.ExceptionDetails.Exception.Description)
	}
	return r.Result.Value
}

// wait waits until an expression is true. An error counts as false, because the document may be loading.
func (p *tab) wait(expression string) {
	p.t.Helper()
	guarded := "(() => { try { return Boolean(" + expression + "); } catch { return false; } })()"
	for end := time.Now().Add(patience); p.eval(guarded) != true; time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			p.t.Fatalf("never true: %s\nthe page shows:\n%v\nfaults: %s", expression, p.eval("document.body.innerText"), p.browser.faults)
		}
	}
}

// see waits for a visible element that contains a text. An empty text matches any element.
func (p *tab) see(selector, text string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("[...document.querySelectorAll(%q)].some((e) => e.checkVisibility() && (e.innerText || e.value || '').includes(%q))", selector, text))
}

// gone waits until no visible element has a text.
func (p *tab) gone(selector, text string) {
	p.t.Helper()
	p.wait(fmt.Sprintf("![...document.querySelectorAll(%q)].some((e) => e.checkVisibility() && e.innerText.includes(%q))", selector, text))
}

// click clicks the first visible element with a text. It waits until the element is enabled and uncovered.
func (p *tab) click(selector, text string) {
	p.t.Helper()
	p.wait(fmt.Sprintf(`(() => {
		const e = [...document.querySelectorAll(%q)].find((e) => e.checkVisibility() && !e.disabled && e.innerText.includes(%q));
		e.scrollIntoView({ block: "nearest" });
		const r = e.getBoundingClientRect();
		const hit = e.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
		if (hit) e.click();
		return hit;
	})()`, selector, text))
}

func (p *tab) write(text string) { p.call("Input.insertText", object{"text": text}) }

// press presses Enter, Shift+Enter, Escape, ArrowDown or one character.
func (p *tab) press(key string) {
	p.t.Helper()
	modifiers := 0
	if rest, ok := strings.CutPrefix(key, "Shift+"); ok {
		key, modifiers = rest, 8
	}
	codes := map[string]int{"Enter": 13, "Escape": 27, "ArrowDown": 40, "ArrowUp": 38, "Tab": 9}
	down := object{"type": "keyDown", "key": key, "modifiers": modifiers, "windowsVirtualKeyCode": cmp.Or(codes[key], int(strings.ToUpper(key)[0]))}
	if key == "Enter" {
		down["text"] = "\r"
	} else if len(key) == 1 {
		down["text"] = key
	}
	p.call("Input.dispatchKeyEvent", down)
	p.call("Input.dispatchKeyEvent", object{"type": "keyUp", "key": key})
}

func (p *tab) texts(selector string) []string {
	p.t.Helper()
	var all []string
	for _, text := range p.eval(fmt.Sprintf("[...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()).map((e) => e.innerText)", selector)).([]any) {
		all = append(all, text.(string))
	}
	return all
}

// count waits for an element with a text, and checks that there are n.
func (p *tab) count(selector, text string, n int) {
	p.t.Helper()
	p.see(selector, text)
	if got := len(slices.DeleteFunc(p.texts(selector), func(s string) bool { return !strings.Contains(s, text) })); got != n {
		p.t.Errorf("%d elements %s with %q, want %d:\n%s", got, selector, text, n, strings.Join(p.texts(selector), "\n"))
	}
}

// shoot writes a picture of the page into $CONTINUO_SHOTS, if that is set.
func (p *tab) shoot(name string) {
	p.t.Helper()
	dir := os.Getenv("CONTINUO_SHOTS")
	if dir == "" {
		return
	}
	var picture struct{ Data string }
	p.decode(p.call("Page.captureScreenshot", object{"format": "png"}), &picture)
	data, err := base64.StdEncoding.DecodeString(picture.Data)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, name+".png"), data, 0o600)
	}
	if err != nil && !errors.Is(err, net.ErrClosed) {
		p.t.Fatal(err)
	}
}
