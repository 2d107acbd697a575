import type { Client } from '../../../functions/web/browser/client/client.ts';
import { withProgress } from '../../../functions/web/browser/client/progress.ts';
import { withStreamProgress } from '../../../functions/web/browser/client/stream-progress.ts';
import {
  createUpload as createWebUpload,
  type Upload,
  type UploadSettings,
} from '../../../functions/web/browser/client/upload.ts';

/**
 * Prepares the upload of a file, which goes straight to the storage and reports its progress: by XMLHttpRequest in
 * browsers, by a stream elsewhere.
 */
export const createUpload = (client: Client, file: File, settings: UploadSettings = {}): Upload =>
  createWebUpload(client, file, {
    withProgress: 'XMLHttpRequest' in globalThis ? withProgress : withStreamProgress,
    ...settings,
  });
