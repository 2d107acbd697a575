import type { RequestListener, ServerResponse } from 'node:http';
import { importJWK, type JWTPayload, SignJWT } from 'jose';
import type { Issuer } from '../../../infra/local/issuer/issuer.ts';

/** What an issuer does otherwise than it should, until it is told to behave. */
export interface Misbehaviour {
  /** Changes what ID tokens say; they stay signed by the issuer. */
  readonly claims?: (claims: JWTPayload) => JWTPayload;
  /** Signs ID tokens with another key, or with none. */
  readonly signature?: 'other' | 'none';
  /** Gets the body of each response with tokens. */
  readonly record?: (tokens: string) => void;
  /** Responds in its place; `false` leaves a request to it. */
  readonly respond?: (path: string, response: ServerResponse) => boolean;
}

const readClaims = (idToken: string): JWTPayload =>
  JSON.parse(Buffer.from(idToken.split('.')[1] ?? '', 'base64url').toString());

const forge = async (
  idToken: string,
  { claims = (same) => same, signature }: Misbehaviour,
  { signingKey }: Issuer,
): Promise<string> => {
  const changed = claims(readClaims(idToken));
  const header = { alg: 'ES256', kid: String(signingKey['kid']) };
  const signed = await new SignJWT(changed)
    .setProtectedHeader(header)
    .sign(await importJWK({ ...signingKey }, 'ES256'));
  const [head = '', body = '', mark = ''] = signed.split('.');
  if (signature === 'none') {
    const none = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url');
    return `${none}.${body}.`;
  }
  const turned = Buffer.from(mark, 'base64url').map((byte) => byte ^ 1);
  return `${head}.${body}.${signature ? Buffer.from(turned).toString('base64url') : mark}`;
};

/** Lets an issuer misbehave as it is told. */
export const misbehaving =
  (how: () => Misbehaviour, issuer: () => Issuer) =>
  (listener: RequestListener): RequestListener =>
  (request, response) => {
    const path = new URL(request.url ?? '/', 'http://localhost').pathname;
    const misbehaviour = how();
    if (misbehaviour.respond?.(path, response)) return;
    if (path === '/token') {
      const end = response.end.bind(response);
      const forgeBody = async (body: string | Buffer) => {
        const tokens = JSON.parse(String(body));
        if (!tokens.id_token) return String(body);
        return JSON.stringify({
          ...tokens,
          id_token: await forge(tokens.id_token, misbehaviour, issuer()),
        });
      };
      response.end = ((body: string | Buffer) => {
        response.removeHeader('content-length');
        void forgeBody(body).then((forged) => {
          misbehaviour.record?.(forged);
          end(forged);
        });
        return response;
      }) as typeof response.end;
    }
    listener(request, response);
  };
