import { html } from '../../../../shared/text/html.ts';
import type { Theme } from '../theme.ts';
import { gatePage, way } from './gate-page.ts';

/** What the pages of a report say besides their title. */
interface ReportTexts {
  readonly reportWhy: string;
  readonly reportReason: string;
  readonly reportHint: string;
  readonly reportSend: string;
  readonly reportBack: string;
  readonly reported: string;
  readonly reportedText: string;
}

/** What is reported: its address, and what is said of it. */
interface Reported {
  /** The path of its page, below which `/report` takes the form. */
  readonly path: string;
  readonly texts: ReportTexts;
  readonly theme: Theme | undefined;
}

/** What is shown again after a refused report. */
export interface RefusedReport {
  readonly error?: string;
  readonly reason?: string;
}

/** Renders the report form, which reveals nothing about what is reported. */
export const reportForm = (
  { path, texts, theme }: Reported,
  title: string,
  { reason = '', error }: RefusedReport,
): string =>
  gatePage({
    title,
    mark: 'flag',
    theme,
    about: texts.reportWhy,
    content: html`<form method="post" action="${path}/report">
<div class="field"><label for="reason">${texts.reportReason}</label>
<textarea class="in" id="reason" name="reason" rows="5" required minlength="3" maxlength="1000" aria-describedby="hint"${error === undefined ? undefined : html` aria-invalid="true"`}>
${reason}</textarea>
<p class="${error === undefined ? 'hint' : 'err'}" id="hint"${error === undefined ? undefined : html` role="alert"`}>${error ?? texts.reportHint}</p></div>
<button class="btn primary lg wide" type="submit">${texts.reportSend}</button>
</form>
`,
    note: html`<a href="${path}">${texts.reportBack}</a>`,
  });

/** Renders the confirmation of a report. */
export const reportConfirmation = ({ path, texts, theme }: Reported): string =>
  gatePage({
    title: texts.reported,
    mark: 'check',
    theme,
    about: texts.reportedText,
    content: way(path, texts.reportBack, 'primary '),
  });
