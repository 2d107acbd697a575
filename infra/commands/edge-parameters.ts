import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type EdgeParameter, exchangeSecret } from '../stack/edge/secret-parameters.ts';
import { readStackSettings } from '../stack/stack-settings.ts';
import { findParameters } from './stack-state.ts';

/** Reads the context of a deployment: that of cdk.json, and values of the command line (`name=value`), which come first. */
const readContext = (stage: string, values: readonly string[]) => {
  const file = readFileSync(join(import.meta.dirname, '../../cdk.json'), 'utf8');
  const { context } = JSON.parse(file) as { context: Readonly<Record<string, unknown>> };
  const given = values.map((value): [string, string] => {
    const end = value.indexOf('=');
    return [value.slice(0, end), value.slice(end + 1)];
  });
  const all: Readonly<Record<string, unknown>> = {
    ...context,
    ...Object.fromEntries(given),
    stage,
  };
  return (name: string): unknown => all[name];
};

/**
 * Returns the parameters of the stack by which a deployment exchanges the secret of the CDN, and none without a CDN.
 * @throws SettingError for an invalid setting
 */
export const createEdgeParameters = async (
  stage: string,
  context: readonly string[],
): Promise<Partial<Record<EdgeParameter, string>>> =>
  readStackSettings(readContext(stage, context)).edge
    ? exchangeSecret(await findParameters(stage))
    : {};
