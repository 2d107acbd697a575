import { serializeError } from '../../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../../shared/runtime/telemetry.ts';
import type { StoredEvent } from './event.ts';

/**
 * Returns the result of `run` for a stored event. If its rule or time zone is invalid, logs the error and returns
 * `undefined`, so that one such event doesn't make whole calendars unavailable.
 */
export const skipInvalid = <T>({ id }: StoredEvent, run: () => T): T | undefined => {
  try {
    return run();
  } catch (error) {
    getLogger().error('Invalid event skipped', { event: id, error: serializeError(error) });
    return undefined;
  }
};
