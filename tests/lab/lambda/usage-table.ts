import { textTable } from '../support/text-table.ts';
import type { FunctionProcess } from './function-process.ts';
import type { DeployedFunction } from './stack.ts';

const head = ['function', 'calls', 'peak MB', 'of MB', 'start ms', 'longest ms', 'of s'];

/** Formats the usage of each function next to its limits in the template. */
export const usageTable = (
  functions: readonly DeployedFunction[],
  processes: ReadonlyMap<string, FunctionProcess>,
): string =>
  textTable(
    head,
    functions.map(({ name, memoryMb, timeoutSeconds }) => {
      const taken = processes.get(name)?.taken();
      return [
        name,
        ...[
          taken?.invocations,
          taken?.maxRssMb,
          memoryMb,
          taken?.initMs,
          taken?.longestMs,
          timeoutSeconds,
        ].map((value = 0) => value.toFixed(0)),
      ];
    }),
  );
