import { describe, expect, it } from 'vitest';
import {
  canRunScripts,
  getContentType,
  getFileType,
  getPageKind,
} from '../../../shared/share-files/types.ts';

const toBytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const png = toBytes('\x89PNG\r\n\x1a\n');

describe('getFileType', () => {
  it.each([
    ['index.html', 'text/html'],
    ['a/STYLE.CSS', 'text/css'],
    ['app.mjs', 'text/javascript'],
    ['app.js.map', 'application/json'],
    ['a.wasm', 'application/wasm'],
    ['inter.woff2', 'font/woff2'],
    ['README.md', 'text/plain'],
    ['feed.xml', 'text/plain'],
    ['a.svg', 'image/svg+xml'],
    ['page.php', 'application/octet-stream'],
    ['page.xhtml', 'application/octet-stream'],
    ['a.constructor', 'application/octet-stream'],
    ['html', 'application/octet-stream'],
    ['a.html/b', 'application/octet-stream'],
  ])('says of %s that it is %s', (path, type) => {
    expect(getFileType(path)).toBe(type);
  });

  it('reads the first bytes of files without a known ending', () => {
    expect(getFileType('picture', png)).toBe('image/png');
    expect(getFileType('a.bin', toBytes('%PDF-1.7'))).toBe('application/pdf');
    expect(getFileType('a.bin', toBytes('<script>'))).toBe('application/octet-stream');
    expect(getFileType('a', new Uint8Array())).toBe('application/octet-stream');
  });

  it('finds another kind of image than the ending names, and nothing else', () => {
    expect(getFileType('a.jpg', png)).toBe('image/png');
    expect(getFileType('a.png', toBytes('RIFF\0\x01\n\0WEBPVP8 '))).toBe('image/webp');
    expect(getFileType('a.png', toBytes('<script>'))).toBe('image/png');
    expect(getFileType('a.svg', png)).toBe('image/svg+xml');
    expect(getFileType('a.txt', png)).toBe('text/plain');
  });
});

it('names the charset of text', () => {
  expect(getContentType('text/javascript')).toBe('text/javascript; charset=utf-8');
  expect(getContentType('image/svg+xml')).toBe('image/svg+xml; charset=utf-8');
  expect(getContentType('application/wasm')).toBe('application/wasm');
});

it('knows which types can run scripts, and which files are pages', () => {
  expect(['text/html', 'image/svg+xml'].every(canRunScripts)).toBe(true);
  expect(['text/plain', 'application/pdf', 'text/javascript'].some(canRunScripts)).toBe(false);
  expect(getPageKind('a/INDEX.HTM')).toBe('html');
  expect(getPageKind('a.markdown')).toBe('markdown');
  expect(getPageKind('md')).toBeUndefined();
});
