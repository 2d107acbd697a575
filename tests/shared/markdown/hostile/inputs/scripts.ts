// What runs in pages, as strings, because its types differ from those of Node.js. Nothing here asks by what a document
// could have replaced, except to find out.

/** Runs first in each document: counts what runs, and what the policy of the page reports. */
export const watchScript = `(() => {
  const seen = { hits: 0, reports: [] };
  Object.defineProperty(window, 'seenHostile', { value: seen });
  Object.defineProperty(window, 'hit', { value: () => { seen.hits++; } });
  addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
    seen.reports.push('report: ' + violatedDirective + ' ' + blockedURI);
  }, true);
})()`;

const provoke = `
  const all = (root, selector) => [...root.querySelectorAll(selector)];
  const events = ['error', 'load', 'mouseover', 'pointerenter', 'focus', 'toggle', 'animationstart', 'transitionend', 'begin'];
  const provoke = async (view, root) => {
    for (const element of all(root, '*').slice(0, 500)) {
      for (const name of events) element.dispatchEvent(new view.Event(name, { bubbles: true }));
      // The address of a script is followed; others would only lead away.
      if (element.protocol === 'javascript:') element.click();
    }
    // The script of an address runs in a task of its own.
    for (let turn = 0; turn < 3; turn++) await new Promise((done) => setTimeout(done));
  };`;

/**
 * Runs in the page of a share. Returns what ran and was reported, what of the page isn’t in its place or can’t be used,
 * and the page’s own elements.
 */
export const inspectScript = `(async () => {
  ${provoke}
  const found = [];
  const main = Document.prototype.querySelector.call(document, 'body > main');
  const prose = main && main.querySelector(':scope > .prose');
  if (!prose) return { found: ['no article'], own: [], contents: [] };
  await provoke(window, prose);

  const own = [];
  const visit = (parent, depth) => {
    for (const element of parent.children) {
      if (element === prose) { own.push(depth + ' article'); continue; }
      own.push([depth, element.localName, element.id, element.getAttribute('class')].join(' '));
      if (element.id !== '') {
        let same = false;
        try { same = document.getElementById(element.id) === element; } catch {}
        if (!same) found.push('another #' + element.id);
      }
      if (!element.matches('nav ol')) visit(element, depth + 1);
    }
  };
  visit(document.documentElement, 0);
  const contents = all(main, ':scope > nav a').map((link) => link.getAttribute('href'));
  for (const address of contents) {
    const target = Document.prototype.getElementById.call(document, decodeURIComponent(address.slice(1)));
    if (!target || !main.contains(target)) found.push('no heading ' + address);
  }

  for (const name in document) {
    let value;
    try { value = document[name]; } catch { continue; }
    const first = value instanceof HTMLCollection ? value[0] : value;
    if (first instanceof Element && prose.contains(first) && !/^(images|links|anchors|all|forms)$/.test(name)) found.push('document.' + name);
  }
  if (document.forms.length !== all(document, 'form').filter((form) => !prose.contains(form)).length) found.push('a form');

  if (document.documentElement.scrollWidth > innerWidth) found.push('stretched to ' + document.documentElement.scrollWidth);
  const covered = (control) => {
    const { left, top, width, height } = control.getBoundingClientRect();
    if (width === 0 || height === 0) return;
    const shown = document.elementFromPoint(left + width / 2, top + height / 2);
    if (shown && !control.contains(shown)) found.push('covered: ' + control.outerHTML.slice(0, 80));
  };
  all(document, 'body > header a, body > header button').forEach(covered);
  scrollTo({ top: 1e9, behavior: 'instant' });
  const footer = Document.prototype.querySelector.call(document, 'body > footer');
  if (footer) all(footer, 'a').forEach(covered);
  if (footer && footer.getBoundingClientRect().top < prose.getBoundingClientRect().bottom - 1) found.push('the footer is covered');
  if (seenHostile.hits > 0) found.push('a script ran');
  return { found: [...found, ...new Set(seenHostile.reports)], own, contents };
})()`;

/**
 * Runs in a page without a policy: parses each document in a frame of its own, whose name is its number, and its content
 * again as it is written. Returns the numbers of the documents whose scripts ran.
 */
export const runScript = `async (documents) => {
  ${provoke}
  const frames = await Promise.all(documents.map((text, at) => new Promise((done) => {
    const frame = document.createElement('iframe');
    frame.name = 'input-' + at;
    frame.srcdoc = text;
    frame.onload = () => done(frame);
    document.body.append(frame);
  })));
  const ran = [];
  for (const [at, { contentWindow: view, contentDocument }] of frames.entries()) {
    await provoke(view, contentDocument);
    for (let turn = 0; turn < 2; turn++) {
      const { body } = contentDocument;
      body.innerHTML = body.innerHTML;
      await provoke(view, contentDocument);
    }
    if (view.seenHostile.hits > 0) ran.push(at);
  }
  for (const frame of frames) frame.remove();
  return ran;
}`;
