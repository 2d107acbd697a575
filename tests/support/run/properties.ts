import fc from 'fast-check';

// A fixed seed, so that only code changes break a check; `SEED=… npm run test:slow` tests other histories.
const seed = Number(process.env['SEED'] ?? 20_261_122);
if (process.env['SEED'] !== undefined) process.stderr.write(`SEED=${seed}\n`);
fc.configureGlobal({ seed });

/** Returns how many of these runs to do: all of them, or on CI a third. */
export const countRuns = (all: number): number =>
  process.env['CI'] === 'true' ? Math.ceil(all / 3) : all;

export default fc;
