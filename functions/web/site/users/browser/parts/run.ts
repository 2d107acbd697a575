import { toast } from '../../../../browser/components/toast.tsx';
import { showFailure } from '../../../../browser/shell/feedback.ts';

/** Runs an action and loads the list again; says what failed. */
export const run = async (
  send: () => Promise<unknown>,
  load: () => Promise<void>,
  text: string,
): Promise<void> => {
  try {
    await send();
    await load();
    toast({ text });
  } catch (error) {
    showFailure((error as Error).message, () => run(send, load, text));
  }
};
