import { signal } from '@preact/signals';

/** How much was sent, in percent; `undefined` while nothing large is. */
export const percent = signal<number | undefined>(undefined);
