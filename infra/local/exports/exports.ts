import { setTimeout as wait } from 'node:timers/promises';
import { handler } from '../../../functions/exports/index.ts';
import { lambdaClient } from '../../../shared/exports/lambda.ts';
import { serializeError } from '../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../shared/runtime/telemetry.ts';
import { runInProcess } from '../aws/host/in-process.ts';
import { openFunctions } from '../aws/lambda/functions.ts';
import { lambdaContext } from '../lambda-context.ts';

const functionName = 'handbill-exports';

/** As on AWS. */
const timeoutMs = 15 * 60_000;

/** How long the end of this process waits for an export, in ms. */
const closingMs = 10_000;

/** The function that makes exports, as this process calls it. */
export interface LocalExports {
  /** Waits for the exports that are being made. */
  settled(): Promise<void>;
  /** Waits a while for them, and sends calls elsewhere again. What isn't done then begins anew after the next start. */
  close(): Promise<void>;
}

/** Lets this process call the function that makes exports in itself. */
export const openExports = (): LocalExports => {
  const engine = openFunctions(
    {
      [functionName]: (event, id) => handler(event, lambdaContext(id, Date.now() + timeoutMs)),
    },
    (error) => getLogger().error('Function failed', { error: serializeError(error) }),
  );
  process.env['EXPORTS_FUNCTION'] ||= functionName;
  const disconnect = runInProcess(lambdaClient(), engine.operations);
  return {
    settled: engine.settled,
    async close() {
      await Promise.race([engine.settled(), wait(closingMs, undefined, { ref: false })]);
      disconnect();
    },
  };
};
