package mask

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// secrets returns texts with a secret. Masking must leave no part of the secret.
func secrets() map[string]string {
	return map[string]string{
		`curl -H "Authorization: Bearer sk-ant-s3cret"`: `curl -H "Authorization: Bearer [masked]"`,
		`Authorization: Basic dXNlcjpwYXNz now`:         `Authorization: Basic [masked] now`,
		`bearer abcdefghijklmnopqrstuvwx`:               `bearer [masked]`,
		`key sk-proj-s3cret_s3cret, ok`:                 `key [masked], ok`,
		`ghp_s3cretS3cret and github_pat_11s3cret`:      `[masked] and [masked]`,
		`AKIAIOSFODNN7EXAMPLE`:                          `[masked]`,
		`xoxb-1-s3cret`:                                 `[masked]`,
		`git clone https://ada:s3cret@example.org/a`:    `git clone https://[masked]@example.org/a`,
		`postgres://ada:s3@cret@db/x`:                   `postgres://[masked]@db/x`,
		`ada:s3cret@db.example.org`:                     `[masked]@db.example.org`,
		`curl -u ada:s3cret x`:                          `curl -u [masked] x`,
		`export AWS_SECRET_ACCESS_KEY=AKs3cret; ls`:     `export AWS_SECRET_ACCESS_KEY=[masked] ls`,
		`DB_PASSWORD="s3cret with words" make`:          `DB_PASSWORD=[masked] make`,
		`PASSWORD='s3cret`:                              `PASSWORD=[masked]`,
		`password: hunter`:                              `password: [masked]`,
		`{"api_key": "s3cret", "a": 1}`:                 `{"api_key": [masked], "a": 1}`,
		`{\"clientSecret\":\"s3cret\",\"a\":1}`:         `{\"clientSecret\":[masked],\"a\":1}`,
		`mysql --password s3cret -h x`:                  `mysql --password [masked] -h x`,
		`http://x/?access_token=s3cret`:                 `http://x/?access_token=[masked]`,
		`x eyJhbGciOiJI.eyJzdWIiOiIx.s3cret y`:          `x [masked] y`,
		"a -----BEGIN RSA PRIVATE KEY-----\nMIIs3cret\n-----END RSA PRIVATE KEY-----\nb": "a [masked]\nb",
		"-----BEGIN PRIVATE KEY-----\nMIIs3cret":                                         `[masked]`,
	}
}

func TestSecrets(t *testing.T) {
	t.Parallel()
	for s, want := range secrets() {
		if got := Secrets(s); got != want {
			t.Errorf("%q is %q, not %q", s, got, want)
		}
	}
	for _, s := range []string{
		"", "Fix refresh token race at midnight", "the bearer tokens were", "task-management", "if key == value", "The key: value pairs", "Monkey: banana",
		"git@github.com:ada/teahouse.git", "https://example.org:8080/a@b", "docker run a:1@sha256:0123", "npm:react@18", "go test ./...", "12:30 @ada", "risk-adjusted",
	} {
		if got := Secrets(s); got != s {
			t.Errorf("%q became %q", s, got)
		}
	}
}

// FuzzMask puts secrets into any context. Masking a second time must change nothing.
func FuzzMask(f *testing.F) {
	for s := range secrets() {
		f.Add(s, "")
		f.Add("", s)
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		const secret = "ghp_s3cretS3cret"
		got := Secrets(before + " " + secret + " " + after)
		if strings.Contains(got, secret) && !strings.Contains(before+after, secret) {
			t.Errorf("%q", got)
		}
		if utf8.ValidString(before) && utf8.ValidString(after) && !utf8.ValidString(got) {
			t.Errorf("%q is not UTF-8", got)
		}
	})
}
