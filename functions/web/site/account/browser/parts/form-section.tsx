import type { ComponentChildren } from 'preact';
import { Button } from '../../../../browser/components/button.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import type { Form } from '../../../../browser/data/form.ts';
import { EditForm } from '../../../../browser/record/edit-form.tsx';
import { accountTexts as texts } from '../../account-texts.ts';
import { Section } from './section.tsx';

interface FormSectionProps<Values> {
  readonly title: string;
  readonly about?: string | undefined;
  /** Beside the title. */
  readonly action?: ComponentChildren;
  readonly form: Form<Values>;
  readonly submit: string;
  /** Whether its button is the primary one of the view. */
  readonly isPrimary?: boolean;
  /** Beside the button. */
  readonly beside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A card with a form. */
export const FormSection = <Values extends object>(props: FormSectionProps<Values>) => {
  const { title, about, action, form, submit, isPrimary = false, beside, children } = props;
  return (
    <Section title={title} about={about} action={action}>
      <EditForm class="in-card" form={form} of={texts.yourAccount} autocomplete="on">
        {children}
        {form.failure.value !== undefined && (
          <div class="mt0">
            <Notice kind="bad">{form.failure.value}</Notice>
          </div>
        )}
        <div class="row wrap mt">
          <Button type="submit" {...(isPrimary && { kind: 'primary' })} isBusy={form.isBusy.value}>
            {submit}
          </Button>
          {beside}
        </div>
      </EditForm>
    </Section>
  );
};
