import { onExchange } from './live/exchanges.ts';

const address = /^#((?:file\d+-)?L)(\d+)(?:-L(\d+))?$/;

/** Lines of a file that an address names. */
interface Lines {
  readonly prefix: string;
  readonly first: number;
  readonly last: number;
}

const readLines = (hash: string): Lines | undefined => {
  const [, prefix, from, to = from] = address.exec(hash) ?? [];
  if (prefix === undefined) return undefined;
  const [first = 0, last = 0] = [Number(from), Number(to)].sort((a, b) => a - b);
  return { prefix, first, last };
};

const writeLines = ({ prefix, first, last }: Lines): string =>
  `#${prefix}${first}${last > first ? `-L${last}` : ''}`;

/** Marks the lines that the address names. Returns the first of them. */
const mark = (root: Element): Element | undefined => {
  for (const line of root.querySelectorAll('b.marked')) line.className = '';
  const lines = readLines(location.hash);
  if (!lines) return undefined;
  const first = document.getElementById(`${lines.prefix}${lines.first}`);
  // Lines that aren't there aren't counted up to.
  for (let number = lines.first; number <= lines.last; number++) {
    const line = document.getElementById(`${lines.prefix}${number}`);
    if (!line) break;
    line.className = 'marked';
  }
  return first ?? undefined;
};

/** Makes the numbers of lines links: pressed, the address leads to the line, with Shift to all from the one before. */
export const followLines = (root: HTMLElement): void => {
  const show = () => mark(root)?.scrollIntoView({ block: 'center' });
  addEventListener('hashchange', show);
  if (location.hash.includes('-L')) show();
  else mark(root);
  onExchange(() => mark(root));
  root.addEventListener('click', ({ target, shiftKey }) => {
    const pressed =
      target instanceof HTMLElement && target.localName === 'b'
        ? readLines(`#${target.id}`)
        : undefined;
    if (!pressed) return;
    const before = shiftKey ? readLines(location.hash) : undefined;
    const isSameFile = before?.prefix === pressed.prefix;
    const numbers = isSameFile ? [before.first, pressed.first] : [pressed.first];
    const lines = {
      prefix: pressed.prefix,
      first: Math.min(...numbers),
      last: Math.max(...numbers),
    };
    history.replaceState(history.state, '', writeLines(lines));
    mark(root);
  });
};
