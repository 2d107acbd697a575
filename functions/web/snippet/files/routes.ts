import * as z from 'zod';
import {
  negotiate,
  Representation,
  representationHeaders,
} from '../../../../shared/http/content/content-negotiation.ts';
import { countEdgeSeconds, isForEveryone } from '../../../../shared/http/edge.ts';
import { contentTypes } from '../../../../shared/http/http.ts';
import { Reply } from '../../../../shared/http/reply.ts';
import { type FailurePage, route } from '../../../../shared/http/route.ts';
import { getExpiry } from '../../../../shared/input/share-age.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { encodePath } from '../../../../shared/share-files/addresses.ts';
import { canRunScripts } from '../../../../shared/share-files/types.ts';
import { createSharedMemory } from '../../../api/share/reading/admission.ts';
import {
  type AdmittedFiles,
  admitToFiles,
  isFilesToken,
  readFile,
  toAdmittedFiles,
} from '../../../api/share/reading/files.ts';
import { snippetPolicy } from '../isolation.ts';
import { leftPage } from '../left-page.ts';
import { snippetNotice } from '../notice.ts';
import { snippetTexts as texts } from '../texts.ts';
import { destination, destinationHeaders, leadToPage } from '../top-level.ts';
import { toFramedDocument } from './document.ts';
import { findFile } from './find-file.ts';
import { replyWithFile } from './reply.ts';

/** Files of all manifests that a process keeps for what everyone gets. */
const maxFiles = 10_000;

const countFiles = ({ manifest }: AdmittedFiles): number => manifest.files.length;

/** What everyone gets, by what is read next. */
const recall = {
  source: createSharedMemory(maxFiles, countFiles, { next: 'source', isById: true }),
  nothing: createSharedMemory(maxFiles, countFiles, { next: 'nothing', isById: true }),
} as const;

/** Paths that may be those of the main page, whose text is the source of the share. */
const mainPath = /(?:^|\/)$|\.(?:html?|md|markdown)$/i;

/** An opaque origin asks for fonts, modules and data as any other site does, without credentials. */
const forAnyOrigin = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
} as const;

const FileHeaders = z.object({
  ...representationHeaders,
  ...destinationHeaders,
  range: z.string().optional(),
  'if-range': z.string().optional(),
});

interface FileRequest {
  /** The id of a share that everyone can read, or a token. */
  readonly prefix: string;
  /** Decoded. */
  readonly path: string;
  readonly cookies: readonly string[];
  readonly headers: z.output<typeof FileHeaders>;
}

/** @throws AppError NOT_FOUND for an unknown path; as `admitToFiles` */
const findPath = async (request: FileRequest) => {
  const { prefix, path } = request;
  const isByToken = isFilesToken(prefix);
  const isShared = !isByToken && isForEveryone(request);
  const next = mainPath.test(path) ? 'source' : 'nothing';
  const files = isShared
    ? (await recall[next](prefix, toAdmittedFiles)).value
    : await admitToFiles(prefix, next);
  const found = findFile(files.manifest, path);
  if (!found) throw new AppError('NOT_FOUND', 'Not found.');
  const { share, addressId } = files.admitted;
  const base = `/${prefix}/`;
  return {
    ...{ files, found, base, pagePath: `/s/${addressId}` },
    token: isByToken ? prefix : undefined,
    // The page of Markdown has no frame that could show another one.
    hasFrame: share.language === 'html',
    sent: {
      ...(!isByToken && { caches: 'public' as const }),
      varies: [destination],
      edgeSeconds: isShared ? countEdgeSeconds(getExpiry(share)) : 0,
      hidesLength: isByToken,
      headers: {
        ...forAnyOrigin,
        'content-security-policy': snippetPolicy(
          isByToken ? [] : share.embedOrigins,
          `${getSetting('SNIPPETS_URL')}${base}`,
        ),
      },
    },
  };
};

const replyWithPath = async (request: FileRequest): Promise<Reply<string | Uint8Array>> => {
  const { headers } = request;
  const { files, found, base, pagePath, token, hasFrame, sent } = await findPath(request);
  const canRun = 'folder' in found || canRunScripts(found.file.type);
  const page = canRun && hasFrame ? leadToPage(headers, pagePath, token) : undefined;
  if (page) return page;
  if ('folder' in found) {
    const location = `${base}${encodePath(found.folder)}`;
    return new Reply('', { status: 303, headers: { ...forAnyOrigin, location } });
  }
  const { file } = found;
  const isSaved = canRun && headers[destination] === 'document';
  if (isSaved || !file.type.startsWith('text/html')) {
    return replyWithFile(files, file, headers, { ...sent, isSaved });
  }
  const { body, contentType } = toFramedDocument(await readFile(files, file), pagePath);
  return negotiate(body, headers, {
    ...sent,
    headers: { ...sent.headers, 'content-type': contentType },
  });
};

/** Responds to an error: to who shows documents with a page, else with a line, and with a status that scripts can read. */
const replyWithError: FailurePage = ({ status, code, message, prefersHtml }) => {
  if (!prefersHtml) {
    return new Reply(`${message}\n`, {
      status,
      headers: { ...forAnyOrigin, 'content-type': contentTypes.text },
    });
  }
  return code === 'NOT_FOUND'
    ? leftPage(texts.nothingHere)
    : snippetNotice(texts.notInFrame, { status });
};

/** An id, or a token of up to 1 KB. */
const Prefix = z.string().regex(/^[\w-]{1,64}$|^[\w-]+\.[\w-]+\.[\w-]+$/);

/** The files of shares, below the address of their frame (decisions.md#isolation). */
export const fileRoutes = [
  route({
    endpoint: 'GET /{id}/{path+}',
    access: 'public',
    summary: 'Get a file of a share',
    description:
      'The first part is the id of a share that everyone can read any number of times, or the token of its page. A folder returns its `index.html`, and an empty path the main page.',
    params: z.object({ id: Prefix, path: z.string().max(1_000) }),
    headers: FileHeaders,
    produces: 'file',
    output: Representation,
    redirects:
      'Leads to the folder, or a browser that opens a page by itself to that of the share.',
    errors: {
      UNAUTHORIZED: 'The share isn’t open to all, or the token of its page has expired.',
      GONE: 'The share has ended or was taken down.',
      NOT_ACCEPTABLE: 'The page is larger than 4 MB, and the client accepts no compression.',
      UNPROCESSABLE: 'It is the page of a sealed share.',
    },
    failurePage: replyWithError,
    cache: 'for-seconds',
    isForAnyOrigin: true,
    handle: ({ params: { id, path }, headers, cookies }) =>
      replyWithPath({ prefix: id, path, headers, cookies }),
  }),
];
