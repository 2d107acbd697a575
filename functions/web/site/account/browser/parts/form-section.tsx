import type { ComponentChildren } from 'preact';
import { Button } from '../../../../browser/components/button.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import type { Form } from '../../../../browser/data/form.ts';
import { EditForm } from '../../../../browser/record/edit-form.tsx';
import { accountTexts as texts } from '../../account-texts.ts';
import { Section } from './section.tsx';

interface FormSectionProps<Values> {
  readonly title: string;
  readonly form: Form<Values>;
  readonly submit: string;
  readonly children: ComponentChildren;
}

/** A card with a form. */
export const FormSection = <Values extends object>(props: FormSectionProps<Values>) => {
  const { title, form, submit, children } = props;
  return (
    <Section title={title}>
      <EditForm class="in-card" form={form} of={texts.yourAccount} autocomplete="on">
        {children}
        {form.failure.value !== undefined && (
          <div class="mt0">
            <Notice kind="bad">{form.failure.value}</Notice>
          </div>
        )}
        <div class="mt">
          <Button type="submit" kind="primary" isBusy={form.isBusy.value}>
            {submit}
          </Button>
        </div>
      </EditForm>
    </Section>
  );
};
