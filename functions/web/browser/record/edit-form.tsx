import type { ComponentChildren, FormHTMLAttributes, Ref } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Form } from '../data/form.ts';
import { guardWork } from '../shell/unsaved.ts';

interface EditFormProps<Values> extends FormHTMLAttributes<HTMLFormElement> {
  readonly form: Form<Values>;
  /** What a question calls its changes. */
  readonly of: string;
  readonly ref?: Ref<HTMLFormElement>;
  readonly children: ComponentChildren;
}

/** A form whose changes aren’t lost unasked while it is shown. */
export const EditForm = <Values extends object>(props: EditFormProps<Values>) => {
  const { form, of, children, ...attributes } = props;
  const name = useRef(of);
  name.current = of;
  useEffect(
    () =>
      guardWork({
        getName: () => name.current,
        isChanged: () => form.isChanged.value,
        // What is being sent may itself open another page once it is stored.
        isLost: () => form.isChanged.value && !form.isBusy.value,
        discard: form.discard,
      }),
    [form],
  );
  return (
    <form method="post" noValidate autocomplete="off" onSubmit={form.submit} {...attributes}>
      {children}
    </form>
  );
};
