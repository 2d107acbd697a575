import { lookup } from 'node:dns/promises';
import { setTimeout as rejectAfter } from 'node:timers/promises';
import type { StageOutputs } from './stage-outputs.ts';

/** How long a look-up may take. ms. */
const lookupMs = 5_000;

/** A DNS entry that the operator creates at any provider. */
export interface DnsEntry {
  readonly name: string;
  /** What a CNAME of the name, or an ALIAS at the top of a domain, leads to. */
  readonly target: string;
  /** Whether the name leads anywhere yet. */
  readonly isSet: boolean;
}

/** Tells whether a name has an address. A resolver that doesn't answer in time counts as one without. */
const hasAddress = async (name: string): Promise<boolean> => {
  const end = new AbortController();
  try {
    const late = rejectAfter(lookupMs, false, { signal: end.signal });
    return await Promise.race([lookup(name).then(() => true), late]);
  } catch {
    return false;
  } finally {
    end.abort();
  }
};

/** Lists the DNS entries of a stage that are not in a zone of the stack. */
export const listDnsEntries = async (
  outputs: StageOutputs,
  isKnown: (name: string) => Promise<boolean> = hasAddress,
): Promise<DnsEntry[]> => {
  const { ServiceUrl, ServiceDnsTarget, SnippetsUrl, SnippetsDnsTarget } = outputs;
  const given = [
    [ServiceUrl, ServiceDnsTarget],
    [SnippetsUrl, SnippetsDnsTarget],
  ] as const;
  const entries = given.map(async ([url, target]): Promise<DnsEntry[]> => {
    if (target === undefined) return [];
    const name = new URL(url).hostname;
    return [{ name, target, isSet: await isKnown(name) }];
  });
  return (await Promise.all(entries)).flat();
};

/** Returns a line for each entry, to be set at the DNS provider. */
export const describeDnsEntries = (entries: readonly DnsEntry[]): string[] =>
  entries.map(
    ({ name, target, isSet }) =>
      `DNS: ${name} CNAME ${target} (ALIAS at the top of a domain)${isSet ? '' : ' is missing'}`,
  );
