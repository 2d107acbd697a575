import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';
import { afterAll, beforeAll, vi } from 'vitest';

const types = { A: 1, AAAA: 28 };

const toBytes = (address: string): Buffer =>
  isIPv4(address)
    ? Buffer.from(address.split('.').map(Number))
    : Buffer.from(
        address
          .split(':')
          .map((group) => group.padStart(4, '0'))
          .join(''),
        'hex',
      );

/** Writes a response with these addresses (IPv6 in eight groups) that nobody may keep; for none, that the name doesn't exist. */
const respond = (query: Buffer, addresses: readonly string[]): Buffer => {
  const question = query.subarray(12, query.indexOf(0, 12) + 5);
  const type = question.readUInt16BE(question.length - 4);
  const found = addresses
    .map(toBytes)
    .filter(({ length }) => length === (type === types.A ? 4 : 16));
  const head = Buffer.from(query.subarray(0, 12));
  head.writeUInt16BE(addresses.length > 0 ? 0x8180 : 0x8183, 2);
  for (const [at, count] of [1, found.length, 0, 0].entries())
    head.writeUInt16BE(count, 4 + 2 * at);
  const records = found.map((bytes) => {
    const record = Buffer.alloc(12);
    record.writeUInt16BE(0xc00c, 0);
    record.writeUInt16BE(type, 2);
    record.writeUInt16BE(1, 4);
    record.writeUInt16BE(bytes.length, 10);
    return Buffer.concat([record, bytes]);
  });
  return Buffer.concat([head, question, ...records]);
};

/**
 * Makes a name server of this process the one that resolvers ask. `answers` are the addresses of all names in the order of the
 * questions, of which a resolver has two for each name; `undefined` is no answer.
 */
export const useNameServer = () => {
  const state = { answers: [] as (readonly string[] | undefined)[], questions: 0 };
  const socket = createSocket('udp4');
  socket.on('message', (query, { port, address }) => {
    state.questions++;
    const addresses = state.answers.shift();
    if (addresses) socket.send(respond(query, addresses), port, address);
  });
  beforeAll(async () => {
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    // A resolver asks for IPv4 first, and can't change its server while it asks.
    const { resolve4 } = Resolver.prototype;
    vi.spyOn(Resolver.prototype, 'resolve4').mockImplementation(function (
      this: Resolver,
      host: string,
    ) {
      this.setServers([`127.0.0.1:${socket.address().port}`]);
      return Reflect.apply(resolve4, this, [host]);
    });
  });
  afterAll(() => {
    vi.restoreAllMocks();
    socket.close();
  });
  return state;
};
