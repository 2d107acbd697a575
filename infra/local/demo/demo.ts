import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { passwordResetEmail } from '../../../functions/api/users/record/jobs.ts';
import * as users from '../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../shared/audit/audit-log.ts';
import { saveFailedJob } from '../../../shared/jobs/failed-jobs.ts';
import { StartError } from '../aws/host/start-error.ts';
import { openDataFolder } from '../data/data-folder.ts';
import type { LocalJobs } from '../jobs/jobs.ts';
import { assistantSteps } from './assistants.ts';
import { calendarSteps } from './calendar.ts';
import { createClient } from './client.ts';
import { type Clock, installClock } from './clock.ts';
import { documentSteps } from './documents.ts';
import { fileSteps } from './files.ts';
import { messageSteps } from './messages.ts';
import { createRandom } from './random.ts';
import { requestSteps } from './requests.ts';
import { saleSteps } from './sales.ts';
import { appKey, setUpApp, withApp } from './second-factor.ts';
import { shareSteps } from './shares.ts';
import { shareForSomeSteps } from './shares-for-some.ts';
import type { Step, Story } from './step.ts';
import { people, type Username, working } from './team.ts';
import { webhookSteps } from './webhooks.ts';

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const historyDays = 45;
const seed = 20_261;

const emailOf = (username: Username): string => `${username}@heron.example.com`;

/** Says that the address of a person of the demo is proven: no one reads its emails. */
const proveEmail = async (id: number): Promise<void> => {
  const emailVerifiedAt = new Date().toISOString();
  await users.update(id, () => ({ emailVerifiedAt }), systemRecorder('user.update'));
};

/** Creates the accounts of the team, and signs in who works. */
const accountSteps = (story: Story, ids: Map<Username, number>, password: string): Step[] => {
  const { client, at } = story;
  const [first, ...others] = people;
  const administrator: Step = {
    at: at(first.joinedDaysAgo, 6),
    run: async () => {
      const { username, name, timezone } = first;
      await client.signIn(username, emailOf(username), password);
      const profile = { name, username, timezone };
      ids.set(username, (await client.send(username, 'PUT /api/users/me', profile)).id);
    },
  };
  return [
    administrator,
    ...others.flatMap((person): Step[] => {
      const { username, joinedDaysAgo } = person;
      const state = 'state' in person ? person.state : undefined;
      const email = emailOf(username);
      const create = async () => {
        const { name, role, permissions, timezone } = person;
        const body = { email, name, username, role, permissions, timezone };
        const withPassword = state === 'invited' ? body : { ...body, password };
        const { id } = await client.send(first.username, 'POST /api/users', withPassword);
        ids.set(username, id);
        if (state !== 'invited') await proveEmail(id);
        if (state === undefined) await client.signIn(username, email, password);
      };
      const suspend = () =>
        client.send(first.username, `PUT /api/users/${ids.get(username)}`, { status: 'suspended' });
      return [
        { at: at(joinedDaysAgo, 6.25), run: create },
        ...(state === 'suspended' ? [{ at: at(5, 17), run: suspend }] : []),
      ];
    }),
  ];
};

/** Checks people in on most of the last days; the first person on every day. */
const checkinSteps = ({ client, at, random }: Story): Step[] =>
  working.flatMap((username) =>
    Array.from({ length: 17 }, (_, daysAgo) => daysAgo)
      .filter(() => username === people[0].username || random.chance(0.7))
      .map((daysAgo) => ({
        at: at(daysAgo, 7 + random.below(2)),
        run: () => client.send(username, 'POST /api/checkin'),
      })),
  );

/** An account to try the demo with. */
export interface DemoAccount {
  readonly role: string;
  readonly email: string;
  /** The key of the authenticator app, if the account has one. */
  readonly appKey?: string;
}

/** How the jobs of the service are run. */
type Jobs = Pick<LocalJobs, 'deliver' | 'runSchedule'>;

/** A demo that is about to start. */
export interface Demo {
  /** Who to sign in as; all have the same password. */
  readonly accounts: readonly [DemoAccount, ...DemoAccount[]];
  readonly password: string;
  /** Fills the service at a URL, unless an earlier start did. Resolves at the real time of day. */
  fill(url: string, jobs: Jobs): Promise<void>;
  /** Returns to the real time, whatever happened. */
  close(): void;
}

