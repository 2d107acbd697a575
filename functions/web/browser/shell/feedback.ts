import { toast } from '../components/toast.tsx';
import { shellTexts as texts } from './texts.ts';

/**
 * Says that an action failed, and offers to repeat it. For code that didn't load, that is by a new page: browsers keep the
 * failure of a module.
 */
export const showFailure = (text: string, retry: () => unknown = () => location.reload()): void => {
  toast({ text, kind: 'bad', action: { label: texts.tryAgain, run: retry } });
};
