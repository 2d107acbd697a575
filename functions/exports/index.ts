import type { Context } from 'aws-lambda';
import { publishMetrics } from '../../shared/runtime/telemetry.ts';
import { runWithin } from '../../shared/runtime/time-left.ts';
import { makeDueExports } from './run.ts';

/** The Lambda handler that makes the exports which wait. What it is called with says nothing. */
export const handler = (_event: unknown, context: Context): Promise<void> =>
  runWithin(context, () => makeDueExports().finally(publishMetrics));
