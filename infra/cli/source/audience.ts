import type { Command } from 'commander';
import { Option } from 'commander';
import type { Options } from '../../../functions/web/browser/client/endpoints.ts';
import { usageError } from './error-mapping.ts';

type Input = Options<'POST /api/share'>['body'];
export type Audience = NonNullable<Input['audience']>;

/** Who can open a share, from nobody else to anyone. */
const audiences = ['private', 'people', 'members', 'link'] as const satisfies readonly Audience[];

/** The options that say who can open a share. */
export interface AudienceOptions {
  readonly for?: readonly string[];
  readonly members?: true;
  readonly private?: true;
  readonly audience?: Audience;
}

const addPeople = (text: string, former: readonly string[] = []): readonly string[] => [
  ...former,
  ...text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== ''),
];

/** Adds the options that say who can open a share. */
export const addAudienceOptions = (command: Command): Command =>
  command
    .option(
      '--for <emails>',
      'who can open it: email addresses, separated by commas; can be repeated',
      addPeople,
    )
    .option('--members', 'everyone here can open it')
    .option('--private', 'only you can open it')
    .addOption(new Option('--audience <audience>', 'who can open it').choices(audiences));

/** Lists the audience that each option stands for, with the option. */
const listAsked = (options: AudienceOptions): readonly (readonly [Audience, string])[] => [
  ...(options.for ? [['people', '--for'] as const] : []),
  ...(options.members ? [['members', '--members'] as const] : []),
  ...(options.private ? [['private', '--private'] as const] : []),
  ...(options.audience ? [[options.audience, `--audience ${options.audience}`] as const] : []),
];

/**
 * Returns the fields of a share that say who can open it; none if nothing is asked for, which leaves it to the service.
 * @throws CliError for options that contradict each other, or people without anyone
 */
export const readAudience = (options: AudienceOptions): Pick<Input, 'audience' | 'readers'> => {
  const [first, ...others] = listAsked(options);
  if (!first) return {};
  const [audience, name] = first;
  const other = others.find(([one]) => one !== audience);
  if (other) throw usageError(`Use either ${name} or ${other[1]}.`);
  if (audience !== 'people') return { audience };
  if (!options.for?.length) throw usageError('Name the people: --for ann@example.com.');
  return { audience, readers: [...options.for] };
};

/** Returns who can open a share, in the words of `--audience`, and how many people that are. */
export const describeAudience = (share: {
  readonly audience: Audience;
  readonly readers: readonly number[];
}): string => {
  if (share.audience !== 'people') return share.audience;
  const { length } = share.readers;
  return length === 1 ? '1 person' : `${length} people`;
};
