// A bundle of its own, because other commands need none of it.
import { findToken } from '../connection.ts';
import { interruption } from '../interruption.ts';
import { type Outcome, settle } from '../outcome.ts';
import { note } from '../terminal/output.ts';
import { runBridge } from './bridge.ts';
import { checkConnection } from './check.ts';
import { type ConfinementOptions, createConfinement } from './confinement.ts';
import { createDoor } from './door.ts';
import { installSkill, type SkillOptions } from './skill.ts';

/** Passes messages between standard input, standard output and a service until the input ends. */
export const serve = (url: string, options: ConfinementOptions): Promise<Outcome> =>
  settle(
    () => url,
    async () => {
      const confinement = await createConfinement(options);
      if ((await findToken(url)) === undefined) {
        note(`Not signed in at ${url}: run handbill login.`);
      }
      const { stdin, stdout } = process;
      interruption.addEventListener('abort', () => stdin.destroy());
      await runBridge({
        ...{ url, confinement, input: stdin, signal: interruption },
        door: createDoor(url),
        write: (line) => void stdout.write(line),
      }).catch((error: unknown) => {
        interruption.throwIfAborted();
        throw error;
      });
      interruption.throwIfAborted();
      return undefined;
    },
  );

/** Says whether an assistant can connect. */
export const check = (url: string): Promise<Outcome> =>
  settle(
    () => url,
    () => checkConnection(url),
  );

/** Installs the skill of a service. */
export const install = (url: string, options: SkillOptions): Promise<Outcome> =>
  settle(
    () => url,
    () => installSkill(url, options),
  );
