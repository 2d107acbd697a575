import type { Reply } from '../../../shared/http/reply.ts';
import type { PublicError } from '../../../shared/http/route.ts';
import { snippetNotice } from './notice.ts';
import { snippetTexts as texts } from './texts.ts';

/** The paths that shares can have. */
const ofShare = /^\/[\w-]+$/;

/** Responds to an error with a page for the frame, for example when the framing page was opened long ago. */
export const replyWithErrorPage = ({ status, path }: PublicError): Reply<string> =>
  snippetNotice(ofShare.test(path) ? texts.notInFrame : texts.nothingHere, { status });
