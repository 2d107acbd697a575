import { cpus } from 'node:os';

/** Where and when the figures were measured, for they hold for nothing else. */
export const machine = (): string => {
  const processors = cpus();
  const model = processors[0]?.model ?? 'unknown processor';
  const date = new Date().toISOString().slice(0, 10);
  return `${date}, ${model}, ${processors.length} cores, ${process.platform} ${process.arch}, Node ${process.version}`;
};
