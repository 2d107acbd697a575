import { effect } from '@preact/signals';
import { render } from 'preact';
import { toast } from '../../../browser/components/toast.tsx';
import { may } from '../../../browser/shell/session.ts';
import { dashboardTexts as texts } from '../texts.ts';
import { toUrl } from '../view.ts';
import { Mine } from './parts/mine.tsx';
import { Service } from './parts/service.tsx';
import { own, service, view } from './parts/sources.ts';

const canViewService = may('dashboard:view');
const place = document.getElementById('dashboard') as HTMLElement;
const segment = document.getElementById('whose');

const isService = (): boolean => canViewService && view.value.view === 'service';

/** Loads what the page shows, each part by itself. */
const load = (): void => {
  const { shares, sharesSummary, usage, tasks, events } = own;
  const { figures, visits, sales, parts, reported } = service;
  const mine = [shares, sharesSummary, tasks, events, ...(may('files:view') ? [usage] : [])];
  const all = [figures, visits, sales, parts, ...(may('shares:manage') ? [reported] : [])];
  for (const source of isService() ? all : mine) source.load();
};

const Dashboard = () => (isService() ? <Service /> : <Mine />);

effect(() => {
  for (const button of segment?.querySelectorAll<HTMLElement>('[data-view]') ?? []) {
    button.setAttribute(
      'aria-pressed',
      String((button.dataset['view'] === 'service') === isService()),
    );
  }
});
segment?.addEventListener('click', ({ target }) => {
  const chosen = (target as Element).closest<HTMLElement>('[data-view]')?.dataset['view'];
  if (chosen === undefined || chosen === view.value.view) return;
  view.value = { ...view.value, view: chosen === 'service' ? 'service' : 'mine' };
  history.replaceState(null, '', toUrl(view.value));
  load();
});

/** Says what a password reset has done, which ends here. A reload does not say it again. */
const sayReset = (): void => {
  if (new URLSearchParams(location.search).get('done') !== 'reset') return;
  history.replaceState(null, '', toUrl(view.value));
  toast({ text: texts.passwordReset });
};

sayReset();
place.replaceChildren();
render(<Dashboard />, place);
load();
