import type { Event, HtmlExtension, Token } from 'micromark-util-types';
import { pageTexts } from './texts.ts';

type AlertKind = keyof typeof pageTexts.alerts;

const icons: Readonly<Record<AlertKind, string>> = {
  note: 'info',
  tip: 'check',
  important: 'bell',
  warning: 'alert',
  caution: 'fire',
};

/** The alerts of a document: quotes that begin with a line such as `[!NOTE]`. */
interface FoundAlerts {
  readonly kinds: ReadonlyMap<Token, AlertKind>;
  /** The events without these lines. */
  readonly events: Event[];
}

const containers = new Set<string>([
  'blockQuote',
  'gfmFootnoteDefinition',
  'listOrdered',
  'listUnordered',
]);

/** What stands between the start of a quote and its first paragraph. */
const prefixes = new Set<string>([
  'blockQuotePrefix',
  'blockQuoteMarker',
  'blockQuotePrefixWhitespace',
  'content',
  'linePrefix',
]);

/** What the line of an alert consists of. A link or an escaped bracket is something else. */
const plain = new Set<string>(['data', 'lineSuffix', 'hardBreakTrailing', 'whitespace']);

const marker = /^\[!(note|tip|important|warning|caution)\]\s*$/i;

const toKind = (line: string): AlertKind | undefined =>
  marker.exec(line)?.[1]?.toLowerCase() as AlertKind | undefined;

/** The line that makes a quote an alert: from its first event to before its last. */
interface MarkerLine {
  readonly kind: AlertKind;
  readonly from: number;
  readonly to: number;
}

/** Reads the first line of the quote that starts at an index. */
const readMarker = (events: readonly Event[], quote: number): MarkerLine | undefined => {
  let at = quote + 1;
  while (prefixes.has(events[at]?.[1].type ?? '')) at++;
  if (events[at]?.[1].type !== 'paragraph') return undefined;
  const paragraph = at;
  let line = '';
  for (at++; plain.has(events[at]?.[1].type ?? ''); at++) {
    const [kind, token, context] = events[at] as Event;
    if (kind === 'enter' && token.type === 'data') line += context.sliceSerialize(token);
  }
  const kind = toKind(line);
  if (kind === undefined) return undefined;
  const type = events[at]?.[1].type;
  // The rest of the paragraph stays; without a rest, it goes whole.
  if (type === 'lineEnding') return { kind, from: paragraph + 1, to: at + 2 };
  return type === 'paragraph' ? { kind, from: paragraph, to: at + 1 } : undefined;
};

/** Whether a quote has more than its first events. */
const hasMore = (events: readonly Event[], from: number, quote: Token): boolean => {
  for (let at = from; at < events.length; at++) {
    const token = events[at]?.[1];
    if (token === quote) return false;
    if (
      token?.type === 'paragraph' ||
      (token && !prefixes.has(token.type) && !/^lineEnding/.test(token.type))
    )
      return true;
  }
  return false;
};

/** Finds the alerts of a parsed document: GitHub’s are outermost quotes with a text. */
export const findAlerts = (events: readonly Event[]): FoundAlerts => {
  const kinds = new Map<Token, AlertKind>();
  const kept: Event[] = [];
  let depth = 0;
  let copied = 0;
  for (const [index, [kind, token]] of events.entries()) {
    if (!containers.has(token.type)) continue;
    depth += kind === 'enter' ? 1 : -1;
    if (depth !== 1 || kind === 'exit' || token.type !== 'blockQuote') continue;
    const found = readMarker(events, index);
    if (!found || !hasMore(events, found.to, token)) continue;
    kinds.set(token, found.kind);
    for (; copied < found.from; copied++) kept.push(events[copied] as Event);
    copied = found.to;
  }
  for (; copied < events.length; copied++) kept.push(events[copied] as Event);
  return { kinds, events: kept };
};

const open = (kind: AlertKind): string =>
  `<div class="alert ${kind}" role="note"><p class="alert-title"><i class="i-${icons[kind]}"></i>${pageTexts.alerts[kind]}</p>`;

/** Compiles quotes as micromark does, and those that are alerts to boxes with a title. */
export const alertHtml = (kinds: ReadonlyMap<Token, AlertKind>): HtmlExtension => ({
  enter: {
    blockQuote(token) {
      const kind = kinds.get(token);
      this.getData('tightStack')?.push(false);
      this.lineEndingIfNeeded();
      this.tag(kind ? open(kind) : '<blockquote>');
      return undefined;
    },
  },
  exit: {
    blockQuote(token) {
      this.getData('tightStack')?.pop();
      this.lineEndingIfNeeded();
      this.tag(kinds.has(token) ? '</div>' : '</blockquote>');
      this.setData('slurpAllLineEndings');
      return undefined;
    },
  },
});
