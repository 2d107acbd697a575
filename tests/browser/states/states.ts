import type { PageState } from '../../support/pages/page-state.ts';
import { accountStates } from './accounts.ts';
import { composerStates } from './composer.ts';
import { consentStates } from './consent.ts';
import { documentStates } from './document.ts';
import { documentsStates } from './documents.ts';
import { errorStates } from './errors.ts';
import { eventStates } from './events.ts';
import { exportStates } from './exports.ts';
import { kindStates } from './kinds.ts';
import { providerStates } from './providers.ts';
import { readerStates } from './readers.ts';
import { sealedStates } from './sealed.ts';
import { secondFactorStates } from './second-factor.ts';
import { securityStates } from './security.ts';
import { shellStates } from './shell.ts';
import { signInWayStates } from './sign-in-ways.ts';
import { siteStates } from './site.ts';
import { webhookStates } from './webhooks.ts';

/** Every page, in each state that looks different. The tests visit and `npm run pictures` shows them. */
export const pageStates: readonly PageState[] = [
  ...composerStates,
  ...siteStates,
  ...eventStates,
  ...documentsStates,
  ...documentStates,
  ...shellStates,
  ...accountStates,
  ...securityStates,
  ...webhookStates,
  ...exportStates,
  ...secondFactorStates,
  ...providerStates,
  ...signInWayStates,
  ...consentStates,
  ...readerStates,
  ...sealedStates,
  ...kindStates,
  ...errorStates,
];
