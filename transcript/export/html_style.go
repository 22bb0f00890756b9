package export

// style is the style sheet of the page. It follows the theme of the browser.
const style = `
:root{color-scheme:light dark;--ink:#1f2328;--faint:#667078;--ground:#fff;--panel:#f5f6f8;--line:#d8dce0;--you:#0a6b58;--bad:#b42318;--add:#dcf5e3;--del:#fde4e1}
@media (prefers-color-scheme:dark){:root{--ink:#d8dde3;--faint:#8b949e;--ground:#14171b;--panel:#1d2126;--line:#343a41;--you:#5cc9ae;--bad:#ff8a80;--add:#163a24;--del:#47201d}}
body{margin:0 auto;max-width:54rem;padding:1.5rem 1rem 4rem;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .75rem}
header{border-bottom:1px solid var(--line);padding-bottom:1rem}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:0;font-size:.875rem}
dt{color:var(--faint)}
dd{margin:0;overflow-wrap:anywhere}
h2{font-size:1.15rem;margin:2.5rem 0 0;padding-top:1rem;border-top:1px solid var(--line)}
h3{font-size:.95rem;margin:1.75rem 0 .35rem}
h3 a,h3 time{color:var(--faint);font-weight:400;font-size:.8rem;text-decoration:none}
.prompt>h3{color:var(--you)}
.prompt>.typed{border-left:3px solid var(--you);padding:.1rem 0 .1rem .8rem}
.typed{white-space:pre-wrap;overflow-wrap:anywhere}
.text{overflow-wrap:anywhere}
.text h1,.text h2,.text h3,.text h4{font-size:1.05rem;margin:1.1rem 0 .4rem;padding:0;border:0;color:inherit}
.note{color:var(--faint);font-size:.875rem;margin:.4rem 0}
details,p.call{margin:.3rem 0;font-size:.875rem}
summary{cursor:pointer;overflow-wrap:anywhere}
details[open]>summary{margin-bottom:.3rem}
.thought,.notice{color:var(--faint)}
.failed em,.rejected em{color:var(--bad);font-style:normal}
pre{background:var(--panel);border:1px solid var(--line);border-radius:6px;padding:.6rem .8rem;margin:.4rem 0;overflow-x:auto;font:13px/1.45 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;color:var(--ink)}
code{font:.9em ui-monospace,monospace;background:var(--panel);border-radius:4px;padding:.05em .3em}
pre code{font:inherit;background:none;padding:0}
ins,del{text-decoration:none}
ins{background:var(--add)}
del{background:var(--del)}
table{border-collapse:collapse}
th,td{border:1px solid var(--line);padding:.25rem .6rem;text-align:left}
blockquote{margin:.5rem 0;padding-left:.8rem;border-left:3px solid var(--line);color:var(--faint)}
a{color:inherit}
`
