import { cpus } from 'node:os';

/** Returns the machine and the date, because figures depend on both. */
export const machine = (): string => {
  const processors = cpus();
  const model = processors[0]?.model ?? 'unknown processor';
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, ${model}, ${processors.length} cores, ${process.platform} ${process.arch}, Node ${process.version}`;
};
