/** Longer names are cut; file systems take 255 bytes. Code points. */
const longest = 60;

/** Names of devices, which Windows takes for no file. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** A title as the name of a file on any system: no path, nothing hidden, nothing that can't be seen. */
const getStem = (title: string): string => {
  const visible = title.normalize('NFC').replace(/[\p{C}\p{Z}\\/:*?"<>|]+/gu, ' ');
  const cut = [...visible.replace(/^[\s.]+/, '')].slice(0, longest).join('');
  return cut.replace(/[\s.]+$/, '').replace(reserved, '_$&');
};

/** For clients that know only ASCII. A per cent sign would make some of them decode it. */
const toAscii = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]|[%"\\]/g, '_');

const encode = (name: string): string =>
  encodeURIComponent(name).replace(/['()*]/g, (c) => `%${c.charCodeAt(0).toString(16)}`);

/** The name of the file that a text is saved as; `extension` without a dot. */
export const fileName = (title: string | undefined, extension: string): string =>
  `${getStem(title ?? '') || 'snippet'}.${extension}`;

/** The `Content-Disposition` that has a browser save what it gets under that name (RFC 6266). */
export const attachment = (name: string): string =>
  `attachment; filename="${toAscii(name)}"; filename*=UTF-8''${encode(name)}`;
