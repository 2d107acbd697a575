import { describe, expect, it } from 'vitest';
import {
  findRedirectProblem,
  matchRedirect,
} from '../../../../functions/api/apps/clients/redirects.ts';

const client = {
  redirectUris: [
    'https://app.example.com/oauth/callback',
    'https://app.example.com/list?of=1',
    'https://app.example.com:8443/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:7000/callback',
    'http://localhost:3000/callback?from=us',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.app:/callback',
  ],
};

describe('matchRedirect', () => {
  it.each([
    ['https://app.example.com/oauth/callback', 'app.example.com', false, true],
    ['https://app.example.com/list?of=1', 'app.example.com', false, true],
    ['https://app.example.com:8443/callback', 'app.example.com:8443', false, true],
    ['http://127.0.0.1/callback', 'localhost', true, false],
    ['http://127.0.0.1:1/callback', 'localhost', true, false],
    ['http://127.0.0.1:65535/callback', 'localhost', true, false],
    ['http://[::1]/callback', 'localhost', true, false],
    ['http://[::1]:9000/callback', 'localhost', true, false],
    ['http://localhost:49152/callback?from=us', 'localhost', true, false],
    ['cursor://anysphere.cursor-mcp/oauth/callback', 'cursor://', false, false],
    ['com.example.app:/callback', 'com.example.app://', false, false],
  ])('takes %s', (uri, host, isLoopback, isHttps) => {
    expect(matchRedirect(client, uri)).toEqual({ host, isLoopback, isHttps });
  });

  it.each([
    ['a longer path', 'https://app.example.com/oauth/callback/x'],
    ['a suffix', 'https://app.example.com/oauth/callback.evil'],
    ['a shorter path', 'https://app.example.com/oauth'],
    ['a slash at the end', 'https://app.example.com/oauth/callback/'],
    ['a longer host', 'https://app.example.com.evil.example/oauth/callback'],
    ['a shorter host', 'https://example.com/oauth/callback'],
    ['a subdomain', 'https://x.app.example.com/oauth/callback'],
    ['a host that ends in it', 'https://evilapp.example.com/oauth/callback'],
    ['a user name that looks like it', 'https://app.example.com@evil.example/oauth/callback'],
    ['a user name', 'https://x@app.example.com/oauth/callback'],
    ['an empty user name', 'https://@app.example.com/oauth/callback'],
    ['a path that climbs', 'https://app.example.com/oauth/callback/../callback'],
    ['an encoded path that climbs', 'https://app.example.com/oauth/%2e%2e/oauth/callback'],
    ['an encoded slash', 'https://app.example.com/oauth%2Fcallback'],
    ['an encoded letter', 'https://app.example.com/oauth/%63allback'],
    ['a doubled slash', 'https://app.example.com//oauth/callback'],
    ['another case of the path', 'https://app.example.com/OAuth/callback'],
    ['another case of the host', 'https://APP.example.com/oauth/callback'],
    ['another case of the scheme', 'HTTPS://app.example.com/oauth/callback'],
    ['a port on https', 'https://app.example.com:444/oauth/callback'],
    ['the default port', 'https://app.example.com:443/oauth/callback'],
    ['no port where one is', 'https://app.example.com/callback'],
    ['http instead of https', 'http://app.example.com/oauth/callback'],
    ['a further parameter', 'https://app.example.com/oauth/callback?next=https://evil.example'],
    ['another parameter', 'https://app.example.com/list?of=2'],
    ['a parameter more', 'https://app.example.com/list?of=1&to=x'],
    ['no parameter', 'https://app.example.com/list'],
    ['an empty query', 'https://app.example.com/oauth/callback?'],
    ['a fragment', 'https://app.example.com/oauth/callback#x'],
    ['an empty fragment', 'https://app.example.com/oauth/callback#'],
    ['a host of another script', 'https://аpp.example.com/oauth/callback'],
    ['a full stop of another script', 'https://app。example.com/oauth/callback'],
    ['a slash of another script', 'https://app.example.com／oauth/callback'],
    ['a dot after the host', 'https://app.example.com./oauth/callback'],
    ['a backslash', 'https://app.example.com\\oauth/callback'],
    ['a backslash before another host', 'https://app.example.com\\@evil.example/oauth/callback'],
    ['a tab', 'https://app.example.com/oauth/call\tback'],
    ['a line break', 'https://app.example.com/oauth/callback\n'],
    ['a line break before it', '\nhttps://app.example.com/oauth/callback'],
    ['a space', 'https://app.example.com/oauth/callback '],
    ['a null', 'https://app.example.com/oauth/callback\0'],
    ['a wildcard', 'https://*.example.com/oauth/callback'],
    ['no scheme', '//app.example.com/oauth/callback'],
    ['a path alone', '/oauth/callback'],
    ['nothing', ''],
    ['a host that starts as the own device', 'http://127.0.0.1.evil.example/callback'],
    ['a host that starts as its name', 'http://localhost.evil.example/callback'],
    ['a user name that is the own device', 'http://127.0.0.1@evil.example/callback'],
    ['a port that is a user name', 'http://localhost:3000@evil.example/callback?from=us'],
    ['another address of the own device', 'http://127.0.0.2/callback'],
    ['a short address of it', 'http://127.1/callback'],
    ['a decimal address of it', 'http://2130706433/callback'],
    ['a hexadecimal address of it', 'http://0x7f.0.0.1/callback'],
    ['all addresses of it', 'http://0.0.0.0/callback'],
    ['another name of it', 'http://localhost/callback'],
    ['a long address of it', 'http://[0:0:0:0:0:0:0:1]/callback'],
    ['a mapped address of it', 'http://[::ffff:127.0.0.1]/callback'],
    ['another path of it', 'http://127.0.0.1:5000/other'],
    ['a further parameter of it', 'http://127.0.0.1:5000/callback?x=1'],
    ['https of it', 'https://127.0.0.1/callback'],
    ['a port out of range', 'http://127.0.0.1:65536/callback'],
    ['a port that is none', 'http://127.0.0.1:a/callback'],
    ['another host of an app', 'cursor://evil/oauth/callback'],
    ['another path of an app', 'cursor://anysphere.cursor-mcp/oauth/callback2'],
    ['another case of an app', 'Cursor://anysphere.cursor-mcp/oauth/callback'],
    ['another scheme', 'cursor2://anysphere.cursor-mcp/oauth/callback'],
  ])('refuses %s', (_, uri) => {
    expect(matchRedirect(client, uri)).toBeUndefined();
  });

  it('refuses an address that may not be one, even if it is among the client’s', () => {
    const own = ['https:/s/page', 'https:s/page'];
    const other = ['javascript:alert(1)', 'http://evil.example/', 'https://a.example/#x'];
    for (const uri of [...own, ...other]) {
      expect(matchRedirect({ redirectUris: [uri] }, uri)).toBeUndefined();
    }
  });
});

