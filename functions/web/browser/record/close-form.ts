import { confirm } from '../components/dialog.tsx';
import type { Form } from '../data/form.ts';
import { recordTexts as texts } from './texts.ts';

/** Closes a form by `close`, after a question if changes to `name` would be lost. */
export const closeForm = async (
  { isChanged }: Pick<Form<object>, 'isChanged'>,
  name: string,
  close: () => unknown,
): Promise<void> => {
  const question = {
    title: texts.discardTitle,
    text: texts.discardText(name),
    action: texts.discard,
  };
  if (!isChanged.value || (await confirm(question))) close();
};
