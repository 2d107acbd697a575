import { EditMap } from 'micromark-util-edit-map';
import type { Event } from 'micromark-util-types';

/**
 * Makes micromark's edits of its event list linear, with the same result. At the end of each list, quote and setext
 * heading, `consume` copies every event before the edit, which makes ordinary documents quadratic: 250 KB took four
 * times as long. Here events before the first edit stay in place. Imported once, where micromark runs.
 */
EditMap.prototype.consume = function consume(events: Event[]): undefined {
  const edits = this.map.toSorted(([a], [b]) => a - b);
  const start = edits[0]?.[0];
  if (start === undefined) return undefined;
  const tail = events.slice(start);
  events.length = start;
  let next = 0;
  for (const [at, removed, added] of edits) {
    for (; next < at - start; next++) events.push(tail[next] as Event);
    for (const event of added) events.push(event);
    next = at + removed - start;
  }
  for (; next < tail.length; next++) events.push(tail[next] as Event);
  this.map.length = 0;
  this.index.clear();
  return undefined;
};
