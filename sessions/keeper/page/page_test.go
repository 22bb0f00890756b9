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

func served(t *testing.T, method string) *httptest.ResponseRecorder {
	t.Helper()
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), method, "/", http.NoBody))
	return w
}

func TestPolicy(t *testing.T) {
	t.Parallel()
	response := served(t, http.MethodGet)
	document, policy := response.Body.String(), response.Header().Get("Content-Security-Policy")
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
	if response := served(t, http.MethodPost); response.Code != http.StatusMethodNotAllowed || response.Header().Get("Allow") != "GET, HEAD" {
		t.Errorf("POST: status %d, Allow %q", response.Code, response.Header().Get("Allow"))
	}
}

// TestSources: the page sends no requests to other hosts, and never parses text as markup.
func TestSources(t *testing.T) {
	t.Parallel()
	document := served(t, http.MethodGet).Body.String()
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
	document := served(t, http.MethodGet).Body.String()
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
