import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { loadOrCreateText } from './data-folder.ts';

/** The key that signs requests to the local engines. */
export interface AccessKey {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

/** Also for `AWS_SHARED_CREDENTIALS_FILE`. */
const fileName = 'aws-credentials';

const generateCredentials = (): string =>
  [
    '[default]',
    `aws_access_key_id = HANDBILL${randomBytes(6).toString('hex').toUpperCase()}`,
    `aws_secret_access_key = ${randomBytes(30).toString('base64url')}`,
    '',
  ].join('\n');

const parse = (text: string): AccessKey | undefined => {
  const [, accessKeyId] = /^aws_access_key_id *= *(\S+)$/m.exec(text) ?? [];
  const [, secretAccessKey] = /^aws_secret_access_key *= *(\S+)$/m.exec(text) ?? [];
  return accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined;
};

/** Returns the key of a data folder, created at the first start; undefined when its file contains no key. */
export const loadAccessKey = async (dataDir: string): Promise<AccessKey | undefined> =>
  parse(await loadOrCreateText(dataDir, fileName, generateCredentials));

/** Returns the key of a data folder, or undefined when the folder has none. */
export const readAccessKey = async (dataDir: string): Promise<AccessKey | undefined> => {
  try {
    return parse(await readFile(join(dataDir, fileName), 'utf8'));
  } catch {
    return undefined;
  }
};

/** Makes the AWS clients of this process sign with this key only. */
export const signWith = ({ accessKeyId, secretAccessKey }: AccessKey): void => {
  for (const name of ['AWS_PROFILE', 'AWS_SESSION_TOKEN']) delete process.env[name];
  process.env['AWS_ACCESS_KEY_ID'] = accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = secretAccessKey;
};
