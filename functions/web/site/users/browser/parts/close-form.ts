import { confirm } from '../../../../browser/components/dialog.tsx';
import type { Form } from '../../../../browser/data/form.ts';
import { usersTexts as texts } from '../../texts.ts';
import { url } from './state.ts';

/** Closes the drawer of a form, after a question if changes to `name` would be lost. */
export const closeForm = async (
  { isChanged }: Pick<Form<object>, 'isChanged'>,
  name: string,
): Promise<void> => {
  const question = {
    title: texts.discardTitle,
    text: texts.discardText(name),
    action: texts.discard,
  };
  if (!isChanged.value || (await confirm(question))) url.close({ open: undefined });
};
