/** Replaces an element by its children. */
const unwrap = (element: Element): void => element.replaceWith(...element.childNodes);

const readStyle = (element: Element): string => element.getAttribute('data-style') ?? '';

const getStyle = (element: Element, name: string): string =>
  new RegExp(`(?:^|;)\\s*${name}\\s*:\\s*([^;]+)`, 'i').exec(readStyle(element))?.[1]?.trim() ?? '';

const isBold = (weight: string): boolean => /^bold/.test(weight) || Number(weight) >= 600;

/** Word processors write emphasis as styles. Docs wraps everything in a `b` that isn't bold. */
const readStyles = (body: HTMLElement): void => {
  for (const element of body.querySelectorAll('b, strong, i, em')) {
    const isPlain =
      /^(?:normal|400)$/.test(getStyle(element, 'font-weight')) ||
      getStyle(element, 'font-style') === 'normal';
    if (isPlain) unwrap(element);
  }
  for (const element of body.querySelectorAll('span[data-style], font[data-style]')) {
    const names = [
      isBold(getStyle(element, 'font-weight')) && 'strong',
      getStyle(element, 'font-style') === 'italic' && 'em',
      getStyle(element, 'text-decoration').includes('line-through') && 'del',
    ];
    for (const name of names) {
      if (name === false || element.textContent.trim() === '') continue;
      const emphasis = element.ownerDocument.createElement(name);
      emphasis.append(...element.childNodes);
      element.append(emphasis);
    }
  }
  const bold = 'b,strong';
  const twice = 'em em, em i, i em, i i, del del, s del, del s';
  const pointless = `:is(h1,h2,h3,h4,h5,h6,th,${bold}) :is(${bold}), ${twice}`;
  for (const element of body.querySelectorAll(pointless)) unwrap(element);
};

const emphasized = 'b, strong, i, em, del, s, strike';

/** Markdown's marks stand at words: spaces within them at the edge go outside. */
const moveSpacesOut = (body: HTMLElement): void => {
  for (const element of [...body.querySelectorAll(emphasized)].reverse()) {
    const [first, last] = [element.firstChild, element.lastChild];
    if (first instanceof Text && /^\s/.test(first.data)) {
      first.data = first.data.trimStart();
      element.before(' ');
    }
    if (last instanceof Text && /\s$/.test(last.data)) {
      last.data = last.data.trimEnd();
      element.after(' ');
    }
    if (element.textContent === '' && !element.querySelector('img')) unwrap(element);
  }
};

/** Word's names of paragraphs that mean something. */
const wordParagraphs = { MsoTitle: 'h1', MsoQuote: 'blockquote', MsoIntenseQuote: 'blockquote' };

const renameWordParagraphs = (body: HTMLElement): void => {
  for (const [name, tag] of Object.entries(wordParagraphs)) {
    for (const paragraph of body.querySelectorAll(`p.${name}`)) {
      const element = body.ownerDocument.createElement(tag);
      element.append(...paragraph.childNodes);
      paragraph.replaceWith(element);
    }
  }
};

/** Returns the level in a list of Word’s, from 1; 0 outside lists. */
const readLevel = (element: Element | null): number =>
  element?.localName === 'p'
    ? Number(/mso-list:\s*l\d+\s+level(\d)/.exec(readStyle(element))?.[1] ?? 0)
    : 0;

/** Takes the bullet or number out of a paragraph of Word’s. Returns it. */
const takeMarker = (paragraph: Element): string => {
  const marker = [...paragraph.querySelectorAll('[data-style*="mso-list"]')].find((element) =>
    /mso-list:\s*ignore/i.test(readStyle(element)),
  );
  marker?.remove();
  return marker?.textContent.trim() ?? '';
};

