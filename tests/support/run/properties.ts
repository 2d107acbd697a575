import fc from 'fast-check';

// A fixed seed, so that only code changes break a check; `SEED=… npm run test:slow` tests other histories.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_122) });

export default fc;
