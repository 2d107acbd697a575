import type { SecondStep } from '../../../../../browser/factors/second-step.ts';
import { showSecondStep } from './second-step.ts';

/** What a login answers: the tokens, or what follows. */
export type LoginResponse = {
  readonly data: object | (SecondStep & { readonly mfaRequired: true });
};

/** Shows the step that follows, or else leaves the page. */
export const finishLogin = ({ data }: LoginResponse, leave: () => undefined): undefined =>
  'mfaRequired' in data ? showSecondStep(data, leave) : leave();
