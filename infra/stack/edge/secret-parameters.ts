import { createHash, randomBytes } from 'node:crypto';

/**
 * The parameters of a stack behind a CDN. Two places hold secrets, of which the CDN sends the one of `EdgeSends` (`A` or
 * `B`). Functions know only the hashes of those they accept, newest first.
 */
export const edgeParameterNames = [
  'EdgeSecretA',
  'EdgeSecretB',
  'EdgeSends',
  'EdgeAccepts',
] as const;

export type EdgeParameter = (typeof edgeParameterNames)[number];

const create = (): string => randomBytes(32).toString('base64url');

const hash = (secret: string): string => createHash('sha256').update(secret).digest('hex');

/**
 * Returns the parameters that exchange the secret, from those of the deployed stack, whose secrets can't be read. The CDN
 * sends the secret that was prepared before, which functions accept already, and another one is prepared. Functions
 * accept the former one, too, in case the deployment is rolled back.
 */
export const exchangeSecret = (
  deployed: Readonly<Partial<Record<EdgeParameter, string>>>,
): Partial<Record<EdgeParameter, string>> => {
  const { EdgeSends: sent, EdgeAccepts: hashes } = deployed;
  const prepared = create();
  if (sent === undefined || hashes === undefined) {
    const first = create();
    return {
      EdgeSecretA: first,
      EdgeSecretB: prepared,
      EdgeSends: 'A',
      EdgeAccepts: [prepared, first].map(hash).join(','),
    };
  }
  const [next, current] = hashes.split(',');
  return {
    [sent === 'A' ? 'EdgeSecretA' : 'EdgeSecretB']: prepared,
    EdgeSends: sent === 'A' ? 'B' : 'A',
    EdgeAccepts: [hash(prepared), next, current].join(','),
  };
};
