import type { Reply } from '../../../shared/http/reply.ts';
import type { PublicError } from '../../../shared/http/route.ts';
import { snippetNotice } from './notice.ts';
import { snippetTexts as texts } from './texts.ts';

/**
 * Responds to an error with a page for the frame, for example when the framing page was opened long ago. No share has an
 * address that is invalid.
 */
export const replyWithErrorPage = ({ status }: PublicError): Reply<string> =>
  snippetNotice(status === 400 ? texts.nothingHere : texts.notInFrame, { status });
