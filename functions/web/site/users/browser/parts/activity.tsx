import { useMemo } from 'preact/hooks';
import { getActionText } from '../../../../../../shared/audit/action-texts.ts';
import { formatTime } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { usersTexts as texts } from '../../texts.ts';
import { RecordList } from './record-list.tsx';

const shown = 8;

/** What the audit log has about a user lately. */
export const Activity = ({ id }: { readonly id: number }) => {
  const source = useMemo(
    () =>
      createSource(async () => {
        const query = { subject: `user:${id}`, pageSize: shown };
        return (await api.call('GET /api/audit', { query })).items;
      }),
    [id],
  );
  return (
    <RecordList title={texts.activity} source={source} none={texts.noActivity}>
      {(entry) => (
        <li key={entry.id}>
          <span class="grow">
            {getActionText(entry.action)}
            <span class="tiny mute blk">
              {entry.actor?.name} · {formatTime(entry.at)}
            </span>
          </span>
        </li>
      )}
    </RecordList>
  );
};
