import type { PageState } from './page-state.ts';
import { accountStates } from './states/accounts.ts';
import { documentStates } from './states/document.ts';
import { documentsStates } from './states/documents.ts';
import { errorStates } from './states/errors.ts';
import { eventStates } from './states/events.ts';
import { readerStates } from './states/readers.ts';
import { shellStates } from './states/shell.ts';
import { siteStates } from './states/site.ts';

/** Every page, in each state that looks different. The tests visit and `npm run pictures` shows them. */
export const pageStates: readonly PageState[] = [
  ...siteStates,
  ...eventStates,
  ...documentsStates,
  ...documentStates,
  ...shellStates,
  ...accountStates,
  ...readerStates,
  ...errorStates,
];
