import type * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { route } from '../../../shared/http/route.ts';
import { getExpiry, getMaxShareSeconds } from '../../../shared/input/share-age.ts';
import { can } from '../../../shared/permissions/permissions.ts';
import {
  ContentHeaders,
  completeBody,
  otherBodies,
  ShareOptions,
} from './changing/content-body.ts';
import { assertCanEdit, notForModerators, toSummaryResponse } from './changing/edit-check.ts';
import { ShareChangeInput, ShareInput, toNewShare, toShareChange } from './changing/input.ts';
import { endRoutes } from './end-routes.ts';
import { exportRoutes } from './export-route.ts';
import { fileRoutes } from './file-routes.ts';
import { linkRoutes } from './links/routes.ts';
import { toManagedFields } from './moderation/managed-share.ts';
import { moderationRoutes } from './moderation/routes.ts';
import { readRoutes } from './read-routes.ts';
import type { ReadableShare } from './reading/admission.ts';
import { loadShare } from './reading/load.ts';
import { receiptRoutes } from './receipts/routes.ts';
import { receivedRoutes } from './received/routes.ts';
import { getAudience } from './record/audience.ts';
import { parseSubjectId } from './record/audit.ts';
import { getUrl, type StoredShare } from './record/share.ts';
import { changeLimits, creationLimits } from './requests/limits.ts';
import { readReaderList } from './requests/reader-list.ts';
import { ShareId } from './requests/request-fields.ts';
import {
  CreatedShare,
  DeletedShare,
  type ShareSummary,
  showFiles,
  UpdatedShare,
} from './requests/schemas.ts';
import { revisionRoutes } from './revisions/routes.ts';
import { createTools, updateTools } from './tools.ts';
import { uploadRoutes } from './upload-routes.ts';

const toCreated = (share: StoredShare) => ({
  id: share.id,
  language: share.language,
  message: 'Shared',
  url: getUrl(share.slug ?? share.id),
  audience: getAudience(share),
  ...(getMaxShareSeconds() !== undefined && { expiresAt: getExpiry(share) }),
});

const contentErrors = {
  PAYLOAD_TOO_LARGE:
    'HTML exceeds 16 MB of text or 4 MB of gzip, Markdown exceeds 512 KB, the rendered HTML exceeds 4 MB, or files exceed a limit or your quota. Or the request is too large for the gateway, which answers `{"message":"Request Entity Too Large"}`: it takes some 5 MB of JSON or text and 4 MB of a form. Send larger HTML by `POST /api/share/uploads`.',
  UNPROCESSABLE:
    'The Markdown takes more than 3 s of CPU time to convert, or the settings don’t allow the audience or such a late end. Or it is not for a sealed share, or the content isn’t sealed.',
} as const;

const conflicts =
  'The `slug` is taken or reserved: `details` proposes two free ones. Or files of the `upload` are missing: `details` names them.';

/** Fields for moderators that take further reads. */
const namedFields = ['ownerName', 'reportList', 'decisions'];

/** Reads the fields for moderators that take further reads. */
const readFields = async (share: StoredShare) =>
  (await import('./moderation/detail.ts')).readNamed(share);

/** Returns a share as the actor has read it, with the content and reports if the body contains them. */
const toShareResponse = async (
  actor: Actor,
  current: ReadableShare,
  body: object,
): Promise<z.output<typeof ShareSummary>> => {
  const { share } = current;
  const isManager = can(actor.permissions, 'shares:manage');
  return {
    ...toSummaryResponse(actor, current),
    ...('readerList' in body && { readerList: await readReaderList(actor, share) }),
    ...('content' in body && { content: await current.readSent() }),
    // An address with a token, which is another one by now.
    ...('filesUrl' in body && { filesUrl: body.filesUrl }),
    ...(('files' in body || 'main' in body) && showFiles(share, await current.readManifest())),
    ...('html' in body &&
      share.language === 'markdown' && {
        html: await current.readText('html'),
      }),
    ...(isManager && toManagedFields(share)),
    ...(isManager && namedFields.some((field) => field in body) && (await readFields(share))),
  };
};

