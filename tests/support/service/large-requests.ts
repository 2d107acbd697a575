import { newTold } from '../notifications/notification-history.ts';
import { newUser, type TypicalCalls } from '../sample-requests/sample-request.ts';
import { newSender, ofUpload, siteOf } from '../sample-requests/share-files.ts';
import { sendFiles } from '../shares/files.ts';
import { call } from './call.ts';

const readAll = (count: number) => async () => {
  const { token } = await newTold(count, { make: newUser });
  return () => call('PUT /api/notifications/read-all', { token });
};

/** Requests about large or maximal data, too slow to run as often as the sample requests. */
export const largeCalls: TypicalCalls = {
  'POST /api/messages (to 50)': async () => {
    const { token } = await newUser('user', ['messages:create']);
    const recipients: number[] = [];
    while (recipients.length < 50) recipients.push((await newUser()).id);
    return () => call('POST /api/messages', { token, body: { recipients, content: 'At noon?' } });
  },
  'POST /api/share (a form of 20 files)': async () => {
    const { token } = await newSender();
    return () => sendFiles(token, siteOf(20));
  },
  'POST /api/share (an upload of 200 files)': ofUpload(siteOf(200)),
  'PUT /api/notifications/read-all (of 10)': readAll(10),
  'PUT /api/notifications/read-all (of 1 000)': readAll(1_000),
};
