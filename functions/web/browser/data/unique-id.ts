import { useState } from 'preact/hooks';

let last = 0;

/** Returns an id that no other element of the page has. That of `useId` repeats in every tree that is rendered. */
export const useUniqueId = (): string => useState(() => `id-${++last}`)[0];
