package digest

import (
	"regexp"
	"strings"
	"sync"
)

// Masked is the replacement for a secret.
const Masked = "[masked]"

// maskAhead is the number of runes beyond a length limit that are also searched for secrets. Without them, a secret cut
// at the limit would not be recognized.
const maskAhead = 64 // runes

// maskRule is a format of secrets.
type maskRule struct {
	hints []string // the lower-case text must contain one of them
	shape *regexp.Regexp
	with  string
}

// maskRules returns the formats of secrets that Mask replaces. They are compiled at first use, which takes 2 ms. A
// value extends to the end of its quotation or word.
var maskRules = sync.OnceValue(func() []maskRule { //nolint:gochecknoglobals // made once, never changed
	const value = `(?:"[^"]*"?|'[^']*'?|\\+["'][^"'\\]*(?:\\+["'])?|[^\s"'` + "`" + `=][^\s` + "`" + `]*)`
	const words = `(?:key|token|secret|passwd|password|passphrase|credential)`
	keyHints := []string{"key", "token", "secret", "passw", "passphrase", "credential", "_pwd"}
	rule := func(shape, with string, hints ...string) maskRule {
		return maskRule{hints, regexp.MustCompile(shape), with}
	}
	return []maskRule{
		rule(`(?s)-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----.*?(?:-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|\z)`,
			Masked, "private key"),
		rule(`(?i)\b(authorization["']?\s*[:=]\s*["']?(?:(?:bearer|basic|token|digest|apikey)\s+)?)[^\s"']+`, "${1}"+Masked, "authorization"),
		// An ordinary word after "bearer" has only letters, and fewer than 20.
		rule(`(?i)\b(bearer\s+)(?:[a-z.]*[0-9_~+/=-][\w.~+/=-]*|[a-z.]{20,})`, "${1}"+Masked, "bearer"),
		rule(`(?i)((?:^|\s)--?[\w-]*`+words+`\s+)(?:"[^"]*"?|'[^']*'?|[^\s"'`+"`"+`-][^\s`+"`"+`]*)`, "${1}"+Masked, keyHints...),
		rule(`((?:^|\s)(?:-u|--user|--proxy-user)[ =]?)(?:"[^"\s:]*:[^"]*"?|'[^'\s:]*:[^']*'?|[^\s:"'`+"`"+`]+:[^\s`+"`"+`]+)`, "${1}"+Masked, "-u", "-user"),
		rule(`(?i)([\w.-]*(?:`+words+`|_pwd)[\w.-]*(?:\\*["'])?\s*=>?\s*)`+value, "${1}"+Masked, keyHints...),
		// A name that is just "key" isn't a secret: it can be the key of a lock or a table.
		rule(`(?i)([\w.-]*(?:[_.-]key|(?:api|access|secret|private|auth|signing|account)key|token|secret|passwd|password|passphrase|credentials?|_pwd)`+
			`(?:\\*["'])?\s*:\s*)`+value, "${1}"+Masked, keyHints...),
		rule(`(?i)([a-z][a-z0-9+.-]*://)[^\s/:@]*:[^\s/]*@`, "${1}"+Masked+"@", "://"),
		rule(`\b[A-Za-z0-9_.%+-]+:[^\s:@/"'`+"`"+`]+@([A-Za-z][A-Za-z0-9-]*\.)`, Masked+"@${1}", "@"),
		rule(`\b(?:sk|pk|rk)[-_][A-Za-z0-9_-]{6,}`, Masked, "sk-", "sk_", "pk_", "rk_"),
		rule(`\b(?:gh[oprsu]_|github_pat_|glpat-|npm_|xox[a-z]-|xapp-|hf_)[A-Za-z0-9_-]{6,}`, Masked,
			"gho_", "ghp_", "ghr_", "ghs_", "ghu_", "github_pat_", "glpat-", "npm_", "xox", "xapp-", "hf_"),
		rule(`\b(?:AKIA|ASIA)[A-Z0-9]{12,}|\bAIza[A-Za-z0-9_-]{20,}`, Masked, "akia", "asia", "aiza"),
		rule(`\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{4,}(?:\.[A-Za-z0-9_-]*)?`, Masked, "eyj"),
	}
})

// Mask replaces the secrets of known formats in a text with Masked: passwords, tokens and keys after their names,
// tokens with a known prefix, user:password@, and private keys. Other secrets stay. The time is linear in the text.
func Mask(s string) string {
	lower := strings.ToLower(s)
	for _, r := range maskRules() {
		for _, hint := range r.hints {
			if strings.Contains(lower, hint) {
				s = r.shape.ReplaceAllString(s, r.with)
				break
			}
		}
	}
	return s
}
