// What takes out a list, loaded by the first click.
import { maxRows } from '../../../../shared/exports/max-rows.ts';
import { toApiError, unreachable } from '../client/api-error.ts';
import { toast } from '../components/toast.tsx';
import { formatNumber } from '../data/format.ts';
import { api } from '../shell/api.ts';
import { showFailure } from '../shell/feedback.ts';
import { type ExportedList, type ExportFormat, toFileQuery } from './address.ts';
import { exportTexts as texts } from './texts.ts';

const send = (address: string, method: 'GET' | 'HEAD'): Promise<Response> =>
  fetch(address, { method }).catch((cause) => {
    throw unreachable(cause);
  });

/**
 * Asserts that a file would come, because browsers say nothing of a download that is refused.
 * @throws ApiError
 */
const assertAnswers = async (address: string): Promise<void> => {
  let answer = await send(address, 'HEAD');
  if (answer.status === 401) {
    // Lets the user sign in over the page.
    await api.call('GET /api/auth/me');
    answer = await send(address, 'HEAD');
  }
  if (answer.ok) return;
  // Only a GET says why.
  const refused = await send(address, 'GET');
  if (!refused.ok) throw toApiError(refused, await refused.json().catch(() => undefined));
  await refused.body?.cancel();
};

const leaveFor = (address: string): void => {
  const link = document.createElement('a');
  link.href = address;
  link.download = '';
  link.click();
};

/** Downloads a list, up to 10,000 rows, or says why it can’t be. */
export const download = async (list: ExportedList, format: ExportFormat): Promise<void> => {
  const { path, query, total } = list;
  const address = `${path}?${new URLSearchParams(toFileQuery(query, format))}`;
  try {
    await assertAnswers(address);
    leaveFor(address);
    const isAll = total !== undefined && total <= maxRows;
    toast({ text: isAll ? texts.started : texts.notAll(formatNumber(maxRows)) });
  } catch (error) {
    showFailure((error as Error).message, () => download(list, format));
  }
};
