import { withCommandKey } from '../shell/platform.ts';
import { commonTexts } from '../texts.ts';

/** What to do where the browser refuses to copy. */
export const copyByHand: string = commonTexts.copyByHand(withCommandKey('C'));
