import { frameTexts as texts } from './texts.ts';

// The frame's content is untrusted.
const maxEntries = 30;
const maxLines = 8;
const maxLineLength = 120;
const maxDetailLength = 40;

const kinds = new Map<string | undefined, string>(Object.entries(texts.blockedKinds));

/** Names the kind of a request by a directive such as `img-src` or `script-src-elem`. */
const getKind = (directive: string): string =>
  kinds.get(directive.match(/^[a-z]+/)?.[0]) ?? texts.blockedKinds.other;

const toLine = (entry: unknown): string => {
  const [directive, url] = Array.isArray(entry) ? entry : [];
  return `${getKind(String(directive))}: ${url}`.slice(0, maxLineLength);
};

const toEntries = (blocked: unknown): readonly unknown[] =>
  Array.isArray(blocked) ? blocked.slice(0, maxEntries) : [];

/** What each note of a frame says. Those of what a reader has just done come first, the newest of them before others. */
const sayings = new Map<string, (detail: string) => string>([
  ['link', texts.deadLink],
  ['form', () => texts.formStopped],
]);
const lasting = new Map<string, (detail: string) => string>([
  ['storage', () => texts.keptForView],
  ['unavailable', () => texts.unavailable],
]);

/** Says what a snippet tried, as its frame reports it. The notes may be anything. */
const toSummary = (blocked: readonly unknown[], notes: unknown): string => {
  const tried = Object.entries(notes ?? {}).reverse();
  const said = [sayings, lasting].flatMap((some) =>
    tried.map(([note, detail]) => some.get(note)?.(String(detail).slice(0, maxDetailLength))),
  );
  return [...said, blocked.length > 0 && texts.blocked(blocked.length)].filter(Boolean).join(' · ');
};

/** Shows above a frame what its snippet tried in vain: one quiet notice for everything. */
export const showNotes = (
  notice: Element,
  report: { blocked?: unknown; notes?: unknown },
): void => {
  const blocked = toEntries(report.blocked);
  const summary = toSummary(blocked, report.notes);
  if (!summary) return;
  notice.removeAttribute('hidden');
  const place = notice.querySelector('summary span');
  if (place) place.textContent = summary;
  notice.querySelector('ul')?.replaceChildren(
    ...[...new Set(blocked.map(toLine))].slice(0, maxLines).map((line) => {
      const item = document.createElement('li');
      item.textContent = line;
      return item;
    }),
  );
};
