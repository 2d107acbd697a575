import type { ApiError } from '../../../../../browser/client/api-error.ts';
import { siteTexts } from '../../../../../layout/texts.ts';
import { formatBytes } from '../../../content.ts';
import { refusalTexts as texts } from '../../../refusal-texts.ts';
import { countContentBytes, language } from '../content.ts';
import { byId } from '../elements.ts';
import { findContentFault, refuseContent } from '../failures.ts';
import { tooLargeText } from '../file.ts';
import { failure } from '../notice.ts';
import { editId } from '../state.ts';
import { showDetails } from './details.ts';

/** Only the API knows the number of views. */
const isViewLimitTooLow = ({ details }: ApiError): boolean =>
  editId !== undefined &&
  details.some(
    ({ field, message }) => field === 'viewLimit' && message.endsWith('already counted'),
  );

/** Shows why the API refused what was sent, beside the field where it names one. */
export const showRefusal = (error: ApiError): void => {
  const { status, message, details } = error;
  if (status === 401) {
    // Signing in opens in a new tab, because drafts don't keep the password.
    failure.value = { text: texts.signedOutMeanwhile, signIn: siteTexts.signIn };
  } else if (status === 412) {
    failure.value = { text: texts.changedMeanwhile };
  } else if (status === 413 && details.length === 0) {
    // The gateway's 413 has no fields.
    const size = formatBytes(countContentBytes());
    refuseContent(findContentFault() ?? tooLargeText(language.value, size));
  } else {
    byId('end-offer').hidden = !isViewLimitTooLow(error);
    if (!showDetails(details)) failure.value = { text: message };
  }
};
