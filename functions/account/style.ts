/** What these pages add to the style of all pages. */
export const style = `
:root { --field: #7d8590; --wrong: #c2281d; --done: #1a7f37; --button: #1d4ed8; }
@media (prefers-color-scheme: dark) {
  :root { --field: #78818c; --wrong: #ff8a80; --done: #6fd38a; --button: #2457e0; }
}
[hidden] { display: none !important; }
.noscript { margin: 0; padding: .75rem 1.25rem; background: var(--button); color: #fff; text-align: center; }
.brand { margin: 0; font-weight: 700; letter-spacing: -.01em; color: var(--text); }
.notice main { padding-top: 2.5rem; }
.card .brand { color: var(--accent); font-size: .95rem; }
.card h1 { font-size: 1.5rem; margin-bottom: 1.25rem; }
.card .other { margin: 1.25rem 0 0; }
.card .wrong, .wrong { margin: .35rem 0 0; color: var(--wrong); font-size: .9rem; }
.card .done { margin: .5rem 0 0; color: var(--done); font-size: .9rem; }
.card .wrong:empty, .card .done:empty, .wrong:empty { margin: 0; }
.card .hint { margin: .3rem 0 0; font-size: .85rem; line-height: 1.45; }
.optional { font-weight: 400; color: var(--quiet); }
.field { margin-bottom: 1rem; min-width: 0; }
.card input, .card select {
  width: 100%; margin: 0; padding: .6rem .75rem; font: inherit; line-height: 1.4; min-height: 2.75rem;
  border: 1px solid var(--field); border-radius: .5rem; background: var(--page); color: var(--text);
}
.card [aria-invalid="true"] { border-color: var(--wrong); }
.card [aria-invalid="true"]:not(:focus-visible) { outline: 1px solid var(--wrong); }
.card button { background: var(--button); }
.card button.quiet, header button.quiet {
  width: auto; padding: .4rem .8rem; font: inherit; font-size: .9rem; font-weight: 600; border-radius: .5rem;
  border: 1px solid var(--field); background: transparent; color: var(--text); cursor: pointer;
}
.card button:hover { filter: brightness(1.1); }
.card button.quiet:hover, header button.quiet:hover { background: var(--code); filter: none; }
form > button.quiet { margin-bottom: 1rem; }
form > [data-failure]:not(:empty) { margin-bottom: .75rem; }
form[aria-busy="true"] button[type="submit"] { opacity: .65; cursor: progress; }
button:focus-visible, input:focus-visible, select:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
h2:focus { outline: none; }
.account header { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding-top: 1rem; padding-bottom: 1rem; min-height: 4.5rem; }
.account header .brand { font-size: 1.1rem; }
.account main { padding-top: .5rem; }
.account h1 { margin: 0; font-size: 1.9rem; line-height: 1.25; }
#who { margin: .35rem 0 1.5rem; color: var(--quiet); }
.account .card { max-width: none; margin-bottom: 1.25rem; padding: 1.5rem; }
.account .card h2 { margin: 0 0 .75rem; font-size: 1.2rem; line-height: 1.3; }
.account .card h3 { margin: 1.5rem 0 .75rem; font-size: 1rem; }
.account .card button:not(.quiet) { width: auto; padding-left: 1.25rem; padding-right: 1.25rem; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(16rem, 100%), 1fr)); column-gap: 1.25rem; align-items: start; }
.figures { display: flex; gap: 2.5rem; margin: 0 0 .75rem; }
.figures dt { color: var(--quiet); font-size: .85rem; }
.figures dd { margin: 0; font-size: 1.75rem; font-weight: 700; line-height: 1.2; font-variant-numeric: tabular-nums; }
.records { list-style: none; margin: 0 0 1rem; padding: 0; }
.records:empty { display: none; }
.records li { display: flex; align-items: center; justify-content: space-between; gap: 1rem; padding: .75rem 0; border-top: 1px solid var(--line); }
.records li:last-child { border-bottom: 1px solid var(--line); }
.records li > div { min-width: 0; }
.records .name { margin: 0; color: var(--text); font-weight: 600; }
.records .about { margin: 0; font-size: .875rem; }
.records .quiet { flex: none; }
.badge { margin-left: .5rem; padding: .1rem .5rem; border-radius: 1rem; background: var(--code); color: var(--text); font-size: .75rem; font-weight: 600; white-space: nowrap; }
.minted { margin: 1rem 0; padding: 1rem; border: 1px solid var(--accent); border-radius: .5rem; }
.copy { display: flex; gap: .5rem; }
.copy button { flex: none; }
.copy input { min-width: 0; font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: .9rem; }
@media (max-width: 30rem) { .account .card { padding: 1.1rem; } .notice .card { padding: 1.25rem; } }
`;
