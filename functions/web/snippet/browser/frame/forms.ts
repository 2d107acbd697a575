import { afterHandlers } from './after-handlers.ts';
import { tell } from './report.ts';

const closesDialog = (form: HTMLFormElement, submitter?: HTMLElement | null): boolean =>
  /^dialog$/i.test(submitter?.getAttribute('formmethod') ?? form.getAttribute('method') ?? '');

/** Stops forms that nobody receives, before the frame is replaced by an error and what was typed is lost. */
export const stopForms = (): void => {
  afterHandlers('submit', (event) => {
    if (closesDialog(event.target as HTMLFormElement, event.submitter)) return;
    event.preventDefault();
    tell('form', '');
  });
  const { submit } = HTMLFormElement.prototype;
  HTMLFormElement.prototype.submit = function () {
    if (closesDialog(this)) submit.call(this);
    else tell('form', '');
  };
};