/** What changes shares is loaded with the first change: the start of the function is what readers wait for. */
export const routes = [
  route({
    endpoint: 'POST /api/share',
    access: 'signed-in',
    scope: 'shares:create',
    summary: 'Create a share',
    description:
      'Publishes an HTML or Markdown snippet as a page. A generated password is shown only once. HTML can be up to 16 MB of text and 4 MB of gzip, Markdown up to 512 KB. What a request doesn’t take, some 5 MB of JSON, is sent by `POST /api/share/uploads`. A block of code with a title, such as one that starts with ` ```ts title="app.ts" `, is a file: it has line numbers, and its exact text is at `/s/{id}/raw?file=app.ts`. With a bearer token, the body can also be the content alone, as `text/markdown`, `text/html`, `text/plain` or `text/csv`, a picture as `image/png` or of another type, a PDF, a form with a `file`, or a ZIP archive as `application/zip`; then options are in the query. Plain text and files of other kinds are shown as lines, CSV and JSON also as a table and a tree, and pictures by themselves. A form with several `file` parts, an archive or an `upload` makes a share with files: up to 200, 25 MB in all and 4 MB each, of which a request takes 4 MB. With `file`, one of your stored files is shared. References to the root (`/assets/x`) in HTML and CSS are made relative; `missing` lists what isn’t there. With `Accept: text/plain`, the response is the URL and, on a second line, the generated password.',
    status: 201,
    query: ShareOptions,
    headers: ContentHeaders,
    body: ShareInput,
    otherBodies,
    completeBody,
    output: CreatedShare,
    toText: ({ url, password }) =>
      [url, password, ''].filter((line) => line !== undefined).join('\n'),
    errors: {
      ...contentErrors,
      CONFLICT: conflicts,
      NOT_FOUND: 'The `upload` or the `file` isn’t one of yours.',
    },
    limits: creationLimits,
    tools: createTools,
    auditAction: 'share.create',
    idempotency: {
      withoutFields: ['password'],
      replay: async (_, subject) => toCreated((await loadShare(parseSubjectId(subject))).share),
    },
    handle: async ({ actor, body, recorder, readAs }) => {
      const { create } = await import('./changing/create.ts');
      const created = await create(actor, toNewShare(body), recorder);
      return {
        ...toCreated(created.share),
        password: created.generatedPassword,
        readAs: readAs ?? created.readAs,
        ...(created.missing.length > 0 && { missing: [...created.missing] }),
      };
    },
  }),
  ...readRoutes,
  route({
    endpoint: 'PUT /api/share/{id}',
    access: 'signed-in',
    scope: 'shares:update',
    summary: 'Update a share',
    description:
      'Changes only the fields you send; `null` clears a field. Only its owner, or a user with `shares:manage`, can do this. A share that has ended can’t be changed. `files` replaces all files: each is named by the SHA-256 of bytes that the share or the `upload` has, and what is left out is kept for revisions only.',
    params: ShareId,
    body: ShareChangeInput,
    output: UpdatedShare,
    errors: {
      ...contentErrors,
      CONFLICT: conflicts,
      VALIDATION_ERROR:
        'A field is invalid; for example, `viewLimit` does not exceed the current views. `details` names each one.',
      GONE: 'The share has ended or was taken down.',
      FORBIDDEN: `${notForModerators} Or the result exceeds the ceiling of the API token.`,
    },
    limits: changeLimits(),
    tools: updateTools,
    auditAction: 'share.update',
    versionOf: ({ version }) => version,
    handle: async ({ actor, params, body, recorder, ifMatch }) => {
      const { change } = await import('./changing/update.ts');
      const { found, generatedPassword, missing } = await change(
        params.id,
        async (current) => toShareChange(body, await toShareResponse(actor, current, body)),
        assertCanEdit(actor, ifMatch),
        recorder,
        actor,
      );
      const readerList = await readReaderList(actor, found.share);
      return {
        ...toSummaryResponse(actor, found),
        readerList,
        message: 'Saved',
        password: generatedPassword,
        ...(missing.length > 0 && { missing: [...missing] }),
      };
    },
  }),
  ...endRoutes,
  route({
    endpoint: 'DELETE /api/share/{id}',
    access: 'signed-in',
    scope: 'shares:delete',
    summary: 'Delete a share',
    description: 'Deletes the share with its content. Its page responds with 404 from now on.',
    params: ShareId,
    output: DeletedShare,
    errors: { FORBIDDEN: notForModerators },
    auditAction: 'share.delete',
    versionOf: () => undefined,
    handle: async ({ actor, params, recorder, ifMatch }) => {
      const by = { user: actor.user, recorder };
      const { deleteShare } = await import('./ending/delete.ts');
      await deleteShare(params.id, assertCanEdit(actor, ifMatch), by);
      return { id: params.id, message: 'Deleted' };
    },
  }),
  ...uploadRoutes,
  ...fileRoutes,
  ...receivedRoutes,
  ...linkRoutes,
  ...receiptRoutes,
  ...revisionRoutes,
  ...exportRoutes,
  ...moderationRoutes,
];
