import { useEffect, useMemo } from 'preact/hooks';
import { Failure } from '../../../../browser/components/notice.tsx';
import { Skeleton } from '../../../../browser/components/skeleton.tsx';
import { formatTime } from '../../../../browser/data/format.ts';
import { createSource } from '../../../../browser/data/source.ts';
import { api } from '../../../../browser/shell/api.ts';
import { usersTexts as texts } from '../../texts.ts';

const shown = 8;

/** What the audit log has about a user lately. */
export const Activity = ({ id }: { readonly id: number }) => {
  const { data, failure, load } = useMemo(
    () =>
      createSource(() =>
        api.call('GET /api/audit', { query: { subject: `user:${id}`, pageSize: shown } }),
      ),
    [id],
  );
  useEffect(() => void load(), [id]);
  return (
    <section aria-labelledby="activity-title">
      <h3 id="activity-title">{texts.activity}</h3>
      {failure.value && <Failure error={failure.value} again={load} />}
      {!data.value && !failure.value && <Skeleton lines={2} />}
      {data.value?.items.length === 0 && <p class="small mute">{texts.noActivity}</p>}
      <ul class="records">
        {data.value?.items.map((entry) => (
          <li key={entry.id}>
            <span class="grow">
              <span class="mono">{entry.action}</span>
              <span class="tiny mute blk">
                {entry.actor?.name} · {formatTime(entry.at)}
              </span>
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
};
