import { toast } from '../components/toast.tsx';
import { shellTexts as texts } from './texts.ts';

/** Says that an action failed, and offers to repeat it. */
export const showFailure = (text: string, retry: () => unknown): void => {
  toast({ text, kind: 'bad', action: { label: texts.tryAgain, run: retry } });
};
