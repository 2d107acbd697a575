import { Button } from '../../../../browser/components/button.tsx';
import { Loaded } from '../../../../browser/components/loaded.tsx';
import { formatTime } from '../../../../browser/data/format.ts';
import { settingsTexts as texts } from '../../texts.ts';
import { type FailedJob, failedJobs, retry, retrying } from './state.ts';

const Job = ({ job }: { readonly job: FailedJob }) => (
  <li>
    <span class="grow">
      <b>{job.kind}</b>
      <span class="small mute blk">{texts.failedAt(formatTime(job.failedAt), job.error)}</span>
    </span>
    <Button
      size="sm"
      icon="again"
      aria-label={texts.retrying(job.kind)}
      isBusy={retrying.value.has(job.id)}
      onClick={() => retry(job)}
    >
      {texts.tryAgain}
    </Button>
  </li>
);

/** The jobs that were given up, if there are any. */
export const FailedJobs = () => {
  const jobs = failedJobs.data.value ?? [];
  if (jobs.length === 0 && !failedJobs.failure.value) return null;
  return (
    <section class="card" aria-labelledby="failed-jobs">
      <h2 id="failed-jobs">{texts.givenUp}</h2>
      <p class="hint">{texts.givenUpHint}</p>
      <Loaded source={failedJobs} lines={2}>
        {() => (
          <ul class="parts">
            {jobs.map((job) => (
              <Job key={job.id} job={job} />
            ))}
          </ul>
        )}
      </Loaded>
    </section>
  );
};
