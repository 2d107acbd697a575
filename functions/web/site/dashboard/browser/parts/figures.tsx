import type { Data } from '../../../../browser/client/endpoints.ts';
import { Failure } from '../../../../browser/components/notice.tsx';
import { dashboardTexts as texts } from '../../texts.ts';
import { comparedMonths } from '../../view.ts';
import {
  changeText,
  exactPercentText,
  moneyText,
  monthNameText,
  numberText,
  pointsText,
} from './formats.ts';
import { service } from './sources.ts';
import { Tile } from './tiles.tsx';

type Stats = Data<'GET /api/dashboard/stats'>;

interface ChangeProps {
  /** `null` without a previous value; nothing is claimed then. */
  readonly value: number | null;
  toText(value: number): string;
}

const Change = ({ value, toText }: ChangeProps) => {
  if (value === null) return <>{texts.notCompared}</>;
  if (value === 0) return <>{texts.unchanged}</>;
  return (
    <span class={value > 0 ? 'up' : 'dn'}>
      <span aria-hidden="true">{value > 0 ? '▲ ' : '▼ '}</span>
      {toText(value)}
    </span>
  );
};

const Tiles = ({ stats }: { readonly stats: Stats | undefined }) => (
  <dl class="tiles">
    <Tile icon="users" label={texts.users} value={stats && numberText(stats.totalUsers)}>
      <small>
        {stats && (
          <>
            <Change
              value={stats.userGrowth}
              toText={(growth) => texts.newUsers(changeText(growth))}
            />
            {' · '}
            {texts.active(numberText(stats.activeUsers))}
          </>
        )}
      </small>
    </Tile>
    <Tile icon="coin" label={texts.revenue} value={stats && moneyText(stats.totalRevenue)}>
      <small>
        {stats && (
          <>
            <Change value={stats.revenueGrowth} toText={changeText} />
            {' · '}
            {texts.allTime}
          </>
        )}
      </small>
    </Tile>
    <Tile icon="list" label={texts.orders} value={stats && numberText(stats.totalOrders)}>
      <small>
        {stats && (
          <>
            <Change value={stats.orderGrowth} toText={changeText} />
            {' · '}
            {texts.thisMonth(numberText(stats.recentOrders))}
          </>
        )}
      </small>
    </Tile>
    <Tile
      icon="chart"
      label={texts.conversion}
      value={stats && exactPercentText(stats.conversionRate / 100)}
    >
      <small>
        {stats && (
          <>
            <Change
              value={stats.rateGrowth}
              toText={(points) => texts.points(pointsText(points))}
            />
            {' · '}
            {texts.conversionAbout}
          </>
        )}
      </small>
    </Tile>
  </dl>
);

const counted = ['documents', 'files', 'shares', 'messages', 'pendingTasks'] as const;

const Counts = ({ stats }: { readonly stats: Stats | undefined }) => (
  <dl class="card counts">
    {counted.map((name) => (
      <div key={name}>
        <dt>{texts[name]}</dt>
        <dd class="num">{stats ? numberText(stats[name]) : '–'}</dd>
      </div>
    ))}
  </dl>
);

/** The figures of the whole service. */
export const Figures = () => {
  const { data, failure, load } = service.figures;
  const [last, before] = comparedMonths(new Date()).map((day) => monthNameText(day.toISOString()));
  return (
    <section id="figures" aria-labelledby="figures-title">
      <h2 class="vh" id="figures-title" tabIndex={-1}>
        {texts.figures}
      </h2>
      {failure.value === undefined ? (
        <>
          <Tiles stats={data.value} />
          <p class="tiny mute compared">{texts.compared(last ?? '', before ?? '')}</p>
          <Counts stats={data.value} />
        </>
      ) : (
        <Failure
          error={failure.value}
          again={async () => {
            await load();
            if (failure.value === undefined) document.getElementById('figures-title')?.focus();
          }}
        />
      )}
    </section>
  );
};
