import type { ChangeRecorder } from '../../../../shared/audit/audit-log.ts';
import { assertReauthenticated } from '../../../../shared/auth/reauthentication.ts';
import { assertMayView } from '../../../../shared/exports/assert-may-view.ts';
import {
  contentTypeOf,
  exportNames,
  getExportPermissions,
} from '../../../../shared/exports/export-kinds.ts';
import type { StoredExport } from '../../../../shared/exports/export-record.ts';
import {
  exportNotFound,
  findExport,
  toObjectKey,
} from '../../../../shared/exports/export-store.ts';
import { contentDisposition } from '../../../../shared/http/content/content-disposition.ts';
import type { SessionActor } from '../../../../shared/http/route.ts';
import { AppError } from '../../../../shared/runtime/errors.ts';
import { getSetting } from '../../../../shared/runtime/settings.ts';
import { loadBucket } from '../../../../shared/storage/bucket.ts';

/** Until when a download can begin, in seconds: a click is enough for it, and a copied address soon leads nowhere. */
const expiresIn = 60;

const toFileName = ({ kind, format, requestedAt }: StoredExport): string =>
  `${exportNames[kind].file}-${requestedAt.slice(0, 10)}.${format}`;

const isGone = ({ expiresAt }: StoredExport): boolean =>
  expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();

/** Signs the address of an export's file, without a request to S3. */
const signFile = async (ready: StoredExport): Promise<string> => {
  const { s3, signer } = await loadBucket();
  const command = new s3.GetObjectCommand({
    Bucket: getSetting('FILES_BUCKET'),
    Key: toObjectKey(ready),
    ResponseContentDisposition: contentDisposition(toFileName(ready), 'attachment'),
    ResponseContentType: contentTypeOf[ready.format],
    ResponseCacheControl: 'private, no-store',
  });
  return s3.getSignedUrl(signer, command, { expiresIn });
};

/**
 * Lets the caller download an export: own data by a proof of who they are, a list by the permissions that they have now.
 * @throws AppError NOT_FOUND; CONFLICT until it is ready; FORBIDDEN that names a missing permission; VALIDATION_ERROR about
 *   `currentPassword`; REAUTHENTICATION_REQUIRED
 */
export const downloadExport = async (
  actor: SessionActor,
  id: number,
  currentPassword: string | null | undefined,
  recorder: ChangeRecorder,
): Promise<{ readonly url: string; readonly expiresAt: string }> => {
  const found = await findExport(actor.user.id, id);
  if (!found || isGone(found)) throw exportNotFound();
  const { kind, format, status, filter = null, bytes, rows } = found;
  assertMayView(actor, ...getExportPermissions(found));
  if (kind === 'own-data') {
    await assertReauthenticated(actor, currentPassword, 'The file has all of your data.');
  }
  if (status !== 'ready') throw new AppError('CONFLICT', 'The export is not ready.');
  const url = await signFile(found);
  await recorder.record({ subject: `export:${id}`, after: { kind, format, filter, bytes, rows } });
  return { url, expiresAt: new Date(Date.now() + expiresIn * 1_000).toISOString() };
};
