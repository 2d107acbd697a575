import { serializeError } from '../../../../shared/runtime/error-mapping.ts';
import { getLogger } from '../../../../shared/runtime/telemetry.ts';
import type { StoredEvent } from './event.ts';

/**
 * What is made of an event that is stored; `undefined`, which is logged, where it has a rule or a time zone that can not be
 * understood any more: one such event may not take all others from the calendars it is in.
 */
export const skipInvalid = <T>({ id }: StoredEvent, make: () => T): T | undefined => {
  try {
    return make();
  } catch (error) {
    getLogger().error('An event is left out', { event: id, failure: serializeError(error) });
    return undefined;
  }
};
