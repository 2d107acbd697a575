import { stat } from 'node:fs/promises';
import { maxPassphraseLength } from '../../../../shared/sealed/passphrase.ts';
import { CliError, usageError } from '../error-mapping.ts';
import { ask } from '../terminal/input.ts';

/** What `--passphrase [text]` is: a text, or that it is read from the environment or asked for. */
export type PassphraseOption = string | true | undefined;

/** What replaces the question at the terminal. */
const variable = 'HANDBILL_PASSPHRASE';

/** @throws CliError for a text that can't be a passphrase */
export const assertPassphrase = (text: string): string => {
  // Spaces alone can neither be seen nor dictated.
  if (text.trim() === '') throw usageError('The passphrase is empty: leave it out, or choose one.');
  if (text.length <= maxPassphraseLength) return text;
  throw usageError(`The passphrase is longer than ${maxPassphraseLength} characters.`);
};

const notAsked = (): CliError =>
  usageError(
    `There is no terminal to ask for the passphrase at: set ${variable}, or pass --passphrase=<text>.`,
  );

const askFor = (prompt: string): Promise<string> => {
  if (!process.stdin.isTTY) throw notAsked();
  return ask(prompt, { isSecret: true });
};

/** An option that takes a text takes the next word, also where that was to be a file. @throws CliError */
const assertNoFile = async (text: string): Promise<void> => {
  const isFile = await stat(text).then(
    () => true,
    () => false,
  );
  if (!isFile && text !== '-') return;
  throw usageError(
    'What follows --passphrase is a file: put files first, or use another passphrase.',
  );
};

/** A typing error would lose the content. @throws CliError for two texts */
const askTwice = async (): Promise<string> => {
  const text = assertPassphrase(await askFor('Passphrase: '));
  if ((await askFor('Once more: ')) === text) return text;
  throw new CliError('The two passphrases differ. Nothing was shared.');
};

/**
 * Returns the passphrase of a new share, if it is to have one.
 * @throws CliError for one that can't be used, or that can't be asked for
 */
export const choosePassphrase = async (option: PassphraseOption): Promise<string | undefined> => {
  const given = process.env[variable];
  if (typeof option !== 'string' && given) return assertPassphrase(given);
  if (option === undefined) return undefined;
  if (option === true) return askTwice();
  await assertNoFile(option);
  return assertPassphrase(option);
};

/** A passphrase that opens a share, and whether another one can be asked for. */
export interface GivenPassphrase {
  readonly text: string;
  readonly isAsked: boolean;
}

/** Returns the passphrase of a share that has one. @throws CliError if there is no terminal to ask at */
export const findPassphrase = async (option: PassphraseOption): Promise<GivenPassphrase> => {
  const given = typeof option === 'string' ? option : process.env[variable];
  if (given) return { text: assertPassphrase(given), isAsked: false };
  return { text: assertPassphrase(await askFor('Passphrase: ')), isAsked: true };
};
