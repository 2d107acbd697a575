import type { Client } from '../../../../functions/web/browser/client/client.ts';
import { countBytes } from '../../../../shared/text/count-bytes.ts';
import { withContent } from '../commands/sending.ts';
import { usageError } from '../error-mapping.ts';
import type { Confinement, Place } from './confinement.ts';
import { maxServiceBytes, readDocument, readShareFile, readToShare } from './given.ts';
import { type Response, toObject } from './message.ts';
import { amendSealed } from './sealed-tools.ts';

/** The arguments of a call. */
export type Arguments = Readonly<Record<string, unknown>>;

/** What a call by path needs. */
export interface PathCall {
  readonly confinement: Confinement;
  /** Uploads what no call takes. */
  readonly client: Client;
  /** Calls the tool of the service with these arguments. */
  readonly call: (given: Arguments) => Promise<Response>;
}

/** A tool of the service that takes content from a file of this machine, too. */
interface PathTool {
  /** The argument that has the path. */
  readonly argument: string;
  /** More arguments that this command adds. */
  readonly added: Readonly<Record<string, object>>;
  /** Arguments that say the same in another way. */
  readonly contradicts: readonly string[];
  /** Arguments that aren’t required with a path. */
  readonly replaces: readonly string[];
  /** When to use it. */
  readonly description: string;
  run(place: Place, given: Arguments, context: PathCall): Promise<Response>;
}

const text = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** A response that says that nothing was done, which takes what was uploaded with it. */
class Refusal extends Error {
  readonly response: Response;

  constructor(response: Response) {
    super('The service refused the call.');
    this.response = response;
  }
}

const fits = (body: object): boolean => countBytes(JSON.stringify(body)) <= maxServiceBytes;

const isFailure = ({ error, result }: Response): boolean =>
  error !== undefined || result?.['isError'] === true;

/** Sends what is at a place, then calls the tool with what it is. */
const share = async (
  place: Place,
  { main, ...given }: Arguments,
  { client, call }: PathCall,
  id?: string,
): Promise<Response> => {
  const language = given['language'];
  const shared = await readToShare(place, {
    main: text(main),
    ...((language === 'markdown' || language === 'html') && { language }),
  });
  if ('file' in shared) throw new TypeError('A file is shared as files.');
  try {
    return await withContent(
      client,
      shared,
      { share: id, fields: given, fits },
      async (content) => {
        const response = await call({ ...content, ...given });
        if (isFailure(response)) throw new Refusal(response);
        return response;
      },
    );
  } catch (error) {
    if (error instanceof Refusal) return error.response;
    throw error;
  }
};

const mainArgument = {
  type: 'string',
  description:
    'With `path` of a folder or ZIP: the file that readers see first, by its path in there.',
};

const createPath = (more: string) => ({
  type: 'string',
  description: `Path of a file, folder or ZIP on this machine, relative to the working folder. ${more}`,
});

const tools: ReadonlyMap<string, PathTool> = new Map(
  Object.entries({
    share_create: {
      argument: 'path',
      added: { path: createPath('Instead of `content`.'), main: mainArgument },
      contradicts: ['content'],
      replaces: ['content', 'language'],
      description:
        'With `path`, a file, folder or ZIP of this machine is published as it is, and you need not read it.',
      run: (place, given, context) => share(place, given, context),
    },
    share_update: {
      argument: 'path',
      added: {
        path: createPath('Instead of `content`; all files of the share are replaced.'),
        main: mainArgument,
      },
      contradicts: ['content'],
      replaces: [],
      description:
        'With `path`, the share gets a file, folder or ZIP of this machine, of which only what has changed is sent.',
      run: (place, given, context) => share(place, given, context, text(given['id'])),
    },
    share_file_put: {
      argument: 'from',
      added: {
        from: {
          type: 'string',
          description:
            'Path of a file on this machine, relative to the working folder. Instead of `content` and `base64`.',
        },
      },
      contradicts: ['content', 'base64'],
      replaces: ['path', 'content', 'base64'],
      description:
        'With `from`, the file is read on this machine; `path` then is its name, unless you send one.',
      run: async (place, given, { call }) => {
        const base64 = (await readShareFile(place)).toString('base64');
        return call({ path: place.name, ...given, base64 });
      },
    },
    document_create: {
      argument: 'path',
      added: {
        path: {
          type: 'string',
          description:
            'Path of a text file on this machine, relative to the working folder. Instead of `content`.',
        },
      },
      contradicts: ['content'],
      replaces: ['content', 'title'],
      description:
        'With `path`, the text is read on this machine; the title then is the name of the file, unless you send one.',
      run: async (place, given, { call }) =>
        call({ title: place.name.slice(0, 200), ...given, content: await readDocument(place) }),
    },
  } satisfies Record<string, PathTool>),
);

/**
 * Finds how a call takes content from this machine; `undefined` if it doesn’t ask for that.
 * @throws CliError for a path that is no text, or beside content
 */
export const findPathCall = (
  name: unknown,
  given: Arguments,
): ((context: PathCall) => Promise<Response>) | undefined => {
  const tool = tools.get(String(name));
  const path = tool && given[tool.argument];
  if (!tool || path === undefined || path === null) return undefined;
  const { argument, contradicts, run } = tool;
  return async (context) => {
    if (typeof path !== 'string') throw usageError(`Invalid ${argument}: must be a text.`);
    const other = contradicts.find((one) => given[one] !== undefined && given[one] !== null);
    if (other !== undefined) throw usageError(`Send either ${argument} or ${other}.`);
    const { [argument]: _, ...rest } = given;
    return run(await context.confinement.resolve(path), rest, context);
  };
};

/** Adds the arguments of this command to a tool of the service. */
const amend = (listed: unknown): unknown => {
  const shown = toObject(listed);
  const tool = tools.get(String(shown?.['name']));
  const schema = toObject(shown?.['inputSchema']);
  if (!shown || !tool || !schema) return listed;
  const { required } = schema;
  const kept = Array.isArray(required)
    ? required.filter((name) => !tool.replaces.includes(name))
    : [];
  return {
    ...shown,
    description: [shown['description'], tool.description].filter(Boolean).join(' '),
    inputSchema: {
      ...schema,
      properties: { ...toObject(schema['properties']), ...tool.added },
      required: kept,
    },
  };
};

/** Returns the response of `tools/list` with what this command adds to the tools. */
export const amendTools = (response: Response): Response => {
  const listed = response.result?.['tools'];
  if (!Array.isArray(listed)) return response;
  return {
    ...response,
    result: { ...response.result, tools: listed.map((one) => amendSealed(amend(one))) },
  };
};

const namesOf = (response: Response, isWanted: (tool: Arguments) => boolean): readonly string[] => {
  const listed = response.result?.['tools'];
  if (!Array.isArray(listed)) return [];
  return listed
    .map((one) => toObject(one) ?? {})
    .filter(isWanted)
    .map(({ name }) => String(name));
};

/** Returns the names of the tools that change nothing, which may be called again after a lost response. */
export const findReading = (response: Response): readonly string[] =>
  namesOf(response, ({ annotations }) => toObject(annotations)?.['readOnlyHint'] === true);

/** Returns the names of the tools whose calls the service knows again by their `requestId`. */
export const findKeyed = (response: Response): readonly string[] =>
  namesOf(response, ({ inputSchema }) => {
    const properties = toObject(toObject(inputSchema)?.['properties']);
    return properties?.['requestId'] !== undefined;
  });
