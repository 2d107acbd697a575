import { Button } from '../../../../browser/components/button.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { formatTime } from '../../../../browser/data/format.ts';
import { may } from '../../../../browser/shell/session.ts';
import { settingsTexts } from '../../texts.ts';
import { isLifting, lift, type SpendingOfMonth, spending } from './spending-state.ts';

const texts = settingsTexts.spending;

const State = ({ data }: { readonly data: SpendingOfMonth }) => {
  if (data.isLifted) return <p class="hint">{texts.lifted}</p>;
  if (!data.isSlowed) return <p class="hint">{texts.hint}</p>;
  return (
    <Notice kind="warn">
      {texts.slowed(data.reachedAt === null ? texts.now : formatTime(data.reachedAt))}
    </Notice>
  );
};

/** What this month has cost of the spending limit, why pages are slow, and a way to lift it; nothing without a limit. */
export const Spending = () => {
  const data = spending.data.value;
  if (!data) return null;
  return (
    <section class="card spending" aria-labelledby="spending">
      <div class="row">
        <h2 id="spending">{texts.title}</h2>
        {data.isSlowed && may('settings:update') && (
          <span class="end">
            <Button size="sm" isBusy={isLifting.value} onClick={lift}>
              {texts.lift}
            </Button>
          </span>
        )}
      </div>
      <p class="small" id="spent">
        {texts.spent(data.spent.toFixed(2), data.limit.toFixed(2), data.month)}
      </p>
      <meter
        min={0}
        max={data.limit}
        value={Math.min(data.spent, data.limit)}
        aria-labelledby="spent"
      />
      <State data={data} />
    </section>
  );
};
