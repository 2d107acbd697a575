import fc from 'fast-check';

// A fixed seed, so that only code changes break a check; `SEED=… npm run test:models` tests other histories.
const seed = Number(process.env['SEED'] ?? 20_261_122);
if (process.env['SEED'] !== undefined) process.stderr.write(`SEED=${seed}\n`);
fc.configureGlobal({ seed });

export default fc;
