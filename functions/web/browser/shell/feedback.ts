import { toast } from '../components/toast.tsx';
import { shellTexts as texts } from './texts.ts';

/**
 * Says that an action failed, and offers to repeat it. For code that didn't load, that is by a new page: browsers keep the
 * failure of a module.
 */
export const showFailure = (text: string, retry?: () => unknown): void => {
  const action = retry
    ? { label: texts.tryAgain, run: retry }
    : { label: texts.reload, run: () => location.reload() };
  toast({ text, kind: 'bad', action });
};
