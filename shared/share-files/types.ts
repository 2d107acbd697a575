/** The media type of files of no known type. It is served as an attachment. */
export const unknownType = 'application/octet-stream';

/** Media types by ending, as they are served. Source code that browsers don’t run is plain text. */
const typeByEnding: Readonly<Record<string, string>> = {
  ...{ html: 'text/html', htm: 'text/html' },
  ...{ css: 'text/css', js: 'text/javascript', mjs: 'text/javascript', wasm: 'application/wasm' },
  ...{ json: 'application/json', map: 'application/json', geojson: 'application/json' },
  ...{ ipynb: 'application/json', webmanifest: 'application/manifest+json' },
  ...{ txt: 'text/plain', md: 'text/plain', markdown: 'text/plain', log: 'text/plain' },
  ...{ xml: 'text/plain', yml: 'text/plain', yaml: 'text/plain', toml: 'text/plain' },
  ...{ csv: 'text/csv', tsv: 'text/plain', vtt: 'text/vtt', ts: 'text/plain', py: 'text/plain' },
  ...{ png: 'image/png', apng: 'image/apng', jpg: 'image/jpeg', jpeg: 'image/jpeg' },
  ...{ gif: 'image/gif', webp: 'image/webp', avif: 'image/avif', svg: 'image/svg+xml' },
  ...{ ico: 'image/x-icon', bmp: 'image/bmp' },
  ...{ woff: 'font/woff', woff2: 'font/woff2', ttf: 'font/ttf', otf: 'font/otf' },
  ...{ mp3: 'audio/mpeg', m4a: 'audio/mp4', oga: 'audio/ogg', ogg: 'audio/ogg' },
  ...{ opus: 'audio/ogg', wav: 'audio/wav', flac: 'audio/flac' },
  ...{ mp4: 'video/mp4', m4v: 'video/mp4', webm: 'video/webm', ogv: 'video/ogg' },
  pdf: 'application/pdf',
};

/** How files begin, in Latin-1, for those whose ending says nothing or names another kind of image. */
const signatures: readonly (readonly [begin: RegExp, type: string])[] = [
  [/^\x89PNG\r\n/, 'image/png'],
  [/^\xff\xd8\xff/, 'image/jpeg'],
  [/^GIF8[79]a/, 'image/gif'],
  [/^RIFF.{4}WEBP/s, 'image/webp'],
  [/^.{4}ftypavi[fs]/s, 'image/avif'],
  [/^%PDF-/, 'application/pdf'],
  [/^wOFF/, 'font/woff'],
  [/^wOF2/, 'font/woff2'],
  [/^.{4}ftyp(isom|iso2|mp4[12]|avc1|M4V )/s, 'video/mp4'],
];

const getEnding = (path: string): string => /\.([^./]+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

const findBySignature = (bytes: Uint8Array): string | undefined => {
  const begin = String.fromCharCode(...bytes.subarray(0, 16));
  return signatures.find(([pattern]) => pattern.test(begin))?.[1];
};

/**
 * Returns the media type that a file is served as, without parameters, by its ending. Its first bytes (16 suffice) decide where the
 * ending is unknown, or where it names another kind of image. All other files are `application/octet-stream`, which is served as
 * an attachment.
 */
export const getFileType = (path: string, firstBytes?: Uint8Array): string => {
  const ending = getEnding(path);
  const named = Object.hasOwn(typeByEnding, ending) ? typeByEnding[ending] : undefined;
  if (named !== undefined && (!named.startsWith('image/') || named === 'image/svg+xml'))
    return named;
  const found = firstBytes && findBySignature(firstBytes);
  if (named === undefined) return found ?? unknownType;
  return found?.startsWith('image/') ? found : named;
};

const textType = /^text\/|^application\/(json|manifest\+json)$|^image\/svg\+xml$/;

/** Returns the `Content-Type` of a media type: with `charset=utf-8` if it is text, because files are stored as UTF-8. */
export const getContentType = (type: string): string =>
  textType.test(type) ? `${type}; charset=utf-8` : type;

/** Whether a file of a media type can run scripts when a browser opens it as a page. */
export const canRunScripts = (type: string): boolean => /^(text\/html|image\/svg\+xml)$/.test(type);

/** Returns the kind of page that a file is by its ending; `undefined` for all other files. */
export const getPageKind = (path: string): 'html' | 'markdown' | undefined => {
  const ending = getEnding(path);
  if (ending === 'html' || ending === 'htm') return 'html';
  return ending === 'md' || ending === 'markdown' ? 'markdown' : undefined;
};
