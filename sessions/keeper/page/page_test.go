package page

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// served returns the response to a request for the page.
func served(t *testing.T, method string) (*http.Response, string) {
	t.Helper()
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, httptest.NewRequest(method, "/", http.NoBody))
	return w.Result(), w.Body.String()
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	response, document := served(t, http.MethodGet)
	policy := response.Header.Get("Content-Security-Policy")
	for _, part := range []string{"default-src 'none'", "connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"} {
		if !slices.Contains(strings.Split(policy, "; "), part) {
			t.Errorf("the policy lacks %q: %s", part, policy)
		}
	}
	if strings.Contains(policy, "unsafe") {
		t.Errorf("the policy allows something unsafe: %s", policy)
	}
	for tag, directive := range map[string]string{"style": "style-src", "script": "script-src"} {
		elements := regexp.MustCompile(`(?s)<`+tag+`\b[^>]*>(.*?)</`+tag+`>`).FindAllStringSubmatch(document, -1)
		if len(elements) != 1 {
			t.Fatalf("%d elements %s, want 1", len(elements), tag)
		}
		sum := sha256.Sum256([]byte(elements[0][1]))
		want := directive + " 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		if !slices.Contains(strings.Split(policy, "; "), want) {
			t.Errorf("the policy lacks the hash of the %s: %s", tag, policy)
		}
	}
}

func TestMethods(t *testing.T) {
	t.Parallel()
	if response, _ := served(t, http.MethodPost); response.StatusCode != http.StatusMethodNotAllowed || response.Header.Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: %s, Allow %q", response.Status, response.Header.Get("Allow"))
	}
}

// TestSources checks that the page asks no other host, and that no text can become markup.
func TestSources(t *testing.T) {
	t.Parallel()
	_, document := served(t, http.MethodGet)
	for _, forbidden := range []string{
		`(?i)https?://[a-z0-9]`, `(?i)\bsrc=`, `(?i)@import`, `\burl\(`, `(?i)<link[^>]+href="[^d]`, // other hosts
		`innerHTML`, `outerHTML`, `insertAdjacentHTML`, `document\.write`, `DOMParser`, `\beval\b`, `new Function`, // markup and code from text
		`(?i)<[^>]+\son[a-z]+=`, `(?i)<[^>]+\sstyle=`, `javascript:`, `\r`,
	} {
		for _, found := range regexp.MustCompile(forbidden).FindAllString(document, -1) {
			if found != "http://w" { // the namespace of SVG
				t.Errorf("the document has %q", found)
			}
		}
	}
}

func TestScriptsAreServed(t *testing.T) {
	t.Parallel()
	_, document := served(t, http.MethodGet)
	entries, err := os.ReadDir("script")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		text, err := os.ReadFile("script/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(document, string(text)) {
			t.Errorf("the document lacks script/%s", e.Name())
		}
		if lines := strings.Count(string(text), "\n"); lines > 200 {
			t.Errorf("script/%s has %d lines, the limit is 200", e.Name(), lines)
		}
	}
}
