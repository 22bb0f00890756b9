// Package mask replaces secrets of known formats in texts.
package mask

import "sync"

// Mark is the replacement for a secret.
const Mark = "[masked]"

// Ahead is the number of runes after the end of a shortened text that must also be searched. A secret may start
// before the end.
const Ahead = 64 // runes

// secret is a format of secrets.
type secret struct {
	Shape
	with  string
	named bool // the rule has the anchors of all rules for names
}

// rules returns the formats of secrets. Compiling them takes 2 ms. A secret extends to the end of its quotation or
// word.
var rules = sync.OnceValue(func() []secret { //nolint:gochecknoglobals // made once, never changed
	const value = `(?:"[^"]*"?|'[^']*'?|\\+["'][^"'\\]*(?:\\+["'])?|[^\s"'` + "`" + `=][^\s` + "`" + `]*)`
	const words = `(?:key|token|secret|passwd|password|passphrase|credential)`
	rule := func(expr, with string, begin Begin, anchors ...string) secret {
		return secret{NewShape(expr, begin, anchors...), with, false}
	}
	named := func(expr string, begin Begin) secret {
		return secret{NewShape(expr, begin, "key", "token", "secret", "passw", "passphrase", "credential", "_pwd"), "${1}" + Mark, true}
	}
	return []secret{
		rule(`(?s)-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\z)`,
			Mark, atAnchor, "-----begin "),
		rule(`(?i)\b(authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|digest|apikey)\s+)?)[^\s"']+`, "${1}"+Mark, atWord, "authorization"),
		// After "bearer", a word of fewer than 20 letters isn't a secret.
		rule(`(?i)\b(bearer\s+)(?:[a-z.]*[0-9_~+/=-][\w.~+/=-]*|[a-z.]{20,})`, "${1}"+Mark, atWord, "bearer"),
		named(`(?i)((?:^|\s)--?[\w-]*`+words+`\s+)(?:"[^"]*"?|'[^']*'?|[^\s"'`+"`"+`-][^\s`+"`"+`]*)`, atFlag),
		rule(`((?:^|\s)(?:-u|--user|--proxy-user)[ =]?)(?:"[^"\s:]*:[^"]*"?|'[^'\s:]*:[^']*'?|[^\s:"'`+"`"+`]+:[^\s`+"`"+`]+)`, "${1}"+Mark, atFlag, "-u"),
		named(`(?i)([\w.-]*(?:`+words+`|_pwd)[\w.-]*(?:\\*["'])?\s*=>?\s*)`+value, atName('=')),
		// The value of a name that is only "key" isn't a secret. It may be the key of a lock or a table.
		named(`(?i)([\w.-]*(?:[_.-]key|(?:api|access|secret|private|auth|signing|account)key|token|secret|passwd|password|passphrase|credentials?|_pwd)`+
			`(?:\\*["'])?\s*:\s*)`+value, atName(':')),
		rule(`(?i)([a-z][a-z0-9+.-]*://)[^\s/:@]*:[^\s/]*@`, "${1}"+Mark+"@", atScheme, "://"),
		rule(`\b[A-Za-z0-9_.%+-]+:[^\s:@/"'`+"`"+`]+@([A-Za-z][A-Za-z0-9-]*\.)`, Mark+"@${1}", atUser, "@"),
		rule(`\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{6,}`, Mark, atSecond, "k-", "k_"),
		rule(`\b(?:gh[oprsu]_|github_pat_|glpat-|npm_|xox[a-z]-|xapp-|hf_)[A-Za-z0-9_-]{6,}`, Mark, atWord,
			"gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_", "glpat-", "npm_", "xox", "xapp-", "hf_"),
		rule(`\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[A-Za-z0-9_-]{20,}`, Mark, atWord, "akia", "asia", "aiza"),
		rule(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?`, Mark, atWord, "eyj"),
	}
})

// Secrets replaces the secrets in a text with Mark. It finds four formats: passwords, tokens and keys after their
// names; tokens with a known prefix; user:password@; private keys. It takes linear time.
func Secrets(s string) string {
	lower := Lower(s)
	var named, others []int // indexes of anchors in the text
	found := false          // named is up to date
	for i := range rules() {
		r := &rules()[i]
		at := &others
		if r.named {
			at = &named
		}
		if !r.named || !found {
			*at = places((*at)[:0], lower, r.anchors)
			found = found || r.named
		}
		if masked := r.expand(s, *at, r.with); masked != s {
			s, lower, found = masked, Lower(masked), false
		}
	}
	return s
}
