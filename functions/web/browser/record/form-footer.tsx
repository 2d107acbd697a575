import type { ComponentChildren } from 'preact';
import { Button } from '../components/button.tsx';
import { componentTexts as texts } from '../components/texts.ts';
import type { Form } from '../data/form.ts';
import { leave } from '../shell/unsaved.ts';

interface FormFooterProps {
  /** The id of the form. */
  readonly id: string;
  readonly form: Pick<Form<never>, 'isBusy' | 'isChanged'>;
  /** The label of the button that sends the form; without it, there is none. */
  readonly submit: string | false;
  /** Whether the form changes a record, so that it can be sent once something differs. */
  readonly isEdit?: boolean;
  /** Why it can’t be sent now. */
  readonly whyDisabled?: string | undefined;
  readonly onClose: () => unknown;
  /** At the end, such as a menu. */
  readonly children?: ComponentChildren;
}

/** The buttons of a form in a drawer. */
export const FormFooter = (props: FormFooterProps) => {
  const { id, form, submit, isEdit = false, whyDisabled, onClose, children } = props;
  return (
    <>
      {submit !== false && (
        <Button
          kind="primary"
          type="submit"
          form={id}
          isBusy={form.isBusy.value}
          disabled={isEdit && !form.isChanged.value}
          whyDisabled={whyDisabled}
        >
          {submit}
        </Button>
      )}
      <Button kind="ghost" onClick={() => leave(onClose)}>
        {texts.cancel}
      </Button>
      {children && <span class="end">{children}</span>}
    </>
  );
};
