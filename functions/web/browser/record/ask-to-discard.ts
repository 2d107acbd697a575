import { confirm } from '../components/dialog.tsx';
import { formatList } from '../data/format.ts';
import { recordTexts as texts } from './texts.ts';

/** Asks before changes to these are lost. Returns whether the user agreed. */
export const askToDiscard = (names: readonly string[]): Promise<boolean> =>
  confirm({
    title: texts.discardTitle,
    text: texts.discardText(formatList([...new Set(names)])),
    action: texts.discard,
  });
