import { execFileSync } from 'node:child_process';
import { createHash, X509Certificate } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { createSecureServer, type Http2ServerRequest, type Http2ServerResponse } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes a certificate for this machine, by the openssl of the system. */
const makeCertificate = () => {
  const folder = mkdtempSync(join(tmpdir(), 'handbill-certificate-'));
  const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', keyFile, '-out', certFile];
  execFileSync('openssl', ['req', '-x509', '-days', '2', ...curve, ...name, ...files], {
    stdio: 'ignore',
  });
  const made = { key: readFileSync(keyFile), cert: readFileSync(certFile) };
  rmSync(folder, { recursive: true });
  return made;
};

/**
 * Serves a service over TLS, with HTTP/2 as a deployment does, and notes the paths of all requests. `settings` let a browser
 * trust the certificate: with an error that is ignored, it would keep nothing in its cache.
 */
export const serveByHttp2 = async (service: string) => {
  const certificate = makeCertificate();
  const asked: { readonly path: string; readonly visitor: string }[] = [];
  const versions = new Set<string>();
  const forward = (incoming: Http2ServerRequest, outgoing: Http2ServerResponse): void => {
    const { method, url, httpVersion } = incoming;
    const [, visitor = ''] = incoming.headers.cookie?.match(/visitor=([^;]*)/) ?? [];
    asked.push({ path: url, visitor });
    versions.add(httpVersion);
    const sent = Object.entries(incoming.headers).filter(([name]) => !name.startsWith(':'));
    const headers = { ...Object.fromEntries(sent), host: new URL(service).host };
    const sending = request(new URL(url, service), { method, headers }, (answer) => {
      const { connection, 'keep-alive': _, 'transfer-encoding': __, ...others } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 502, others);
      answer.pipe(outgoing);
    });
    sending.on('error', () => outgoing.stream.close());
    incoming.pipe(sending);
  };
  const server = createSecureServer({ ...certificate, allowHTTP1: true }, forward);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sessions = new Set<{ destroy(): void }>();
  server.on('session', (session) => sessions.add(session));
  onTestFinished(async () => {
    for (const session of sessions) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const key = new X509Certificate(certificate.cert).publicKey.export({
    type: 'spki',
    format: 'der',
  });
  const hash = createHash('sha256').update(key).digest('base64');
  return {
    url: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settings: [`--ignore-certificate-errors-spki-list=${hash}`],
    versions,
    /** Returns the assets that a visitor has asked for so far, who has a cookie of this name. */
    listAssets: (of: string): readonly string[] =>
      asked
        .filter(({ path, visitor }) => visitor === of && path.startsWith('/assets/'))
        .map(({ path }) => path.replace(/.*\/|\.\w+(?=\.\w+$)/g, '')),
  };
};
