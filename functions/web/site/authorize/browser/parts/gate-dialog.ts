import { askToProve } from '../../../../browser/factors/step-up-dialog.tsx';
import css from './gate-dialog.css?text';

const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

/** Lets a person prove over the page who they are, as on pages of the console, and returns whether they did. @throws ApiError */
export const askAtGate: typeof askToProve = (refusal) => askToProve(refusal);
