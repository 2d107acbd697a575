import type { RouteTool } from '../../../shared/http/tool.ts';

/** What changes the share that a model has read, and what others see of it. */
const changes = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
} as const;

const reads = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
} as const;

const audienceMeaning =
  'Who can open it: its owner (`private`), the `people` in `readers`, signed-in `members`, or anyone with the `link`.';

const options = [
  ...['title', 'description', 'audience', 'readers', 'slug', 'viewLimit', 'expiresIn'],
  ...['useRandomPassword', 'notify'],
];

export const createTools: readonly RouteTool[] = [
  {
    name: 'share_create',
    title: 'Publish a page',
    description:
      'Publishes HTML or Markdown as a page and returns its link. Only its owner can open it unless you send `audience` or `readers`: ask the person before you widen it, and about `expiresIn`. HTML must be one document; send styles, scripts and pictures as files with share_file_put afterwards. A generated password is returned once.',
    hints: { ...changes, destructiveHint: false, idempotentHint: false },
    inputs: ['content', 'language', ...options],
    required: ['content', 'language'],
    upload: { inputs: ['upload', 'files', 'main', 'fileName'], replaces: ['content', 'language'] },
    meanings: { content: 'The text of the page.', audience: audienceMeaning },
    defaults: { values: { audience: 'private' }, unless: ['audience', 'readers'] },
    outputs: ['id', 'url', 'audience', 'expiresAt', 'password', 'missing'],
  },
];

/** The fields of a share by which a model finds and changes it. */
const found = [
  ...['id', 'title', 'url', 'language', 'audience', 'status', 'version', 'views', 'viewsLeft'],
  ...['expiresAt', 'createdAt', 'updatedAt', 'protected', 'fileTotals', 'sealed'],
];

export const readTools: readonly RouteTool[] = [
  {
    name: 'share_read',
    title: 'Read your share',
    description:
      'Returns a share of the person with its text and `version`, which share_update needs. It counts no view. A long text comes in parts: while there is a `nextOffset`, send it as `offset`.',
    hints: reads,
    inputs: ['id'],
    required: ['id'],
    fixed: { mine: 'true' },
    outputs: [
      ...found,
      ...['description', 'slug', 'readers', 'viewLimit', 'lastViewedAt', 'endedBy', 'main'],
      'content',
    ],
    longText: 'content',
    showsContent: true,
  },
  {
    name: 'share_list',
    title: 'List your shares',
    description:
      'Lists the shares of the person, the newest first. While there is a `nextCursor`, send it as `cursor`.',
    hints: reads,
    inputs: ['status', 'cursor', 'pageSize'],
    fixed: { mine: 'true' },
    outputs: found,
    showsContent: true,
  },
];

export const updateTools: readonly RouteTool[] = [
  {
    name: 'share_update',
    title: 'Change a share',
    description:
      'Changes the fields that you send, and replaces the text with `content`; `null` clears a field. Send the `version` that you read: if it has changed since, you are told to read again. Ask the person before you let more people open it.',
    hints: changes,
    inputs: ['id', 'content', 'language', 'main', ...options],
    required: ['version'],
    upload: { inputs: ['upload', 'files'], replaces: [] },
    // The default of the service may be wider than what the share has.
    keeps: ['audience'],
    meanings: {
      content: 'The whole new text of the page.',
      main: 'The path of the file that readers see first.',
      audience: audienceMeaning,
    },
    outputs: ['id', 'url', 'title', 'audience', 'version', 'expiresAt', 'password', 'missing'],
    showsContent: true,
  },
];
