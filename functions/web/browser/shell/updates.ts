import { signal } from '@preact/signals';
import { createClient } from '../client/client.ts';
import { signedIn } from './session.ts';

/** What is new for the user. */
export interface Updates {
  readonly unreadMessages: number;
  readonly unreadNotifications: number;
  /** Increases when the user’s calendar changes; `undefined` before the first response. */
  readonly calendarVersion: number | undefined;
  /** Shares that wait for a decision. */
  readonly reportedShares: number;
}

/** What is new, as of the last poll. Pages react to its changes. */
export const updates = signal<Updates>({
  unreadMessages: signedIn?.counts.messages ?? 0,
  unreadNotifications: signedIn?.counts.notifications ?? 0,
  calendarVersion: undefined,
  reportedShares: signedIn?.counts.reports ?? 0,
});

/** The number of polls that brought something new. */
export const polledChanges = signal(0);

const intervalMs = 30_000;

// Without the dialog for signing in: it opens when the user does something, not by itself.
const read = createClient().reader('GET /api/notifications/updates');

let timer: ReturnType<typeof setTimeout> | undefined;
let isAsking = false;

const poll = async (): Promise<void> => {
  clearTimeout(timer);
  if (isAsking || document.hidden) return;
  isAsking = true;
  try {
    const { data, isChanged } = await read();
    if (isChanged) {
      updates.value = data;
      polledChanges.value++;
    }
  } catch {
    // The next poll tries again; what needs the service says itself that it fails.
  }
  isAsking = false;
  if (!document.hidden) timer = setTimeout(poll, intervalMs);
};

/** Asks for updates every 30 seconds while the page is visible, and at once when it becomes visible again. */
export const startUpdates = (): void => {
  document.addEventListener('visibilitychange', poll);
  addEventListener('online', poll);
  // The page has the counts of this moment.
  timer = setTimeout(poll, intervalMs);
};
