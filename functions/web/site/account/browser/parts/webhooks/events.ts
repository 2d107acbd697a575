import { formatList } from '../../../../../browser/data/format.ts';
import { webhookTexts as texts } from '../../../webhook-texts.ts';
import { eventTypes, type Webhook } from './state.ts';

/** Stands for all events of the user's own. */
export const allOwn = '*';

const names: Readonly<Record<string, string>> = texts.events;

/** Whether a type is one of the audit log's, whose names the service knows. */
export const isAuditEvent = (type: string): boolean => type !== allOwn && names[type] === undefined;

/** How many events a row names. */
const maxNamed = 3;

/** Returns the name of a type of events in words. */
export const nameEvent = (type: string): string =>
  names[type] ??
  eventTypes.data.value?.find((one) => one.type === type && one.group !== 'own')?.description ??
  type;

const order = Object.keys(names);

/** Returns the place of a type: own ones as they are offered, and then the audit log’s. */
const placeOf = (type: string): number => (isAuditEvent(type) ? order.length : order.indexOf(type));

/** Makes a name one within a sentence. `API` stays. */
const lower = (name: string): string =>
  /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;

/** Returns what a webhook is told: `Share opened and share ended`. */
export const describeEvents = ({ events }: Pick<Webhook, 'events'>): string => {
  const all = events.includes(allOwn) ? [texts.allEvents] : [];
  const others = events
    .filter((type) => type !== allOwn)
    .toSorted((one, other) => placeOf(one) - placeOf(other))
    .map(nameEvent);
  const named = [...all, ...others].map((name, at) => (at === 0 ? name : lower(name)));
  if (named.length <= maxNamed) return formatList(named);
  const more = texts.moreEvents(named.length - maxNamed + 1);
  return formatList([...named.slice(0, maxNamed - 1), more]);
};
