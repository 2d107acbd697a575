import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

/** The requests that a page of another site attempts. */
export interface Attempts {
  /** Sent by forms and fetch, with every content type that needs no preflight. */
  readonly posts: readonly { readonly url: string; readonly body: string }[];
  /** The fields of a form with a file, like an upload to S3. */
  readonly uploads: readonly { readonly url: string; readonly fields: Record<string, string> }[];
  readonly reads: readonly string[];
  /** Loaded as image, script and style sheet. */
  readonly parts: readonly string[];
  readonly sockets: readonly string[];
}

/** Successful attempts with their URLs; expected to be empty. */
export type Gains = readonly string[];

/** Serves an empty page on a free port of 127.0.0.1 until the test ends, and returns the port. */
export const serveHostilePage = async (): Promise<number> => {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Hostile</title><body>');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
};

/** Runs in the page, so it is a string: its types differ from those of Node.js. */
const script = `async ({ posts, uploads, reads, parts, sockets }) => {
  const gains = [];
  const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];
  const add = (tag, fields) => {
    const element = Object.assign(document.createElement(tag), fields);
    return element;
  };
  const happens = (element, good, bad) => new Promise((resolve) => {
    element.addEventListener(good, () => resolve(true));
    element.addEventListener(bad, () => resolve(false));
  });
  let count = 0;
  const submit = async (form) => {
    const frame = document.body.appendChild(add('iframe', { name: 'target-' + ++count }));
    const loaded = happens(frame, 'load', 'error');
    form.target = frame.name;
    document.body.append(form);
    HTMLFormElement.prototype.submit.call(form);
    await loaded;
    try { if (frame.contentDocument?.body.innerText) gains.push('frame ' + form.action); } catch {}
  };
  for (const { url, body } of posts) {
    for (const enctype of types) {
      const form = add('form', { method: 'post', action: url, enctype });
      if (enctype === 'application/x-www-form-urlencoded') {
        for (const [name, value] of new URLSearchParams(body)) form.append(add('input', { type: 'hidden', name, value }));
      } else {
        const [name, ...rest] = body.split('=');
        form.append(add('textarea', { name, value: rest.join('=') }));
      }
      await submit(form);
      await fetch(url, { method: 'POST', mode: 'no-cors', credentials: 'include', headers: { 'content-type': enctype }, body }).catch(() => {});
      await fetch(url, { method: 'POST', headers: { 'content-type': enctype }, body }).then(
        async (response) => gains.push('post ' + url + ' ' + await response.text()),
        () => {},
      );
    }
    await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body }).then(
      () => gains.push('json ' + url),
      () => {},
    );
    navigator.sendBeacon(url, body);
  }
  for (const { url, fields } of uploads) {
    const form = add('form', { method: 'post', action: url, enctype: 'multipart/form-data' });
    for (const [name, value] of Object.entries(fields)) form.append(add('input', { type: 'hidden', name, value }));
    const files = new DataTransfer();
    files.items.add(new File(['planted'], 'planted.html', { type: 'text/html' }));
    const file = add('input', { type: 'file', name: 'file' });
    file.files = files.files;
    form.append(file);
    await submit(form);
  }
  for (const url of reads) {
    for (const credentials of ['omit', 'include']) {
      await fetch(url, { credentials }).then((response) => gains.push('read ' + url), () => {});
      await fetch(url, { credentials, mode: 'no-cors' }).catch(() => {});
    }
  }
  for (const url of parts) {
    for (const [tag, fields] of [['img', { src: url }], ['script', { src: url }], ['link', { rel: 'stylesheet', href: url }]]) {
      const element = add(tag, fields);
      const loaded = happens(element, 'load', 'error');
      document.body.append(element);
      if (await loaded) gains.push(tag + ' ' + url);
    }
  }
  for (const url of sockets) {
    if (await happens(new WebSocket(url), 'open', 'error')) gains.push('socket ' + url);
  }
  return gains;
}`;

/** Runs all attempts in the open page, one after another. */
export const attack = (page: Page, attempts: Attempts): Promise<Gains> =>
  page.evaluate(`(${script})(${JSON.stringify(attempts)})`);
