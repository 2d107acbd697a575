import type { ErrorCode, ErrorDetail } from '../../../../shared/runtime/errors.ts';
import type { BuiltTool } from './built-tool.ts';
import type { ToolResult } from './tool-result.ts';

/** An error of a call. */
export interface ToolError {
  readonly code: string;
  readonly message: string;
  readonly details: readonly ErrorDetail[];
  readonly requestId?: string;
  /** In seconds. */
  readonly retryAfter?: number;
}

const readAgain = ({ group }: BuiltTool): string =>
  group === 'documents' ? 'document_read' : 'share_read';

const find = ({ group }: BuiltTool): string =>
  group === 'documents' ? 'document_search' : 'share_list';

const isAboutCeiling = ({ message }: ToolError): boolean =>
  message.startsWith('This token may publish only');

type NextStep = (tool: BuiltTool, error: ToolError) => string;

const forbidden: NextStep = (_, error) =>
  isAboutCeiling(error)
    ? 'Stay within this rule of the token, or ask the person to allow the token more. Don’t try to get around it.'
    : 'Tell the person what is missing. Only they can allow it, where they made the token or connected you.';

const repeat = 'Wait a moment, then call it again, with the same `requestId` if it has one.';

/** What to do after each error. */
const nextSteps: Readonly<Partial<Record<ErrorCode, NextStep>>> = {
  VALIDATION_ERROR: () => 'Correct these arguments and call it again.',
  UNAUTHORIZED: () => 'Ask the person to connect you again.',
  FORBIDDEN: forbidden,
  REAUTHENTICATION_REQUIRED: forbidden,
  VERIFICATION_REQUIRED: () => 'Ask the person to verify their email address, then call it again.',
  ENROLMENT_REQUIRED: () => 'Ask the person to set up a second factor, then call it again.',
  DELETION_PENDING: () => 'Ask the person to keep the account first, then call it again.',
  NOT_FOUND: (tool) => `Look for it with ${find(tool)}. It may belong to someone else.`,
  CONFLICT: () =>
    'If arguments are named, choose what their rules propose. Else wait a second and call it again.',
  GONE: () =>
    'It has ended and can’t be changed. Publish it anew with share_create if the person wants that.',
  PRECONDITION_FAILED: (tool) =>
    `It was changed after you read it. Read it again with ${readAgain(tool)}, put your change into what it says now, and send its new version.`,
  PAYLOAD_TOO_LARGE: ({ group }) =>
    group === 'share'
      ? 'Move styles, scripts, pictures and data to files, and send each with share_file_put, or leave some out. The `handbill` command sends more at once.'
      : 'Shorten the text, or split it.',
  UNPROCESSABLE: () => 'Change the named arguments as their rules say.',
  RATE_LIMITED: (_, { retryAfter = 60 }) =>
    `Wait ${retryAfter} s before you call it again, and tell the person that it takes so long.`,
  INTERNAL_ERROR: (_, { requestId }) =>
    `Call it again once. If it fails again, tell the person${requestId ? ` the request id ${requestId}` : ''}.`,
  SERVICE_UNAVAILABLE: () => repeat,
};

const toNextStep: NextStep = (tool, error) =>
  nextSteps[error.code as ErrorCode]?.(tool, error) ?? 'Tell the person what happened.';

/** Creates the result of a call that failed: code, sentence, each argument with its rule, and what to do next. */
export const toErrorResult = (
  tool: BuiltTool,
  error: ToolError,
  insufficientScope?: string,
): ToolResult => {
  const lines = [
    `${error.code}: ${error.message}`,
    ...error.details.map(({ field, message }) => `- ${field} ${message}`),
    ...(insufficientScope === undefined ? [] : [`This needs ${insufficientScope}.`]),
    `Next: ${toNextStep(tool, error)}`,
  ];
  return {
    content: [{ type: 'text', text: lines.join('\n') }],
    isError: true,
    ...(insufficientScope !== undefined && { insufficientScope }),
  };
};
