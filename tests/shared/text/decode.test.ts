import { describe, expect, it } from 'vitest';
import { decodeText } from '../../../shared/text/decode.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');

describe('decodeText', () => {
  it.each([
    ['UTF-8 with a mark', Buffer.from('\ufeffä'), { text: '\ufeffä' }],
    ['nothing', Buffer.from(''), { text: '' }],
    [
      'a log with colors',
      Buffer.from('\x1b[31mé\x1b[0m\x07\b'),
      { text: '\x1b[31mé\x1b[0m\x07\b' },
    ],
    ['UTF-16', utf16('ä😀\r\n'), { text: 'ä😀\r\n', encoding: 'UTF-16' }],
    ['UTF-16, big-endian', utf16('ä').swap16(), { text: 'ä', encoding: 'UTF-16' }],
    ['Latin-1', latin1('Größe\t«»\x1b[0m'), { text: 'Größe\t«»\x1b[0m', encoding: 'Windows-1252' }],
    [
      'Windows-1252',
      latin1('\x80 5 \x84M\xfcller\x93 \x96 it\x92s'),
      { text: '€ 5 „Müller“ – it’s', encoding: 'Windows-1252' },
    ],
  ])('reads %s', (_, bytes, decoded) => {
    expect(decodeText(bytes)).toEqual(decoded);
    const { buffer, byteOffset, length } = bytes;
    expect(decodeText(buffer.slice(byteOffset, byteOffset + length))).toEqual(decoded);
  });

  it.each([
    ['NUL', Buffer.from('a\0b')],
    ['UTF-16 without a mark', Buffer.from('hello', 'utf16le')],
    ['half a character of UTF-16', utf16('ab').subarray(0, 5)],
    ['half a pair of UTF-16', utf16('\ud83d')],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0])],
    ['a control character', latin1('M\xfcller\x01')],
    ['a byte that Windows-1252 lacks', latin1('M\xfcller\x81')],
    ['PNG', latin1('\x89PNG\r\n\x1a\n')],
    ['gzip', Buffer.from([0x1f, 0x8b, 8, 3, 0xff, 0xff])],
    ['Cyrillic in Windows-1251', Buffer.from('cff0e8e2e5f22c20ecfbf0', 'hex')],
    ['Chinese in GB 18030', Buffer.from('78203d20313b202f2f20c4e3bac3cac0bde7', 'hex')],
    ['Japanese in Shift JIS', Buffer.from('82b182f182c982bf82cd', 'hex')],
    ['Korean in EUC-KR', Buffer.from('bec8b3e7c7cfbcbcbff4', 'hex')],
  ])('refuses %s', (_, bytes) => {
    expect(decodeText(bytes)).toBeUndefined();
  });

  it('reads what is stated, whatever it is', () => {
    const japanese = Buffer.from('82b182f182c982bf82cd', 'hex');
    expect(decodeText(japanese, 'Shift_JIS')).toEqual({
      text: 'こんにちは',
      encoding: 'shift_jis',
    });
    expect(decodeText(latin1('ä'), 'utf-8')).toBeUndefined();
    expect(() => decodeText(latin1('ä'), 'nonsense')).toThrow(RangeError);
  });
});
