/**
 * What Lambda loads of a function. It sends the first event once this module is evaluated, with what the bundle prepares.
 * The bundle is required, because the ESM loader would read it once more to find its exports.
 */
import { createRequire } from 'node:module';

const { handler, ready } = createRequire(import.meta.url)('./bundle.js');
await ready;

export { handler };
