import { lookup } from 'node:dns/promises';
import type { StageOutputs } from '../stage-outputs.ts';

/** Whether a name has an address. Only a certain no counts: without DNS, requests tell more. */
const isKnown = async (host: string): Promise<boolean> => {
  try {
    await lookup(host);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ENOTFOUND';
  }
};

/**
 * Returns a line for each host of a stage whose name isn't in DNS, as before one makes the entries of an own domain, with
 * where it must lead if the stack tells.
 */
export const findMissingNames = async (
  outputs: Partial<StageOutputs> & Readonly<Record<string, string | undefined>>,
): Promise<string[]> => {
  const lines: string[] = [];
  for (const name of ['Service', 'Snippets'] as const) {
    const url = outputs[`${name}Url`];
    if (url === undefined) continue;
    const { hostname } = new URL(url);
    if (await isKnown(hostname)) continue;
    const target = outputs[`${name}Endpoint`]?.replace(/^https:\/\//, '');
    lines.push(`DNS has no entry for ${hostname}${target ? `: set a CNAME to ${target}` : ''}.`);
  }
  return lines;
};
