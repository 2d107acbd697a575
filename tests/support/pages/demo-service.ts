import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type Client,
  type ClientSettings,
  createClient,
} from '../../../functions/web/browser/client/client.ts';
import type { Tokens } from '../../../functions/web/browser/client/session.ts';
import type { Username } from '../../../infra/local/demo/team.ts';

const root = join(import.meta.dirname, '../../..');

/** A running service with the demo's people and their data. */
export interface DemoService {
  readonly url: string;
  readonly password: string;
  /** Returns a client that is signed in as one of the people. */
  as(who: Username): Promise<Client>;
  /** Returns the id of a share by its title. */
  shareId(title: string): Promise<string>;
  /** Returns the id of a share that has ended. */
  endedShareId(): Promise<string>;
  /** Returns the link of the only invitation that the demo sends: another one would end it. */
  invitationLink(): Promise<string>;
  /** Asks for a password reset for one of the people, once, and returns the link of the email. */
  resetLink(): Promise<string>;
  close(): Promise<void>;
}

export const emailOf = (who: Username): string => `${who}@heron.example.com`;

/** Returns the result of the first call to all later ones. */
const lazily = <Value>(create: () => Promise<Value>): (() => Promise<Value>) => {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= create();
    return made;
  };
};

/** Starts the service as `npm start -- --demo` does, with new data in a temporary folder. */
export const startDemoService = async (): Promise<DemoService> => {
  const folder = await mkdtemp(join(tmpdir(), 'handbill-demo-'));
  const child = spawn(process.execPath, ['infra/local/start.ts', '--demo'], {
    cwd: root,
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      PASSWORD_COST: '4',
      PORT: '0',
      DATA_DIR: folder,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'close');
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  while (!output.includes('Press Ctrl+C')) {
    const isOver = await Promise.race([once(child.stdout, 'data'), exited.then(() => true)]);
    if (isOver === true) throw new Error('The demo did not start');
  }
  const find = (pattern: RegExp): string => output.match(pattern)?.[1] ?? '';
  const url = find(/running at (\S+)/);
  const mailUrl = find(/Email +(\S+)/);
  const password = find(/Admin +\S+, password (\S+)/);

  const clients = new Map<Username, Promise<Client>>();
  const signIn = async (who: Username): Promise<Client> => {
    let kept: Tokens | undefined;
    const tokens: ClientSettings['tokens'] = {
      read: () => kept,
      write: (next) => {
        kept = next;
      },
    };
    const client = createClient({ baseUrl: url, tokens });
    const body = { email: emailOf(who), password };
    const result = await client.call('POST /api/auth/login', { body });
    if ('mfaRequired' in result) throw new Error(`${who} has a second factor`);
    kept = result;
    return client;
  };
  const as = (who: Username): Promise<Client> => {
    const client = clients.get(who) ?? signIn(who);
    clients.set(who, client);
    return client;
  };

  const shareIds = lazily(async () => {
    const ids = new Map<string, string>();
    for await (const { id, title } of (await as('nadia')).items('GET /api/shares')) {
      ids.set(title ?? '', id);
    }
    return ids;
  });

  /** Waits for the email with a link to a page, and returns the link. */
  const findLink = async (page: string): Promise<string> => {
    for (;;) {
      const { emails } = await (await fetch(`${mailUrl}/store`)).json();
      const links = JSON.stringify(emails).match(/http:[^\s"\\]+\?[^\s"\\]+/g);
      const link = links?.find((one) => new URL(one).pathname === page);
      if (link !== undefined) return link;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const askForReset = lazily(async () => {
    const client = await as('nadia');
    await client.call('POST /api/auth/forgot-password', { body: { email: emailOf('mei') } });
  });

  return {
    url,
    password,
    as,
    shareId: async (title) => {
      const id = (await shareIds()).get(title);
      if (id === undefined) throw new Error(`The demo has no share ${title}`);
      return id;
    },
    endedShareId: lazily(async () => {
      const client = await as('luca');
      const { id } = await client.call('POST /api/share', { body: { content: 'Over' } });
      await client.call('POST /api/share/{id}/end', { params: { id } });
      return id;
    }),
    invitationLink: () => findLink('/invite'),
    resetLink: async () => {
      await askForReset();
      return findLink('/reset');
    },
    close: async () => {
      child.kill('SIGINT');
      await exited;
      await rm(folder, { recursive: true, force: true });
    },
  };
};
