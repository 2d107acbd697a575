import { randomInt } from 'node:crypto';
import { create } from '../../../../functions/api/users/record/users.ts';
import { systemRecorder } from '../../../../shared/audit/audit-log.ts';
import { hashPassword } from '../../../../shared/auth/passwords.ts';
import { type CallOptions, call } from '../../../support/service/call.ts';
import { countedLetters, type Original, toLetters } from './copies.ts';
import { type Recorded, record } from './recording.ts';

const password = 'correct horse';

/** A calling user. */
export interface Person {
  readonly id: number;
  readonly token: string;
}

const newAdmin = async (email: string): Promise<Person> => {
  const passwordHash = await hashPassword(password);
  const { id } = await create(
    { email, name: 'Olga Operator', role: 'super_admin', passwordHash },
    systemRecorder('user.create'),
  );
  const { body } = await call('POST /api/auth/login', { body: { email, password } });
  return { id, token: body.accessToken };
};

const succeed = async (endpoint: string, options: CallOptions) => {
  const response = await call(endpoint, options);
  if (response.status < 300) return response.body;
  throw new Error(`${endpoint} answered ${response.status}: ${JSON.stringify(response.body)}`);
};

const boundary = 'handbill-bench';
const form = [
  `--${boundary}`,
  'Content-Disposition: form-data; name="file"; filename="Notes quagga.txt"',
  'Content-Type: text/plain',
  '',
  'Hello',
  `--${boundary}--`,
  '',
].join('\r\n');

const idsIn = (made: Recorded<unknown>, first: number, prefix: string): number[] => {
  const others = made.items.flatMap(({ sk }) => {
    const key = String(sk?.['S']);
    return key.startsWith(prefix) ? [Number(key.slice(prefix.length))] : [];
  });
  return [...new Set([first, ...others])];
};

/** The records to copy, and the user who reads them. */
interface Records {
  readonly caller: Person;
  readonly originals: readonly Original[];
}

/**
 * Creates one record of each kind through the service, for a caller with all permissions and for another user, because
 * lists contain records of the caller, of everyone and of other users.
 */
export const makeOriginals = async (): Promise<Records> => {
  const client = await newAdmin('caller@example.com');
  const other = await newAdmin('other@example.com');
  const post = (person: Person, endpoint: string, body: unknown, headers = {}) =>
    record(() => succeed(`POST ${endpoint}`, { token: person.token, body, headers }));
  // The first record creates a counter, later ones increment it. The writes differ.
  const twice = async (make: () => Promise<Recorded<{ data: { id: number } }>>) => {
    await make();
    return make();
  };
  const ofData = (name: string, made: Recorded<{ data: { id: number } }>, more = {}): Original => ({
    name,
    made,
    ids: [made.answer.data.id],
    ...more,
  });

  const word = `quagga${toLetters(randomInt(26 ** countedLetters))}`;
  const newUser = await post(client, '/api/users', {
    email: `${word}@example.com`,
    username: word,
    name: `quentin ${word}`,
    password,
  });
  const document = (title: string, more: object = {}) => ({
    title,
    content: '# Notes\n\n- one\n- two\n',
    folder: 'Minutes',
    ...more,
  });
  const newDocument = (person: Person, more: object) => () =>
    post(person, '/api/documents', document('Notes quagga', more));
  const newFile = (person: Person) => () =>
    record(() =>
      succeed('POST /api/files/upload', {
        token: person.token,
        headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
        body: Buffer.from(form),
      }),
    );
  const newMessage = () =>
    record(async () => {
      const body = { to: client.id, subject: 'Lunch', content: 'At noon?' };
      const sent = await succeed('POST /api/messages', { token: other.token, body });
      // Reading the count delivers the message and its notification.
      await succeed('GET /api/messages/unread-count', { token: client.token });
      return sent;
    });
  const day = '2001-01-01';
  const newEvent = (more: object) => () =>
    post(client, '/api/calendar/events', {
      title: 'A meeting',
      start: `${day}T09:00`,
      end: `${day}T10:00`,
      timezone: 'UTC',
      ...more,
    });
  const newSale = () =>
    post(client, '/api/sales', {
      amount: 49.9,
      cost: 12.5,
      customer: 'Example Ltd',
      category: 'Books',
    });
  const newShare = async (): Promise<Original> => {
    const made = await post(client, '/api/share', { content: '# Hi', title: 'Hi' });
    return { name: 'shares', made, ids: [], words: [String(made.answer.id)] };
  };

  const message = await twice(newMessage);
  return {
    caller: client,
    originals: [
      ofData('users', newUser, { words: [word] }),
      ofData('documents', await twice(newDocument(client, {}))),
      ofData('documents', await twice(newDocument(client, { visibility: 'everyone' }))),
      ofData('documents', await twice(newDocument(other, { visibility: 'everyone' }))),
      ofData('documents', await twice(newDocument(other, {}))),
      ofData('files', await twice(newFile(client))),
      ofData('files', await twice(newFile(other))),
      {
        ...ofData('messages', message),
        ids: idsIn(message, message.answer.data.id, 'NOTIFICATION#'),
      },
      ofData('events', await twice(newEvent({})), { day }),
      ofData('events', await twice(newEvent({ type: 'task' })), { day }),
      ofData('sales', await twice(newSale)),
      await newShare(),
    ],
  };
};
