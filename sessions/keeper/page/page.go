// Package page is the keeper's page: one HTML document with its styles and scripts, but no data. The page takes the
// token from the fragment of its address.
package page

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
)

//go:embed page.html style.css script
var sources embed.FS

// scripts returns the names of the scripts in order. Only the last one runs code at once.
func scripts() []string {
	return []string{"dom", "api", "stream", "store", "markdown", "diff", "tool", "list", "talk", "ask", "compose", "dialog", "main"}
}

// Handler serves the document for GET and HEAD of any path.
func Handler() http.Handler {
	document, policy := build()
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			w.Header().Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
			return
		}
		h := w.Header()
		h.Set("Content-Type", "text/html; charset=utf-8")
		h.Set("Content-Security-Policy", policy)
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Cache-Control", "no-store") // so that the page is never older than the keeper
		_, _ = w.Write(document)           // an error means that the browser has closed the connection
	})
}

// build returns the document and its Content-Security-Policy, which has the hashes of style and script.
func build() (document []byte, policy string) {
	var script bytes.Buffer
	script.WriteString("\"use strict\";\n")
	for _, name := range scripts() {
		script.Write(source("script/" + name + ".js"))
	}
	style := source("style.css")
	document = []byte(strings.NewReplacer(
		"<style></style>", "<style>"+string(style)+"</style>",
		"<script></script>", "<script>"+script.String()+"</script>",
	).Replace(string(source("page.html"))))
	return document, strings.Join([]string{
		"default-src 'none'",
		"script-src " + hash(script.Bytes()),
		"style-src " + hash(style),
		"connect-src 'self'",
		"img-src data:", // the icon
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'", // the browser refuses to parse a string as markup, even if a script tries to
		"trusted-types 'none'",
	}, "; ")
}

func source(name string) []byte {
	text, err := sources.ReadFile(name)
	if err != nil {
		panic(err) // can't happen: a test builds the document
	}
	return text
}

func hash(text []byte) string {
	sum := sha256.Sum256(text)
	return fmt.Sprintf("'sha256-%s'", base64.StdEncoding.EncodeToString(sum[:]))
}
