import { useSignal } from '@preact/signals';
import { toast } from '../../../../../browser/components/toast.tsx';
import { showFailure } from '../../../../../browser/shell/feedback.ts';

/** Creates what runs the request of a button. It shows what the request returns, if that is a text, or why it fails. */
export const useAction = () => {
  const isBusy = useSignal(false);
  const run = async (work: () => Promise<string | undefined>): Promise<void> => {
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      const text = await work();
      if (text !== undefined) toast({ text });
    } catch (error) {
      showFailure((error as Error).message, () => run(work));
    }
    isBusy.value = false;
  };
  return { isBusy, run };
};
