import { can } from '../../../../../shared/permissions/permissions.ts';
import { getMessage, requestOrSignIn } from '../../../browser/api.js';
import { showModerationLink } from '../../../browser/navigation.js';
import { byId, setText } from '../../../browser/page.js';
import { parseView, toUrl } from '../view.ts';
import { showSales, showVisits } from './parts/activity.js';
import { showNumbers } from './parts/numbers.js';
import { eventShower, sayZone, taskShower } from './parts/own.js';
import { showParts } from './parts/parts.js';
import { newSection } from './parts/section.js';

/** @typedef {import('../view.ts').Choice} Choice */

let view = parseView(location.search);

/** @param {string} path */
const getData = async (path) => (await requestOrSignIn('GET', `/api/dashboard/${path}`)).data;

const readParts = async () => {
  const { by } = view;
  return { by, slices: await getData(`pie?by=${by}`) };
};

/** Connects a select to its section and stores the choice in the URL. @param {Choice} name @param {() => Promise<void>} load */
const takeChoice = (name, load) => {
  const select = byId(name);
  select.value = view[name];
  select.addEventListener('change', () => {
    view = { ...view, [name]: select.value };
    history.replaceState(null, '', toUrl(view));
    load();
  });
};

/** Creates the sections of service-wide data. */
const wholeSections = () => {
  const visits = newSection('visits', () => getData(`visits?days=${view.days}`), showVisits);
  const sales = newSection('sales', () => getData(`sales?months=${view.months}`), showSales);
  const parts = newSection('parts', readParts, showParts);
  takeChoice('days', visits);
  takeChoice('months', sales);
  takeChoice('by', parts);
  return [newSection('numbers', () => getData('stats'), showNumbers), visits, sales, parts];
};

/** Creates the sections of the user's own data. @param {string} zone */
const ownSections = (zone) => [
  newSection('tasks', () => getData('tasks'), taskShower(zone)),
  newSection('today', () => getData('calendar'), eventShower(zone)),
];

const start = async () => {
  try {
    const { permissions, timezone } = (await requestOrSignIn('GET', '/api/users/me')).data;
    showModerationLink(permissions);
    const mayViewAll = can(permissions, 'dashboard:view');
    for (const id of ['whole', 'parts']) byId(id).hidden = !mayViewAll;
    byId('own-only').hidden = mayViewAll;
    sayZone(timezone);
    byId('content').hidden = false;
    const sections = [...(mayViewAll ? wholeSections() : []), ...ownSections(timezone ?? 'UTC')];
    for (const load of sections) load();
  } catch (failure) {
    setText('failure', getMessage(failure));
  } finally {
    setText('loading', '');
  }
};

start();
