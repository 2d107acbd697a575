import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { icons, pageIcons } from '../../functions/web/layout/icons.ts';

const folder = join(
  dirname(createRequire(import.meta.url).resolve('lucide-static/package.json')),
  'icons',
);

const number = '(-?(?:\\d+\\.?\\d*|\\.\\d+))[ ,]*';
const numbers = new RegExp(number, 'g');
/** The two flags of an arc may stand without spaces. */
const arcs = new RegExp(`${number.repeat(3)}([01])[ ,]*([01])[ ,]*${number.repeat(2)}`, 'g');

/** Writes numbers to tenths: an icon is 24 wide and shown at 16 to 20 pixels. */
const shorten = (values: readonly string[]): string =>
  values
    .map((value) => String(Number(Number(value).toFixed(1))).replace(/^(-?)0\./, '$1.'))
    .join(' ')
    .replaceAll(' -', '-');

/** Shortens a path. It starts at an absolute point, so that it can follow another. */
const shortenPath = (path: string): string =>
  [...path.matchAll(/([a-z])([^a-z]*)/gi)]
    .map(([, command = '', parameters = ''], at) => {
      if (/a/i.test(command)) {
        const all = [...parameters.matchAll(arcs)].flatMap(([, ...values]) => values);
        return command + shorten(all);
      }
      const values = [...parameters.matchAll(numbers)].map(([, value = '']) => value);
      if (at > 0 || command === 'M') return command + shorten(values);
      const lines = values.slice(2);
      return `M${shorten(values.slice(0, 2))}${lines.length > 0 ? `l${shorten(lines)}` : ''}`;
    })
    .join('');

/** Reads the shapes of an icon, all its paths as one. */
const readShapes = (name: string): string => {
  const svg = readFileSync(join(folder, `${name}.svg`), 'utf8');
  const paths = [...svg.matchAll(/<path d="([^"]+)" \/>/g)].map(([, path = '']) => path);
  const others = [...svg.matchAll(/<(?:circle|rect|line|ellipse|poly)[^>]*>/g)].map(([shape]) =>
    shape
      .replace(' />', '/>')
      .replace(/ ry="\d+"/, '')
      .replaceAll('"', "'"),
  );
  const joined = paths.map(shortenPath).join('');
  return `${others.join('')}${joined && `<path d='${joined}'/>`}`;
};

const strokes =
  "fill='none' stroke='%23000' stroke-width='1.75' stroke-linecap='round' stroke-linejoin='round'";

const findFile = (name: string): string => {
  const file = new Map<string, string>(Object.entries(icons)).get(name);
  if (file === undefined) throw new Error(`There is no icon ${name}`);
  return file;
};

/** Renders one SVG with icons below one another. `toRule` makes the rule that sets it. */
const renderSheet = (names: readonly string[], toRule: (declaration: string) => string): string => {
  const height = names.length * 24;
  const shapes = names.map((name, at) => `<svg y='${at * 24}'>${readShapes(findFile(name))}</svg>`);
  const svg = `<svg xmlns='http://www.w3.org/2000/svg' width='24' height='${height}' viewBox='0 0 24 ${height}' ${strokes}>${shapes.join('')}</svg>`;
  const classes = names.map((name, at) => `.i-${name}{--n:${at}}`);
  const sheet = toRule(`{--sheet:url("data:image/svg+xml,${svg}")}`);
  return ['/*! lucide, ISC */', sheet, ...classes].join('\n');
};

const shared = Object.keys(icons).filter(
  (name) => !(pageIcons as readonly string[]).includes(name),
);

/** Renders icons, by default those of all pages, and a class for each. */
export const renderIcons = (names: readonly string[] = shared): string =>
  renderSheet(names, (declaration) => `:root${declaration}`);

/** Renders icons for a page that has those of all pages, too. */
export const renderPageIcons = (names: readonly string[]): string =>
  renderSheet(names, (declaration) => `${names.map((name) => `.i-${name}`).join()}${declaration}`);