interface State {
  readonly password: string;
  readonly isComplete: boolean;
  /** Whether someone has an authenticator app; not in data of an earlier release. */
  readonly hasApp?: boolean;
}

const readState = async (file: string): Promise<State | undefined> => {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch {
    return undefined;
  }
};

const createStory = (url: string, now: number, ids: ReadonlyMap<Username, number>): Story => {
  const today = Math.floor(now / dayMs) * dayMs;
  return {
    client: createClient(url),
    random: createRandom(seed),
    idOf: (who) => {
      const id = ids.get(who);
      if (id === undefined) throw new Error(`The demo's ${who} has no account yet`);
      return id;
    },
    at: (daysAgo, hour) => today - daysAgo * dayMs + hour * hourMs,
  };
};

/** Stores an email that could not be sent yesterday, to be tried again at `/settings`. */
const failJob = async (yesterday: number, clock: Clock): Promise<void> => {
  clock.setTime(yesterday);
  const data = { email: emailOf('jonas') };
  const message = { id: randomUUID(), kind: passwordResetEmail.name, data };
  await saveFailedJob(passwordResetEmail.queue, message, 'ServiceUnavailable');
};

/**
 * Lets the past happen, step by step, each at its time. What would be later than now is left out. No job runs while the clock
 * is set, because its time would be up: after each step its own, once a day what is scheduled.
 */
const replay = async (
  url: string,
  jobs: Jobs,
  { now, clock, password }: { now: number; clock: Clock; password: string },
): Promise<void> => {
  const ids = new Map<Username, number>();
  const story = createStory(url, now, ids);
  const steps = [
    ...accountSteps(story, ids, password),
    ...[assistantSteps, webhookSteps].flatMap((create) =>
      create(story, (who) => story.client.openSession(emailOf(who), password)),
    ),
    ...[
      shareSteps,
      shareForSomeSteps,
      requestSteps,
      documentSteps,
      fileSteps,
      messageSteps,
      calendarSteps,
      saleSteps,
      checkinSteps,
    ].flatMap((create) => create(story)),
  ];
  let lastDay: number | undefined;
  for (const { at, run } of steps.filter((step) => step.at < now).sort((a, b) => a.at - b.at)) {
    clock.setTime(at);
    const day = Math.floor(at / dayMs);
    if (day !== lastDay) await jobs.runSchedule();
    lastDay = day;
    await run();
    await jobs.deliver();
  }
  await failJob(story.at(1, 9), clock);
  // Last, because no step enters a code.
  await setUpApp(story.idOf(withApp));
};

/**
 * Prepares the demo in its own data folder: a small publisher's last six weeks, the same for every start but for the
 * dates.
 * @throws StartError when the folder has other data
 */
export const prepareDemo = async (dataDir: string): Promise<Demo> => {
  await openDataFolder(dataDir);
  const entries = await readdir(dataDir);
  const file = join(dataDir, 'demo.json');
  const state = await readState(file);
  if (!state && entries.length > 0) {
    throw new StartError(
      `The data folder ${dataDir} has data that is not the demo’s. Set DATA_DIR to another folder.`,
    );
  }
  if (state && !state.isComplete) {
    for (const name of entries) await rm(join(dataDir, name), { recursive: true, force: true });
  }
  const password = state?.isComplete ? state.password : randomBytes(9).toString('base64url');
  const now = Date.now();
  const clock = state?.isComplete ? undefined : installClock(now - historyDays * dayMs);
  const save = (isComplete: boolean) =>
    writeFile(file, JSON.stringify({ password, isComplete, hasApp: true }), { mode: 0o600 });
  if (clock) await save(false);
  return {
    accounts: [
      { role: 'Admin', email: emailOf(people[0].username) },
      { role: 'Employee', email: emailOf('luca') },
      { role: 'Newcomer', email: emailOf('sam') },
      ...(clock || state?.hasApp ? [{ role: 'With an app', email: emailOf(withApp), appKey }] : []),
    ],
    password,
    fill: async (url, jobs) => {
      if (!clock) return;
      await replay(url, jobs, { now, clock, password });
      clock.remove();
      await save(true);
    },
    close: () => clock?.remove(),
  };
};
