// Opens a sealed envelope by functions/web/browser/sealed/sealed.md alone: node open-sealed.mjs <fragment> [passphrase] < envelope
import { createDecipheriv, hkdfSync, pbkdf2Sync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { argv, stdin, stdout } from 'node:process';

const hkdf = (ikm, salt, purpose, bytes) =>
  Buffer.from(hkdfSync('sha256', ikm, salt, `handbill-sealed/1 ${purpose}`, bytes));

const toSecret = (fragment, passphrase) => {
  const [, kind, encoded] = /^#?([kp])1\.([\w-]{43})$/.exec(fragment);
  const key = Buffer.from(encoded, 'base64url');
  if (kind === 'k') return key;
  const salt = hkdf(key, '', 'passphrase salt', 32);
  const stretched = pbkdf2Sync(passphrase.normalize('NFC'), salt, 600_000, 32, 'sha256');
  return Buffer.concat([key, stretched]);
};

const open = (secret, envelope) => {
  if (envelope.subarray(0, 4).toString('latin1') !== 'HBS\u0001') throw new Error('no envelope');
  const start = 6 + envelope.readUInt16BE(4);
  const header = JSON.parse(envelope.subarray(6, start).toString());
  const derived = hkdf(secret, Buffer.from(header.id, 'base64url'), 'content', 44);
  const decipher = createDecipheriv('aes-256-gcm', derived.subarray(0, 32), derived.subarray(32));
  decipher.setAAD(envelope.subarray(0, start));
  decipher.setAuthTag(envelope.subarray(-16));
  const padded = Buffer.concat([decipher.update(envelope.subarray(start, -16)), decipher.final()]);
  return { header, content: padded.subarray(4, 4 + padded.readUInt32BE(0)) };
};

const [, , fragment, passphrase = ''] = argv;
const secret = toSecret(fragment, passphrase);
const { header, content } = open(secret, Buffer.from(readFileSync(stdin.fd, 'utf8'), 'base64url'));
stdout.write(
  JSON.stringify({
    proof: hkdf(secret, '', 'proof', 32).toString('base64url'),
    header,
    content: content.toString('base64url'),
  }),
);
