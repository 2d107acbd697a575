import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { route } from '../../../shared/http/route.ts';
import { assertCanEdit, notForModerators } from './changing/edit-check.ts';
import { admitEditor } from './reading/admission.ts';
import { endedError, getShareStatus } from './record/share.ts';
import { AnnouncedFiles, UploadId } from './requests/file-fields.ts';
import { uploadLimits } from './requests/limits.ts';
import { parseUploadSubject } from './uploads/audit.ts';
import type { Target } from './uploads/manage.ts';
import type { StoredUpload } from './uploads/upload.ts';

/** What sends files, which is loaded with the first upload. */
const load = async () => {
  const [manage, { signForms }] = await Promise.all([
    import('./uploads/manage.ts'),
    import('./uploads/forms.ts'),
  ]);
  return { ...manage, signForms };
};

const exampleSha256 = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

const UploadInput = z
  .object({
    upload: UploadId.nullable().optional().meta({
      description:
        'The upload to add files to, or to get forms of again: those of its files that aren’t there yet.',
    }),
    share: z.string().min(1).max(64).nullable().optional().meta({
      description: 'The id of the share that is to be changed. Left out, a new one is created.',
    }),
    files: AnnouncedFiles.meta({ description: 'The files, up to 200 and 25 MB in all.' }),
  })
  .meta({
    id: 'ShareUploadInput',
    examples: [{ files: [{ path: 'index.html', size: 1_204, sha256: exampleSha256 }] }],
  });

const Upload = z
  .object({
    id: z.string(),
    expiresAt: z.iso.datetime().meta({ description: 'Until when it can be used and added to.' }),
    forms: z
      .array(
        z.object({
          path: z.string().meta({ description: 'The path of the file that it sends.' }),
          url: z.url(),
          fields: z
            .record(z.string(), z.string())
            .meta({ description: 'The fields to send before the file.' }),
        }),
      )
      .meta({
        description:
          'Send each as `multipart/form-data` to its `url`: `fields` first, then the part `file`. It takes exactly the bytes that were announced, for an hour.',
      }),
    known: z.array(z.string()).meta({
      description:
        'The paths of files that need no form: their bytes are there, or another sends them.',
    }),
  })
  .meta({
    id: 'ShareUpload',
    examples: [
      {
        id: 'q2V5c3RpbWVzdGFtcHM0Mg',
        expiresAt: '2026-11-22T12:00:00.000Z',
        forms: [
          {
            path: 'index.html',
            url: 'https://bucket.s3.eu-central-1.amazonaws.com/',
            fields: { key: 'shares/mZ3kP0cWbq7x1VvH9sTt2A/q2V5c3RpbWVzdGFtcHM0Mg-0' },
          },
        ],
        known: [],
      },
    ],
  });

const DeletedUpload = z.object({ id: z.string(), message: z.string() }).meta({
  id: 'DeletedShareUpload',
  examples: [{ id: 'q2V5c3RpbWVzdGFtcHM0Mg', message: 'Deleted' }],
});

/**
 * Finds the share that an upload is for, with the bytes that it has.
 * @throws AppError as `assertCanEdit`; GONE if it has ended or was taken down
 */
const findTarget = async (actor: Actor, id: string): Promise<Target> => {
  const current = await admitEditor(id, assertCanEdit(actor, undefined));
  const status = getShareStatus(current);
  if (status === 'ended' || status === 'taken-down') throw endedError();
  const manifest = await current.readManifest();
  return { id, known: new Set(manifest?.files.map(({ sha256 }) => sha256)) };
};

const toUpload = async (
  upload: StoredUpload,
  paths: readonly string[],
  isNew: boolean,
): Promise<z.output<typeof Upload>> => {
  const { signForms } = await load();
  const { forms, known } = await signForms(upload, paths, { isNew });
  const { id, expiresAt } = upload;
  return {
    id,
    expiresAt,
    forms: forms.map(({ path, url, fields }) => ({ path, url, fields: { ...fields } })),
    known: [...known],
  };
};

const toPaths = (files: readonly { readonly path: string }[]): string[] =>
  files.map(({ path }) => path);

/** Files that are sent ahead of a share (decisions.md#files-of-a-share). */
export const uploadRoutes = [
  route({
    endpoint: 'POST /api/share/uploads',
    access: 'signed-in',
    scope: 'shares:create',
    summary: 'Create an upload for a share',
    description:
      'Returns forms that send files straight to S3, for a share with more than a request takes. Then call `POST /api/share` or `PUT /api/share/{id}` with `upload`. The bytes are reserved in your quota until then, for a day. With `upload`, it adds files to an upload and signs the forms of those that aren’t there yet.',
    status: 201,
    body: UploadInput,
    output: Upload,
    errors: {
      NOT_FOUND: 'The upload doesn’t exist or has expired, or the share isn’t yours.',
      GONE: 'The share has ended or was taken down.',
      FORBIDDEN: notForModerators,
      CONFLICT: 'You have five uploads that aren’t finished.',
      PAYLOAD_TOO_LARGE: 'The files exceed a limit or your quota.',
      RATE_LIMITED: 'The forms of the last hours add up to twice your quota, used or not.',
    },
    limits: uploadLimits,
    auditAction: 'upload.create',
    idempotency: {
      replay: async ({ actor, body }, subject) => {
        const { loadUpload } = await load();
        const upload = await loadUpload(actor.user.id, parseUploadSubject(subject));
        return toUpload(upload, toPaths(body.files), false);
      },
    },
    handle: async ({ actor, body: { upload: id, share, files }, recorder }) => {
      const { createUpload, extendUpload } = await load();
      const me = actor.user.id;
      const find = (shareId: string) => findTarget(actor, shareId);
      if (id != null) {
        const upload = await extendUpload(me, id, files, find, recorder);
        return toUpload(upload, toPaths(files), false);
      }
      const target = share == null ? undefined : await find(share);
      return toUpload(await createUpload(me, files, target, recorder), toPaths(files), true);
    },
  }),
  route({
    endpoint: 'DELETE /api/share/uploads/{id}',
    access: 'signed-in',
    scope: 'shares:create',
    summary: 'Delete an upload for a share',
    description: 'Deletes what was sent and releases the quota that it reserves.',
    params: z.object({ id: UploadId }),
    output: DeletedUpload,
    auditAction: 'upload.delete',
    handle: async ({ actor, params: { id }, recorder }) => {
      const { deleteUpload } = await load();
      await deleteUpload(actor.user.id, id, recorder);
      return { id, message: 'Deleted' };
    },
  }),
];
