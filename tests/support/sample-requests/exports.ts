import { askForFile, deleteExport, orderOwnData } from '../exports/exports.ts';
import { storeExport } from '../exports/ready-export.ts';
import { call } from '../service/call.ts';
import { newUser, type TypicalCalls } from './sample-request.ts';

/** Creates a user with an export that is ready. */
const withExport = async () => {
  const user = await newUser();
  const { id } = await storeExport(user.id);
  return { user, id };
};

export const exportCalls: TypicalCalls = {
  'POST /api/users/me/export': async () => {
    const user = await newUser();
    return () => orderOwnData(user);
  },
  'GET /api/users/me/exports': async () => {
    const { user } = await withExport();
    return () => call('GET /api/users/me/exports', { token: user.token });
  },
  'POST /api/users/me/exports/{id}/download': async () => {
    const { user, id } = await withExport();
    return () => askForFile(user, id);
  },
  'DELETE /api/users/me/exports/{id}': async () => {
    const { user, id } = await withExport();
    return () => deleteExport(user, id);
  },
};
