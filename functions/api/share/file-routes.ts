import * as z from 'zod';
import { route } from '../../../shared/http/route.ts';
import { getFileType } from '../../../shared/share-files/types.ts';
import {
  assertCanEdit,
  getVersion,
  notForModerators,
  toSummaryResponse,
} from './changing/edit-check.ts';
import { FileInput, FileParams, toBytes } from './changing/put-file.ts';
import { admitEditor, type ReadableShare } from './reading/admission.ts';
import { exampleFile, exampleMissing, ShownFiles, toShownFile } from './requests/file-fields.ts';
import { creationLimits } from './requests/limits.ts';
import { ShareId } from './requests/request-fields.ts';
import { exampleShare, ShareSummary, UpdatedShare } from './requests/schemas.ts';

const { id, version, url, fileTotals } = ShareSummary.shape;

/** The files of a share, by themselves. */
const FileList = z
  .object({
    id,
    version,
    main: z.string().meta({ description: 'The path of the main page, which readers see first.' }),
    files: ShownFiles.meta({ description: 'Its files by their paths, the main page too.' }),
  })
  .meta({
    id: 'ShareFileList',
    examples: [{ id: exampleShare.id, version: 1, main: exampleFile.path, files: [exampleFile] }],
  });

const examplePut = {
  ...{ id: exampleShare.id, version: 2, url: exampleShare.url, path: exampleFile.path },
  ...{ fileTotals: { count: 3, bytes: 48_120 }, message: 'Saved' },
};

/** What is told of a file that was put. */
const PutFile = z
  .object({
    id,
    version,
    url,
    path: z.string().meta({ description: 'The path of the file.' }),
    fileTotals,
    message: z.string(),
    missing: UpdatedShare.shape.missing,
  })
  .meta({
    id: 'PutShareFile',
    examples: [examplePut, { ...examplePut, missing: [exampleMissing] }],
  });

/** Returns the files of a share, and which one is its page. That of a text alone is its only file. */
const readFiles = async (
  found: ReadableShare,
): Promise<Pick<z.output<typeof FileList>, 'main' | 'files'>> => {
  const manifest = await found.readManifest();
  if (manifest) return { main: manifest.main, files: manifest.files.map(toShownFile) };
  const { listFiles } = await import('./changing/chosen-files.ts');
  const { language } = found.share;
  const source = await found.readSent();
  const files = listFiles({ source, language, manifest, isOnly: false });
  const shown = files.map((file) => toShownFile({ ...file, type: getFileType(file.path) }));
  return { main: shown[0]?.path ?? '', files: shown };
};

/** Single files of a share (decisions.md#files-of-a-share). */
export const fileRoutes = [
  route({
    endpoint: 'GET /api/share/{id}/files',
    access: 'signed-in',
    scope: 'shares:view',
    summary: 'List files of a share',
    description:
      'Lists the files of your share by their paths, with the main page. A share that is a text alone has one file, its page.',
    params: ShareId,
    output: FileList,
    errors: { FORBIDDEN: notForModerators, GONE: 'The content of the share is deleted.' },
    tools: [
      {
        name: 'share_files',
        title: 'List files of a share',
        description:
          'Lists the files of a share of the person, with its main page and `version`. Use it before share_file_put.',
        hints: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
        showsContent: true,
      },
    ],
    versionOf: (list) => list.version,
    handle: async ({ actor, params }) => {
      const found = await admitEditor(params.id, assertCanEdit(actor, undefined));
      const { share } = found;
      return { id: share.id, version: getVersion(actor, share), ...(await readFiles(found)) };
    },
  }),
  route({
    endpoint: 'PUT /api/share/{id}/files/{path+}',
    access: 'signed-in',
    scope: 'shares:update',
    summary: 'Update a file of a share',
    description:
      'Adds a file, or replaces the one of this path, and keeps the others. A share that is a text alone gets its page as a file: `index.html` or `index.md`. The main page stays the one it was. Only its owner, or a user with `shares:manage`, can do this.',
    params: FileParams,
    body: FileInput,
    output: PutFile,
    errors: {
      PAYLOAD_TOO_LARGE:
        'The file, or all files together, exceed a limit or your quota, or the page is too large when it is rendered.',
      UNPROCESSABLE: 'The Markdown takes more than 3 s of CPU time to convert.',
      CONFLICT: 'Files of the share are no longer stored.',
      GONE: 'The share has ended or was taken down.',
      FORBIDDEN: `${notForModerators} Or the share exceeds the ceiling of the API token.`,
    },
    limits: creationLimits,
    tools: [
      {
        name: 'share_file_put',
        title: 'Put a file of a share',
        description:
          'Adds one file to a share, or replaces the one of this path; the other files stay. To publish a folder, create the share with its page first, then put each style, script and picture by the path that the page refers to. `missing` lists what pages refer to and the share doesn’t have.',
        hints: {
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: true,
          openWorldHint: false,
        },
        outputs: ['id', 'url', 'path', 'version', 'fileTotals', 'missing'],
      },
    ],
    auditAction: 'share.update',
    versionOf: (put) => put.version,
    handle: async ({ actor, params, body, recorder, ifMatch }) => {
      const { path } = params;
      const { change } = await import('./changing/update.ts');
      const { found, missing } = await change(
        params.id,
        async () => ({ files: { put: { path, bytes: toBytes(body) } }, useRandomPassword: false }),
        assertCanEdit(actor, ifMatch),
        recorder,
        actor,
      );
      return {
        ...toSummaryResponse(actor, found),
        ...{ path, message: 'Saved' },
        ...(missing.length > 0 && { missing: [...missing] }),
      };
    },
  }),
];
