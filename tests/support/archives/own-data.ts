import { createHash } from 'node:crypto';
import { addFrontMatter } from '../../../shared/exports/archive-front-matter.ts';
import { zipFiles } from './zip.ts';

type Fields = Readonly<Record<string, unknown>>;
type Files = Readonly<Record<string, string | Uint8Array>>;

const toJson = (value: unknown): string => JSON.stringify(value);

/** What says that an archive is one. */
export const manifest = { 'handbill.json': toJson({ format: 'handbill-export', version: 1 }) };

/** A share of an archive, as a text by default. */
export const archivedShare = (
  name: string,
  fields: Fields = {},
  content: string | undefined = `# ${name}`,
): Files => ({
  [`shares/${name}/share.json`]: toJson({
    ...{ id: name, language: 'markdown', title: name, titleIsGiven: true, audience: 'link' },
    ...{ protected: false, status: 'active', viewsLeft: null, slug: null, description: null },
    ...{ expiresAt: null, embedOrigins: [], createdAt: '2026-11-21T12:00:00.000Z' },
    ...{ content: 'content.md', revisions: [] },
    ...fields,
  }),
  ...(content !== undefined && { [`shares/${name}/content.md`]: content }),
});

const hash = (content: string | Uint8Array): string =>
  createHash('sha256').update(content).digest('hex');

/** A share of an archive with files. */
export const archivedSite = (
  name: string,
  main: string,
  files: Files,
  fields: Fields = {},
): Files => ({
  ...archivedShare(
    name,
    {
      ...{ language: 'html', content: null, main },
      files: Object.entries(files).map(([path, content]) => ({ path, sha256: hash(content) })),
      ...fields,
    },
    undefined,
  ),
  ...Object.fromEntries(
    Object.entries(files).map(([path, content]) => [`shares/${name}/files/${path}`, content]),
  ),
});

/** A document of an archive. */
export const archivedDocument = (
  id: number,
  title: string,
  text: string,
  fields: Fields = {},
): Files => ({
  [`documents/${id}-${title}.md`]: addFrontMatter(
    {
      ...{ title, type: 'text', folder: null, tags: [], visibility: 'private' },
      ...{ everyoneRole: 'reader', sharedWith: [], id },
      ...fields,
    },
    text,
  ),
});

interface ArchivedFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly folder?: string;
  readonly fields?: Fields;
}

/** The files of an archive with their list. */
export const archivedFiles = (
  folders: readonly string[],
  files: readonly ArchivedFile[],
): Files => {
  const listed = files.map(({ name, content, folder = null, fields }, at) => ({
    ...{ path: `files/${at}`, name, folder, size: Buffer.byteLength(content) },
    ...{ checksum: hash(content), isFavorite: false, visibility: 'private', sharedWith: [] },
    ...fields,
  }));
  return {
    ...Object.fromEntries(files.map(({ content }, at) => [`files/${at}`, content])),
    'files.json': toJson({ folders, files: listed }),
  };
};

/** An event of an archive. */
export const archivedEvent = (title: string, fields: Fields = {}): Fields => ({
  ...{ title, description: null, type: 'meeting', color: null, location: null, rrule: null },
  ...{ start: '2026-11-23T09:00:00.000Z', end: '2026-11-23T10:00:00.000Z', allDay: false },
  ...{ timezone: 'Europe/Berlin', priority: 'medium', status: 'pending', reminders: [] },
  ...{ exdates: [], overrides: [], attendees: [], answers: [], owner: null },
  ...fields,
});

/** The calendar of an archive. */
export const archivedCalendar = (...events: readonly Fields[]): Files => ({
  'calendar.json': toJson(events),
});

/** Writes an archive of own data. */
export const createOwnData = (...parts: readonly Files[]): Buffer =>
  zipFiles(Object.assign({}, manifest, ...parts));
