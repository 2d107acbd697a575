import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** What a release has stored: the items of its table, the objects of its bucket, and what its users know. */
export interface Recording {
  readonly version: string;
  readonly recordedAt: string;
  readonly items: readonly Record<string, AttributeValue>[];
  /** The bytes of each object, as base64. */
  readonly objects: Readonly<Record<string, string>>;
  readonly password: string;
  /** An API token of Ann. */
  readonly token: string;
  /** The ids of one record of each kind. */
  readonly ids: Readonly<Record<string, string>>;
}

export const file = join(import.meta.dirname, 'data.json.gz');

/** JSON has no bytes. */
const bytesKey = '$bytes';

/** Keeps bytes, of which a Buffer would write itself as numbers. */
function keepBytes(this: Readonly<Record<string, unknown>>, name: string, value: unknown): unknown {
  const given = this[name];
  if (!(given instanceof Uint8Array)) return value;
  return { [bytesKey]: Buffer.from(given).toString('base64') };
}

export const pack = (recording: Recording): Buffer =>
  gzipSync(JSON.stringify(recording, keepBytes), { level: 9 });

/** Reads the committed recording. */
export const unpack = (): Recording =>
  JSON.parse(gunzipSync(readFileSync(file)).toString(), (_, value) =>
    typeof value?.[bytesKey] === 'string'
      ? new Uint8Array(Buffer.from(value[bytesKey], 'base64'))
      : value,
  ) as Recording;
