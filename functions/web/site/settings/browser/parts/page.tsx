import { Badge } from '../../../../browser/components/badge.tsx';
import { Button } from '../../../../browser/components/button.tsx';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import { Notice } from '../../../../browser/components/notice.tsx';
import { formatNumber, formatTime } from '../../../../browser/data/format.ts';
import { settingsTexts as texts } from '../../texts.ts';
import { ConfigurationTable } from './configuration.tsx';
import { FailedJobs } from './failed-jobs.tsx';
import { Spending } from './spending.tsx';
import {
  checkAgain,
  type Health,
  health,
  isChecking,
  isSending,
  sendTest,
  settings,
} from './state.ts';

const parts = ['table', 'bucket', 'queue'] as const;

const describeJobs = ({ jobs }: Health): string | undefined =>
  jobs
    ? texts.jobs(formatNumber(jobs.waiting), formatNumber(jobs.running), formatNumber(jobs.delayed))
    : undefined;

const Parts = ({ data }: { readonly data: Health }) => (
  <ul class="parts">
    {parts.map((part) => {
      const [name, about] = texts.parts[part];
      const isOk = data[part] === 'ok';
      return (
        <li key={part} id={`part-${part}`}>
          <span class="grow">
            <b>{name}</b>
            <span class="small mute blk">
              {(part === 'queue' ? describeJobs(data) : undefined) ?? about}
            </span>
          </span>
          <Badge kind={isOk ? 'ok' : 'bad'} hasDot>
            {isOk ? texts.ok : texts.failed}
          </Badge>
        </li>
      );
    })}
  </ul>
);

const Email = ({ from }: { readonly from: string | null }) => (
  <div class="email" id="part-email">
    <span class="grow">
      <b>{texts.email}</b>
      <span class="small mute blk">{from === null ? texts.noEmail : texts.emailFrom(from)}</span>
    </span>
    {from !== null && (
      <Button size="sm" icon="mail" isBusy={isSending.value} onClick={sendTest}>
        {texts.sendTest}
      </Button>
    )}
    <Badge kind={from === null ? undefined : 'ok'} hasDot>
      {from === null ? texts.emailOff : texts.emailOn}
    </Badge>
  </div>
);

const Warnings = ({ data }: { readonly data: Health }) => (
  <>
    {parts.some((part) => data[part] === 'failed') && <Notice kind="bad">{texts.seeLog}</Notice>}
    {data.jobs && data.jobs.failed > 0 && (
      <Notice kind="warn">{texts.failedJobs(formatNumber(data.jobs.failed))}</Notice>
    )}
  </>
);

const figures = ['visits', 'uniqueVisitors', 'signIns', 'pageViews', 'views'] as const;

const Today = ({ today }: { readonly today: NonNullable<Health['today']> }) => (
  <section class="card" aria-labelledby="today">
    <h2 id="today">{texts.today}</h2>
    <dl class="figures">
      {figures.map((name) => (
        <div key={name}>
          <dt>{texts.figures[name]}</dt>
          <dd class="num">{formatNumber(today[name])}</dd>
        </div>
      ))}
    </dl>
    <p class="hint">{texts.todayHint}</p>
  </section>
);

/** Whether the service works, what it did today, and how it is configured. */
export const Settings = () => {
  const today = health.data.value?.today;
  return (
    <>
      <section class="card" aria-labelledby="health">
        <div class="row">
          <h2 id="health">{texts.health}</h2>
          <span class="row end">
            {health.data.value && (
              <span class="tiny mute" role="status">
                {texts.checkedAt(formatTime(health.data.value.checkedAt))}
              </span>
            )}
            <Button size="sm" icon="again" isBusy={isChecking.value} onClick={checkAgain}>
              {texts.checkAgain}
            </Button>
          </span>
        </div>
        <Loaded source={health} lines={3}>
          {(data) => (
            <>
              <Warnings data={data} />
              <Parts data={data} />
            </>
          )}
        </Loaded>
        {settings.data.value && <Email from={settings.data.value.mailFrom} />}
      </section>
      <Spending />
      <FailedJobs />
      {today && <Today today={today} />}
      <section class="card" aria-labelledby="configuration">
        <h2 id="configuration">{texts.configuration}</h2>
        <p class="hint">{texts.configurationHint}</p>
        <Loaded source={settings} lines={8}>
          {(data) => <ConfigurationTable data={data} />}
        </Loaded>
      </section>
    </>
  );
};
