import { existsSync, readFileSync } from 'node:fs';

const status = '/proc/self/status';

/**
 * Returns the most memory that this process had, in KB. On Linux `maxRSS` may be that of its parent, because a new process
 * starts with the parent's memory: https://man7.org/linux/man-pages/man2/getrusage.2.html
 */
export const peakMemory = (): number => {
  const ownPeak = existsSync(status)
    ? /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync(status, 'utf8'))
    : null;
  return Number(ownPeak?.[1] ?? process.resourceUsage().maxRSS);
};
