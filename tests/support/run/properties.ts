import fc from 'fast-check';

// The same histories on every run, so that a check fails by what was changed; `SEED=… npm run test:slow` looks at others.
fc.configureGlobal({ seed: Number(process.env['SEED'] ?? 20_261_122) });

export default fc;
