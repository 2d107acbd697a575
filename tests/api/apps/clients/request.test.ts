import { beforeEach, describe, expect, it, vi } from 'vitest';
import { askFor, queryOf } from '../../../support/apps/apps.ts';
import { publicAddress, usePublicHost } from '../../../support/outbound/public-host.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useTable } from '../../../support/table/table.ts';
import { newUserOf } from '../../../support/users/test-users.ts';
import { useNewPeople } from '../../../support/users/use-people.ts';

const internet = vi.hoisted(() => ({ current: {} }));

vi.mock('../../../../shared/outbound/network.ts', () => ({
  get internet() {
    return internet.current;
  },
}));

useTable();
useVirtualTime('2026-11-21T12:00:00Z');
const { host, seen, network } = usePublicHost();

beforeEach(() => {
  internet.current = network;
});

const { ann } = useNewPeople({ ann: 'user' });

const redirectUri = 'https://app.example.com/callback';

let count = 0;

/** Returns a client whose document no other test has asked for. */
const newMetadataClient = (to = redirectUri) => {
  const id = `https://app.example.com/asking/${++count}.json`;
  host.answer = (_request, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ client_id: id, client_name: 'Notebook', redirect_uris: [redirectUri] }),
    );
  };
  return { id, redirectUri: to };
};

const refused = (message: string) => ({
  status: 400,
  body: { error: { code: 'VALIDATION_ERROR', details: [{ field: 'client_id', message }] } },
});

describe('GET /api/apps/request, of a client with a document', () => {
  it('asks about what the document says', async () => {
    const client = newMetadataClient();
    expect(await askFor(ann, queryOf(client))).toMatchObject({
      status: 200,
      body: {
        data: {
          outcome: 'ask',
          client: { name: 'Notebook', host: 'app.example.com' },
          redirectHost: 'app.example.com',
          isLoopback: false,
          isKnown: false,
        },
      },
    });
    await askFor(ann, queryOf(client));
    expect(seen.requests).toHaveLength(1);
  });

  it('sends nobody to an address that the document does not name', async () => {
    const client = newMetadataClient('https://app.example.com/callback/../evil');
    expect(await askFor(ann, queryOf(client))).toMatchObject({
      status: 400,
      body: { error: { details: [{ field: 'redirect_uri' }] } },
    });
  });

  it('connects to no private address, whenever its name stands for one', async () => {
    const message = 'must have a host on the public internet';
    host.addresses = [['169.254.169.254']];
    expect(await askFor(ann, queryOf(newMetadataClient()))).toMatchObject(refused(message));
    expect(seen.addresses).toEqual([]);
    const client = newMetadataClient();
    host.addresses = [[publicAddress], ['127.0.0.1']];
    expect(await askFor(ann, queryOf(client))).toMatchObject({ status: 200 });
    pass(3_600_000);
    // Sign-ins end in that hour.
    const later = await newUserOf('user');
    expect(await askFor(later, queryOf(client))).toMatchObject(refused(message));
    expect(seen.addresses).toEqual([publicAddress]);
  });

  it('follows no redirect', async () => {
    const client = newMetadataClient();
    host.answer = (_request, response) => {
      response.writeHead(307, { location: 'https://10.0.0.1/' }).end();
    };
    const message = 'must answer itself, without a redirect';
    expect(await askFor(ann, queryOf(client))).toMatchObject(refused(message));
    expect(seen.addresses).toEqual([publicAddress]);
  });
});
