import { html } from '../../../../shared/text/html.ts';
import { cardFrame } from '../../layout/card.ts';
import type { Theme } from '../../layout/theme.ts';
import { enrolTexts as texts } from './texts.ts';

/** What the page that sets up a second factor is rendered for. */
export interface EnrolVisit {
  readonly theme: Theme | undefined;
  /** Whose second factor it is, for the file with recovery codes. */
  readonly email: string;
  /** The page to open afterwards. */
  readonly destination: string;
  /** Whether the service can have passkeys. */
  readonly hasPasskeys: boolean;
}

/** Renders the page that sets up a second factor, which its script fills. */
export const enrolPage = ({ theme, email, destination, hasPasskeys }: EnrolVisit): string =>
  cardFrame(
    { title: texts.title, theme, styles: ['enrol.css'], scripts: ['enrol.js'] },
    html`<div class="at-gate" id="enrol" data-email="${email}" data-destination="${destination}" data-passkeys="${hasPasskeys ? 'on' : 'off'}"></div>
<div class="toasts" id="toasts"></div>`,
  );
