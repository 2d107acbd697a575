import { signal } from '@preact/signals';
import { render } from 'preact';

/** Is an entry of its own, so that the packages are a chunk apart from the common code, which changes more often. */
export const packages = { render, signal };
