/** The one style sheet of our pages; its hash stands in the pages' policy. */
export const style = `
:root {
  color-scheme: light dark;
  --text: #1c1e21; --quiet: #5d6570; --page: #fbfbfa; --card: #fff; --line: #dfe2e6;
  --accent: #1d4ed8; --code: #f1f2f4;
}
@media (prefers-color-scheme: dark) {
  :root {
    --text: #e6e7e9; --quiet: #9aa3ae; --page: #15171a; --card: #1d2024; --line: #343a41;
    --accent: #8ab4ff; --code: #262a2f;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: flex; flex-direction: column;
  background: var(--page); color: var(--text);
  font: 1rem/1.65 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
}
a { color: var(--accent); }
header, main, footer { width: 100%; max-width: 46rem; margin: 0 auto; padding: 0 1.25rem; }
header { padding-top: 2.5rem; }
header h1 { margin: 0; font-size: 1.9rem; line-height: 1.25; overflow-wrap: anywhere; }
header p { margin: .5rem 0 0; color: var(--quiet); overflow-wrap: anywhere; }
main { flex: 1; padding-top: 1.5rem; padding-bottom: 2.5rem; overflow-wrap: anywhere; }
footer { padding-top: 1rem; padding-bottom: 1.5rem; border-top: 1px solid var(--line); color: var(--quiet); font-size: .875rem; }
.framing header, .framing footer { max-width: none; padding: .6rem 1.25rem; }
.framing header { border-bottom: 1px solid var(--line); }
.framing header h1 { font-size: 1.1rem; }
.framing header p { margin: 0; font-size: .875rem; }
.framing main { max-width: none; padding: 0; display: flex; min-height: 70vh; }
.framing iframe { flex: 1; border: 0; background: #fff; color-scheme: light; }
.notice main { display: flex; align-items: center; justify-content: center; }
.card {
  width: 100%; max-width: 26rem; padding: 1.75rem; background: var(--card);
  border: 1px solid var(--line); border-radius: .75rem;
}
.card h1 { margin: 0 0 .5rem; font-size: 1.25rem; }
.card p { margin: 0 0 1rem; color: var(--quiet); }
.card .wrong { color: #c2281d; }
@media (prefers-color-scheme: dark) { .card .wrong { color: #ff8a80; } }
.card label { display: block; margin-bottom: .35rem; font-weight: 600; }
.card input, .card button { width: 100%; padding: .65rem .8rem; font: inherit; border-radius: .5rem; border: 1px solid var(--line); }
.card input { margin-bottom: 1rem; background: var(--page); color: var(--text); }
.card button { border-color: transparent; background: #1d4ed8; color: #fff; font-weight: 600; cursor: pointer; }
button:focus-visible, input:focus-visible, a:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
pre, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9em; background: var(--code); border-radius: .3rem; }
code { padding: .1em .3em; }
pre { padding: .9rem 1rem; overflow-x: auto; overflow-wrap: normal; }
pre code { padding: 0; }
blockquote { margin: 1rem 0; padding-left: 1rem; border-left: 3px solid var(--line); color: var(--quiet); }
table { display: block; width: max-content; max-width: 100%; overflow-x: auto; border-collapse: collapse; }
th, td { padding: .4rem .75rem; border: 1px solid var(--line); }
th:not([align]), td:not([align]) { text-align: left; }
li:has(> input[type="checkbox"]) { list-style: none; margin-left: -1.4rem; }
img { max-width: 100%; height: auto; }
hr { border: 0; border-top: 1px solid var(--line); }
@media print { footer, .framing header { display: none; } body { background: #fff; color: #000; } }
`;
