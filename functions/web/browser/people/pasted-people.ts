import { runForEach } from '../data/bulk.ts';
import { type FoundPerson, isAddress, type PeopleSource } from './directory.ts';

/** Returns the entries of a pasted list; `undefined` for a text that is none. An entry may be `Ann <ann@example.com>`. */
export const splitList = (text: string): readonly string[] | undefined => {
  const entries = text
    .split(/[,;\r\n\t]+/)
    .map((entry) => entry.replace(/^.*<([^<>]*)>\s*$/, '$1').trim())
    .filter((entry) => entry !== '');
  return entries.length > 1 ? [...new Set(entries)] : undefined;
};

/** What became of a pasted list. */
export interface PastedPeople {
  readonly found: readonly FoundPerson[];
  readonly notAddresses: readonly string[];
  /** Addresses of nobody. */
  readonly unknown: readonly string[];
  /** Those that were not looked for: a request failed, or there was no room. */
  readonly left: readonly string[];
  readonly failure: Error | undefined;
}

/** Finds the people of a pasted list by their addresses, at most `room` of them, by a request for each. */
export const findList = async (
  source: PeopleSource,
  entries: readonly string[],
  room: number,
): Promise<PastedPeople> => {
  const addresses = entries.filter(isAddress);
  const people = new Map<string, FoundPerson>();
  const { done, failed, left } = await runForEach(addresses.slice(0, room), async (address) => {
    const isTheirs = ({ name, email = name }: FoundPerson) =>
      email.toLowerCase() === address.toLowerCase();
    const person = (await source.find(address)).find(isTheirs);
    if (person) people.set(address, person);
  });
  return {
    found: addresses.flatMap((address) => people.get(address) ?? []),
    notAddresses: entries.filter((entry) => !isAddress(entry)),
    unknown: done.filter((address) => !people.has(address)),
    left: [...failed.map(({ item }) => item), ...left, ...addresses.slice(room)],
    failure: failed[0]?.error,
  };
};
