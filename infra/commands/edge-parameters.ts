import { type EdgeParameter, exchangeSecret } from '../stack/edge/secret-parameters.ts';
import type { StackSettings } from '../stack/stack-settings.ts';
import { findParameters } from './stack-state.ts';

/** Returns the parameters of the stack by which a deployment exchanges the secret of the CDN, and none without a CDN. */
export const createEdgeParameters = async ({
  stage,
  edge,
}: StackSettings): Promise<Partial<Record<EdgeParameter, string>>> =>
  edge ? exchangeSecret(await findParameters(stage)) : {};
