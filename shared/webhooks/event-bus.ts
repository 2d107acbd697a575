import { getSetting } from '../runtime/settings.ts';

/** Whether the events of all users, and the audit’s, go to an event bus of Amazon EventBridge too (decisions.md#events). */
export const isBusOn = (): boolean => getSetting('EVENT_BUS') !== undefined;