describe('findRedirectProblem', () => {
  it.each([
    'https://app.example.com',
    'https://app.example.com/a?b=c',
    'https://xn--bcher-kva.example/a',
    'https://10.0.0.1/a',
    'http://127.0.0.1',
    'http://[::1]:1/a',
    'http://localhost?a=b',
    'vscode://vscode.github-authentication/did-authenticate',
    'com.example.app:/oauth',
  ])('allows %s', (uri) => {
    expect(findRedirectProblem(uri)).toBeUndefined();
  });

  const scheme = 'must use https or the scheme of an installed app';
  const http = 'must use https, unless its host is 127.0.0.1, [::1] or localhost';
  const ascii = 'must be an address in ASCII, without spaces and backslashes';
  const credentials = 'must have no user name and no password';

  it.each([
    ['javascript:alert(1)', scheme],
    ['javascript://app.example.com/%0aalert(1)', scheme],
    ['JavaScript://app.example.com/%0aalert(1)', scheme],
    ['data:text/html,x', scheme],
    ['data://text/html,x', scheme],
    ['file:///etc/passwd', scheme],
    ['blob:https://app.example.com/1', scheme],
    ['about:blank', scheme],
    ['vbscript://x/', scheme],
    ['view-source://app.example.com/', scheme],
    ['filesystem://app.example.com/', scheme],
    ['ftp://app.example.com/', scheme],
    ['ws://app.example.com/', scheme],
    ['mailto:a@app.example.com', scheme],
    ['intent://scan/', scheme],
    ['cursor:callback', scheme],
    ['cursor:', scheme],
    ['cursor:///callback', scheme],
    ['http://app.example.com/', http],
    ['http://127.0.0.1.evil.example/', http],
    ['http://localhost.evil.example/', http],
    ['http://LOCALHOST/', http],
    ['http://127.1/', http],
    ['http://[::]/', http],
    ['https://*.example.com/', 'must name its host without a wildcard'],
    ['https://app.example.com/#', 'must have no fragment'],
    ['https://a:b@app.example.com/', credentials],
    ['http://a@localhost/', credentials],
    ['cursor://a@b/', credentials],
    ['https://bücher.example/', ascii],
    ['https://app.example.com/\u202e', ascii],
    ['https:\\\\app.example.com', ascii],
    ['https://app.example.com/ a', ascii],
    ['https://', ascii],
    ['', ascii],
    [`https://app.example.com/${'a'.repeat(480)}`, 'must be at most 500 characters'],
  ])('refuses %s', (uri, problem) => {
    expect(findRedirectProblem(uri)).toBe(problem);
  });
});