/** Word writes items of lists as paragraphs one after another: this makes lists of them. */
const readWordLists = (body: HTMLElement): void => {
  const { ownerDocument: document } = body;
  for (const first of body.querySelectorAll('p[data-style*="mso-list"]')) {
    if (!first.isConnected || readLevel(first) === 0) continue;
    const host = document.createElement('div');
    first.before(host);
    const open: { readonly level: number; readonly list: Element }[] = [];
    let paragraph: Element | null = first;
    while (paragraph && readLevel(paragraph) > 0) {
      const level = readLevel(paragraph);
      const next: Element | null = paragraph.nextElementSibling;
      const marker = takeMarker(paragraph);
      const tag = /^\(?(?:\d+|[a-z]+)[.)]/i.test(marker) ? 'ol' : 'ul';
      while ((open.at(-1)?.level ?? 0) > level) open.pop();
      if (open.at(-1)?.level === level && open.at(-1)?.list.localName !== tag) open.pop();
      if (open.at(-1)?.level !== level) {
        const list = document.createElement(tag);
        const start = Number.parseInt(marker, 10);
        if (start > 1) list.setAttribute('start', String(start));
        (open.at(-1)?.list.lastElementChild ?? host).append(list);
        open.push({ level, list });
      }
      const item = document.createElement('li');
      item.append(...paragraph.childNodes);
      open.at(-1)?.list.append(item);
      paragraph.remove();
      paragraph = next;
    }
  }
};

/** Docs puts a nested list beside its item, which HTML doesn't allow, and the text of items in paragraphs. */
const nestLists = (body: HTMLElement): void => {
  for (const list of body.querySelectorAll(':is(ul,ol) > :is(ul,ol)')) {
    list.previousElementSibling?.append(list);
  }
  for (const paragraph of body.querySelectorAll('li > p:first-child')) {
    if (paragraph.parentElement?.querySelectorAll(':scope > p').length === 1) unwrap(paragraph);
  }
};

/** Cells of Markdown are one line, and their first row is the head. */
const tidyTables = (body: HTMLElement): void => {
  for (const block of body.querySelectorAll(':is(td,th) :is(p,div,ul,ol,li,br)')) {
    block.after(' ');
    unwrap(block);
  }
  for (const table of body.querySelectorAll('table')) {
    for (const cell of table.querySelectorAll('[colspan], [rowspan]')) {
      // Each spanned cell is written.
      cell.removeAttribute('rowspan');
      if (Number(cell.getAttribute('colspan')) > 50) cell.removeAttribute('colspan');
    }
    if (table.querySelector('th')) continue;
    for (const cell of table.rows[0]?.cells ?? []) {
      const head = body.ownerDocument.createElement('th');
      head.append(...cell.childNodes);
      for (const { name, value } of cell.attributes) head.setAttribute(name, value);
      cell.replaceWith(head);
    }
  }
};

const removeEmpty = (body: HTMLElement): void => {
  for (const paragraph of body.querySelectorAll('p')) {
    if (paragraph.textContent.trim() === '' && !paragraph.querySelector('img')) paragraph.remove();
  }
  // Docs parts blocks by them.
  for (const line of body.querySelectorAll(':is(ul,ol,p,table,div,h1,h2,h3,h4,h5,h6) + br')) {
    line.remove();
  }
};

const canFollow = (address: string | null): boolean =>
  /^(?:https?:\/\/|mailto:|tel:)/i.test(address?.trim() ?? '');

/** Keeps links and images that lead somewhere from any page. Of others, it keeps the text. */
const keepAddresses = (body: HTMLElement): void => {
  for (const image of body.querySelectorAll('img')) {
    if (!/^https?:\/\//i.test(image.getAttribute('src') ?? '')) image.replaceWith(image.alt);
  }
  for (const link of body.querySelectorAll('a')) {
    const isEmpty = link.textContent.trim() === '' && !link.querySelector('img');
    if (isEmpty || !canFollow(link.getAttribute('href'))) unwrap(link);
  }
};

/** GitHub names the language of code on the element around it. */
const nameLanguages = (body: HTMLElement): void => {
  for (const code of body.querySelectorAll('[class*="highlight-source-"] > pre')) {
    const name = /highlight-source-([\w-]+)/.exec(code.parentElement?.className ?? '')?.[1];
    const inner = body.ownerDocument.createElement('code');
    inner.className = `language-${name}`;
    inner.append(...code.childNodes);
    code.append(inner);
  }
};

/** Makes the HTML of Word, Docs and GitHub in a clipboard say by elements what it says by styles and classes. */
export const tidy = (body: HTMLElement): void => {
  for (const element of body.querySelectorAll('noscript, iframe, br.Apple-interchange-newline')) {
    element.remove();
  }
  for (const element of body.querySelectorAll('o\\:p')) unwrap(element);
  removeEmpty(body);
  tidyTables(body);
  renameWordParagraphs(body);
  readWordLists(body);
  readStyles(body);
  moveSpacesOut(body);
  nestLists(body);
  keepAddresses(body);
  nameLanguages(body);
};
