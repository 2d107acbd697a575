import { Icon } from '../../../../browser/components/icon.tsx';
import { getShareName } from '../../../../browser/data/share-name.ts';
import type { Source } from '../../../../browser/data/source.ts';
import { may } from '../../../../browser/shell/session.ts';
import { languageTexts } from '../../../../browser/texts.ts';
import { dashboardTexts as texts } from '../../texts.ts';
import { choices, toUrl, type View } from '../../view.ts';
import { toSalesChart, toVisitsChart } from './activity.ts';
import { Breakdown } from './breakdown.tsx';
import { Chart, type ChartData } from './chart.tsx';
import { Figures } from './figures.tsx';
import { Nothing, Section } from './section.tsx';
import { service, view } from './sources.ts';

type Selectable = 'days' | 'months' | 'by';

interface SelectProps {
  readonly name: Selectable;
  readonly source: Source<unknown>;
}

/** Chooses what a section shows, and keeps the choice in the URL. */
const Select = ({ name, source }: SelectProps) => (
  <select
    class="in pick end"
    id={name}
    aria-label={texts.choose[name]}
    value={view.value[name]}
    onChange={(event) => {
      view.value = { ...view.value, [name]: event.currentTarget.value } as View;
      history.replaceState(null, '', toUrl(view.value));
      source.load();
    }}
  >
    {choices[name].map((value) => (
      <option key={value} value={value}>
        {texts[name](value)}
      </option>
    ))}
  </select>
);

const ChartOrNothing = ({
  id,
  data,
  none,
}: {
  readonly id: string;
  readonly data: ChartData | undefined;
  readonly none: string;
}) => (data ? <Chart id={id} data={data} /> : <Nothing>{none}</Nothing>);

const Reported = () => (
  <Section
    id="reported"
    title={texts.reported}
    source={service.reported}
    lines={2}
    beside={
      <a class="btn ghost sm end" href="/moderation">
        {texts.moderation}
      </a>
    }
  >
    {({ items }) =>
      items.length === 0 ? (
        <Nothing>{texts.noReports}</Nothing>
      ) : (
        <ul class="list">
          {items.map(({ id, title, language, reports }) => (
            <li key={id}>
              <span class="kind b">
                <Icon name="flag" />
              </span>
              <span class="grow">
                <span class="cut blk" dir="auto">
                  {getShareName({ title, language })}
                </span>
                <span class="tiny mute">
                  {languageTexts[language]} · {texts.reports(reports)}
                </span>
              </span>
              <a class="btn sm" href="/moderation">
                {texts.decide}
              </a>
            </li>
          ))}
        </ul>
      )
    }
  </Section>
);

/** The figures of the whole service, for users with `dashboard:view`. */
export const Service = () => (
  <>
    <Figures />
    <div class="grid">
      <div class="stack">
        <Section
          id="visits"
          title={texts.visits}
          source={service.visits}
          lines={4}
          beside={<Select name="days" source={service.visits} />}
        >
          {(days) => (
            <ChartOrNothing id="visits" data={toVisitsChart(days)} none={texts.noVisits} />
          )}
        </Section>
        <Section
          id="sales"
          title={texts.sales}
          source={service.sales}
          lines={4}
          beside={<Select name="months" source={service.sales} />}
        >
          {(months) => (
            <ChartOrNothing id="sales" data={toSalesChart(months)} none={texts.noSales} />
          )}
        </Section>
      </div>
      <div class="stack">
        {may('shares:manage') && <Reported />}
        <Section
          id="parts"
          title={texts.parts}
          source={service.parts}
          lines={4}
          beside={<Select name="by" source={service.parts} />}
        >
          {(data) => <Breakdown {...data} />}
        </Section>
      </div>
    </div>
  </>
);
