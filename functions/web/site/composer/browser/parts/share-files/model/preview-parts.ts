import type { ReferenceKind } from '../../../../../../../../shared/share-files/reference.ts';
import { getPageKind } from '../../../../../../../../shared/share-files/types.ts';
import type { Target } from './moves.ts';

/** A reference of a text, and what it is for. */
export interface PreviewTarget extends Target {
  readonly kind: ReferenceKind;
}

/** A text of the share, with all that it refers to. */
export interface PreviewText {
  readonly path: string;
  readonly type: string;
  readonly text: string;
  readonly targets: readonly PreviewTarget[];
}

/** A file as the frame gets it: its bytes, or a text with marks. */
export interface PreviewPart {
  readonly path: string;
  readonly type: string;
  readonly text?: string;
}

/** A page as the frame of the preview gets it. In texts, marks stand for the addresses of files, which only the frame can make. */
export interface PreviewPage {
  /** The path of the page. */
  readonly path: string;
  readonly html: string;
  /** All files that it may load; each after those that its text refers to, where that is possible. */
  readonly parts: readonly PreviewPart[];
  /** Begins each mark; the number of the part and `.` follow. */
  readonly mark: string;
  /** Begins the names by which modules import each other; the path follows. */
  readonly modules: string;
}

/** The name of a module, by which others import it: an import map in the page says where it is. */
const moduleName = 'share-file/';

const scriptType = 'text/javascript';

const metaUrl = /\bimport\.meta\.url\b/g;

/** Returns a path as a part of a module’s name. */
const toName = (path: string): string => encodeURI(path).replaceAll("'", '%27');

/** Returns an address that stands for the place of a file, which the frame of the preview knows. */
export const toPlace = (path: string): string =>
  `https://share-file.invalid/${path.split('/').map(encodeURIComponent).join('/')}`.replace(
    /[()]/g,
    (bracket) => (bracket === '(' ? '%28' : '%29'),
  );

const escapeText = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);

/** What stands in the place of an image: a dashed box with a word. */
export const drawPlaceholder = (label: string): string => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="160" height="104"><rect x=".5" y=".5" width="159" height="103" rx="6" fill="#f6f6f4" stroke="#c9c7c0" stroke-dasharray="3 3"/><text x="80" y="56" font-family="Inter,system-ui,sans-serif" font-size="12" fill="#6b6a70" text-anchor="middle">${escapeText(label)}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};

/** What stands in the place of other files that are missing, so that nothing is asked for at the host of the frame. */
const emptyOf: Partial<Readonly<Record<ReferenceKind, string>>> = {
  script: 'data:text/javascript,',
  style: 'data:text/css,',
};

/** Whether a reference is loaded by its address: links are followed, and modules import each other by name. */
const isLoaded = (kind: ReferenceKind): boolean => !/^(link|import|literal)$/.test(kind);

/** Sorts texts so that each comes after those that it refers to. Those that refer to each other keep their order. */
const sortTexts = (texts: ReadonlyMap<string, PreviewText>): readonly PreviewText[] => {
  const sorted = new Set<PreviewText>();
  const seen = new Set<string>();
  const visit = (path: string): void => {
    const text = texts.get(path);
    if (!text || seen.has(path)) return;
    seen.add(path);
    for (const { path: next, kind } of text.targets) if (isLoaded(kind)) visit(next);
    sorted.add(text);
  };
  for (const path of texts.keys()) visit(path);
  return [...sorted];
};

interface PreviewInput {
  /** The path of the page. */
  readonly page: string;
  readonly texts: readonly PreviewText[];
  /** All files, with their media types. */
  readonly files: readonly { readonly path: string; readonly type: string }[];
  /** The paths of files whose bytes aren’t here yet. */
  readonly absent: ReadonlySet<string>;
  readonly labels: { readonly missing: string; readonly loading: string };
  /** Not in any text. */
  readonly nonce: string;
}

/**
 * Prepares a page for the frame of the preview. Links between pages stay as they are written: the frame asks for the page.
 */
export const toPreviewPage = (input: PreviewInput): PreviewPage => {
  const { page, files, absent, labels, nonce } = input;
  const byPath = new Map(input.texts.map((text) => [text.path, text]));
  const linked = new Map([...byPath].filter(([path]) => path !== page));
  const texts = sortTexts(linked);
  const bytes = files.filter(({ path }) => path !== page && !byPath.has(path));
  const order = [
    ...bytes.filter(({ path }) => !absent.has(path)),
    ...texts.filter(({ path }) => getPageKind(path) === undefined),
    ...texts.filter(({ path }) => getPageKind(path) !== undefined),
  ];
  const mark = `mark-${nonce}-`;
  const positions = new Map(order.map(({ path }, at) => [path, at]));

  /** Returns what takes the place of a reference in the part at `before`; `undefined` if it stays. */
  const replace = (
    { path, kind, start }: PreviewTarget,
    text: string,
    before: number,
  ): string | undefined => {
    const at = positions.get(path);
    if (kind === 'import') {
      const isScript = at !== undefined && order[at]?.type === scriptType;
      const isAddress = /\bnew URL\(\s*["'`]$/.test(text.slice(Math.max(0, start - 20), start));
      return isScript && !isAddress ? moduleName + toName(path) : undefined;
    }
    if (!isLoaded(kind)) return undefined;
    if (at !== undefined && at < before) return `${mark}${at}.`;
    if (at !== undefined || kind !== 'image') return emptyOf[kind] ?? 'data:,';
    return drawPlaceholder(absent.has(path) ? labels.loading : labels.missing);
  };

  const link = ({ text, targets }: PreviewText, before: number): string => {
    let [written, from] = ['', 0];
    for (const target of targets) {
      const replacement = replace(target, text, before);
      if (replacement === undefined) continue;
      written += text.slice(from, target.start) + replacement;
      from = target.end;
    }
    return written + text.slice(from);
  };

  const parts = order.map((one, at): PreviewPart => {
    const { path, type } = one;
    const source = byPath.get(path);
    if (!source) return { path, type };
    const text = link(source, at);
    // A script that is a blob has no place of its own.
    const place = JSON.stringify(toPlace(path));
    return { path, type, text: type === scriptType ? text.replace(metaUrl, place) : text };
  });
  const shown = byPath.get(page);
  return {
    path: page,
    html: shown ? link(shown, order.length) : '',
    parts,
    mark,
    modules: moduleName,
  };
};
