import { type Era, metaKeys } from '../protocol/eras.ts';
import { type Fields, isObject, type Message } from '../protocol/message.ts';
import { ProtocolError } from '../protocol/protocol-error.ts';
import type { Caller, Method } from './method.ts';
import { promptsGet, promptsList } from './prompts.ts';
import { resourcesList, resourcesRead, resourceTemplatesList } from './resources.ts';
import { discover, getServerInfo, initialize, ping } from './server.ts';
import { toolsCall, toolsList } from './tools.ts';

const methods: ReadonlyMap<string, Method> = new Map([
  ['initialize', initialize],
  ['ping', ping],
  ['server/discover', discover],
  ['tools/list', toolsList],
  ['tools/call', toolsCall],
  ['resources/list', resourcesList],
  ['resources/templates/list', resourceTemplatesList],
  ['resources/read', resourcesRead],
  ['prompts/list', promptsList],
  ['prompts/get', promptsGet],
]);

/** Returns a result with what results of the era have. */
const complete = (result: Fields, era: Era, { cache }: Method): Fields => {
  if (era === 'legacy') return result;
  const { _meta: meta } = result;
  return {
    resultType: 'complete',
    ...result,
    ...cache,
    _meta: { ...(isObject(meta) && meta), [metaKeys.serverInfo]: getServerInfo() },
  };
};

/**
 * Runs the method of a request, and returns its result.
 * @throws ProtocolError
 */
export const answer = async (message: Message, era: Era, caller: Caller): Promise<Fields> => {
  const method = methods.get(message.method);
  if (!method?.eras.includes(era)) {
    throw new ProtocolError('methodNotFound', 'Method not found.', {
      status: era === 'modern' ? 404 : 200,
    });
  }
  return complete(await method.run(message.params, caller), era, method);
};
