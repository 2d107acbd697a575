import { createHash } from 'node:crypto';
import { Html } from '../../../shared/text/html.ts';
import inlineStyles from './built/inline-styles.json' with { type: 'json' };

/** A style that is within its page, so that the page asks for one file less. */
export type InlineStyleName = keyof typeof inlineStyles;

/** Returns the source of an inline text in a content security policy. */
export const hashSource = (text: string): string =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

const sources = new Map(
  Object.entries(inlineStyles).map(([name, text]) => [name, hashSource(text)] as const),
);

/** Renders an inline style. */
export const inlineStyle = (name: InlineStyleName): Html =>
  new Html(`<style>${inlineStyles[name]}</style>\n`);

/** Returns the source of an inline style in a content security policy. */
export const inlineStyleSource = (name: InlineStyleName): string => sources.get(name) ?? '';
