import { describe, expect, it } from 'vitest';
import {
  getHost,
  isReturn,
} from '../../../../functions/web/site/authorize/browser/parts/return-address.ts';

describe('an address that leads back to an app', () => {
  it.each([
    ['https://claude.example/callback?code=1', 'https://claude.example/callback', true],
    ['http://127.0.0.1:4400/callback?code=1', 'http://127.0.0.1:4400/callback', true],
    ['cursor://callback?code=1', 'cursor://callback', true],
    ['com.example.app:/callback?code=1', 'com.example.app:/callback', true],
    ['cursor://callback?code=1', 'vscode://callback', false],
    ['cursor://callback?code=1', '', false],
    ['javascript:alert(1)', 'javascript:alert(1)', false],
    ['JavaScript:alert(1)', 'javascript:alert(1)', false],
    ['data:text/html,x', 'data:text/html,x', false],
    ['blob:https://handbill.test/1', 'blob:https://handbill.test/1', false],
    ['file:///etc/passwd', 'file:///etc/passwd', false],
    ['/account', '/account', false],
    ['', '', false],
  ])('%j after %j: %j', (address, redirectUri, isSafe) => {
    expect(isReturn(address, redirectUri)).toBe(isSafe);
  });

  it('has a host, or the scheme of an app', () => {
    expect(getHost('https://claude.example/callback')).toBe('claude.example');
    expect(getHost('http://localhost:4400/callback')).toBe('localhost:4400');
    expect(getHost('cursor://callback')).toBe('cursor://');
  });
});
