import { lookup } from 'node:dns/promises';
import { setTimeout as endAfter } from 'node:timers/promises';
import { dnsTargetOutputs } from '../../stack/stack-name.ts';
import type { StageOutputs } from '../stage-outputs.ts';

/** How long a look-up may take. ms. */
const lookupMs = 5_000;

/** Whether a name has an address. Only a certain no counts: without an answer of DNS, requests tell more. */
const hasAddress = async (name: string): Promise<boolean> => {
  const end = new AbortController();
  try {
    const late = endAfter(lookupMs, true, { signal: end.signal });
    return await Promise.race([lookup(name).then(() => true), late]);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTFOUND';
  } finally {
    end.abort();
  }
};

const describe = (name: string, target: string | undefined): string =>
  target === undefined
    ? `DNS has no entry for ${name}.`
    : `DNS has no entry for ${name}: set a CNAME to ${target}, or an ALIAS at the top of a domain.`;

/**
 * Returns a line for each host of a stage whose name isn't in DNS, as before one makes the entries of an own domain, with
 * where it must lead.
 */
export const listMissingNames = async (
  outputs: StageOutputs,
  isKnown: (name: string) => Promise<boolean> = hasAddress,
): Promise<string[]> => {
  const hosts = [
    [outputs.ServiceUrl, outputs[dnsTargetOutputs.service]],
    [outputs.SnippetsUrl, outputs[dnsTargetOutputs.snippets]],
  ] as const;
  const lines = hosts.map(async ([url, target]): Promise<string[]> => {
    const name = new URL(url).hostname;
    return (await isKnown(name)) ? [] : [describe(name, target)];
  });
  return (await Promise.all(lines)).flat();
};
