import { hash } from 'node:crypto';
import { expect } from 'vitest';

/** A form by which a file is uploaded. */
interface UploadForm {
  readonly url: string;
  readonly fields: Readonly<Record<string, string>>;
}

/** Replaces a file of a share by an upload, as the composer does. */
export const replaceFile = async (
  ask: (endpoint: string, body: Record<string, unknown>) => Promise<Record<string, unknown>>,
  id: string,
  { path, bytes }: { readonly path: string; readonly bytes: Buffer },
): Promise<void> => {
  const files = [{ path, size: bytes.length, sha256: hash('sha256', bytes, 'hex') }];
  const upload = await ask('POST /api/share/uploads', { share: id, files });
  for (const { url, fields } of upload['forms'] as readonly UploadForm[]) {
    const body = new FormData();
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    body.set('file', new Blob([new Uint8Array(bytes)]));
    expect((await fetch(url, { method: 'POST', body })).ok).toBe(true);
  }
  expect(await ask(`PUT /api/share/${id}`, { upload: upload['id'] })).toMatchObject({ id });
};
