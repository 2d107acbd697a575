import * as z from 'zod';
import { Email } from '../../shared/input/fields.ts';
import { StartError } from './aws/host/start-error.ts';

const port = z.coerce.number().int().min(0).max(65_535);

const isOrigin = (text: string): boolean => URL.canParse(text) && new URL(text).origin === text;

/** Parses the address of a server behind a reverse proxy, which may have a path. */
const address = () =>
  z
    .url({ protocol: /^https?$/ })
    .transform((text) => new URL(text))
    .refine(({ search, hash, username }) => `${search}${hash}${username}` === '')
    .transform(({ origin, pathname }) => `${origin}${pathname.replace(/\/+$/, '')}`)
    .optional();

/** The settings of the local run, besides those of the service. */
const definitions = {
  PORT: { schema: port.default(3000), rule: 'a port from 0 (any free one) to 65535' },
  SNIPPETS_PORT: { schema: port.optional(), rule: 'a port from 0 (any free one) to 65535' },
  DATA_DIR: { schema: z.string().default('.handbill'), rule: 'a folder' },
  LOCAL_DYNAMODB_PORT: { schema: port.default(0), rule: 'a port from 0 (any free one) to 65535' },
  LOCAL_S3_PORT: { schema: port.optional(), rule: 'a port from 0 (any free one) to 65535' },
  LOCAL_SES_PORT: { schema: port.optional(), rule: 'a port from 0 (any free one) to 65535' },
  FILES_URL: {
    schema: address(),
    rule: 'the http(s) address at which a proxy passes on to the storage of files, such as https://snippets.example.com/storage',
  },
  MAILBOX_URL: {
    schema: address(),
    rule: 'the http(s) address at which a proxy passes on to the mailbox, such as https://handbill.example.com/mailbox',
  },
  TRUSTED_PROXIES: {
    schema: z.coerce.number().int().min(0).max(9).default(0),
    rule: 'how many proxies in a row append the address of the client to X-Forwarded-For, from 0 to 9',
  },
  CORS_ORIGINS: {
    schema: z
      .string()
      .default('')
      .transform((text) => text.split(',').filter((origin) => origin !== ''))
      .refine((origins) => origins.join() === '*' || origins.every(isOrigin)),
    rule: 'origins such as http://localhost:5173, comma-separated, or *',
  },
  ADMIN_EMAIL: {
    schema: Email.default('admin@example.com'),
    rule: 'an email address',
  },
  ADMIN_PASSWORD: {
    schema: z
      .string()
      .min(6)
      .refine((text) => Buffer.byteLength(text) <= 72)
      .optional(),
    rule: 'a password of 6 characters to 72 bytes',
  },
} as const;

type Definitions = typeof definitions;
type Name = keyof Definitions;

/** The names of all options. */
export const optionNames: readonly string[] = Object.keys(definitions);

export type LocalOptions = {
  readonly [N in Name]: z.output<Definitions[N]['schema']>;
};

const parse = (name: Name, env: NodeJS.ProcessEnv) => {
  const result = definitions[name].schema.safeParse(env[name] || undefined);
  if (result.success) return result.data;
  throw new StartError(`Set ${name} to ${definitions[name].rule}.`);
};

/**
 * Reads the settings of the local run.
 * @throws StartError for the first invalid setting
 */
export const readOptions = (env: NodeJS.ProcessEnv): LocalOptions =>
  Object.fromEntries(
    (Object.keys(definitions) as Name[]).map((name) => [name, parse(name, env)]),
  ) as LocalOptions;
