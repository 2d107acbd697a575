import { join } from 'node:path';
import { assets } from '../../../functions/web/docs/assets.ts';
import type { FunctionConfig, FunctionName } from './function-config.ts';
import { callerPartitions } from './rights.ts';
import { audience, authentication, waysIn } from './settings.ts';

const docsFiles = Object.fromEntries(
  Object.entries(assets).map(([name, path]) => [name, join('functions/web/docs', path)]),
);

/** Functions of the console, its parts, and what describes the service. */
export const pageFunctions = {
  site: {
    memoryMb: 512,
    timeoutSeconds: 10,
    table: ['BatchGetItem', 'UpdateItem'],
    partitions: [...callerPartitions],
    index: ['REQUESTS#REPORTED', 'SHARES#REPORTED'],
    signingSecret: true,
    bucketName: true,
    settings: [
      'PUBLIC_URL',
      'SNIPPETS_URL',
      ...audience,
      'DEFAULT_AUDIENCE',
      'DIRECTORY',
      'MAIL_FROM',
      'CURRENCY',
      'CHECKIN_TIMEZONE',
      ...authentication,
      ...waysIn,
    ],
    providers: true,
  },
  assets: {
    memoryMb: 512,
    timeoutSeconds: 10,
    isQuiet: true,
    assets: ['GetObject'],
  },
  docs: {
    memoryMb: 512,
    timeoutSeconds: 10,
    files: docsFiles,
    settings: ['PUBLIC_URL'],
  },
  health: {
    memoryMb: 512,
    timeoutSeconds: 10,
    table: ['GetItem'],
    partitions: ['HEALTH'],
  },
} satisfies Partial<Record<FunctionName, FunctionConfig>>;
