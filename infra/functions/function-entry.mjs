/**
 * What Lambda loads of a function. It sends the first event once this module is evaluated, with what the bundle prepares.
 * The bundle is required, because the ESM loader would read it once more to find its exports.
 */
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { handler: own, ready } = require('./bundle.js');
await ready;

/** Answers an event by the group's route. The gateway sends all below its paths, so the fallback answers what is no route. */
const answer = async (event, context) => {
  const started = performance.now();
  const route = own.endpointOf(event);
  const respond = route === undefined ? require('./fallback.js').handler : own;
  const response = await respond(event, context);
  // The access log knows only the gateway's key. Not by the console, which Lambda puts into a longer line.
  const line = {
    requestId: event.requestContext.requestId,
    route: route ?? 'none',
    status: response.statusCode,
    ms: Math.round(performance.now() - started),
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
  return response;
};

export const handler = own.endpointOf ? answer : own;
