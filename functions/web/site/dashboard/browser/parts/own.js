import { byId, createElement, setText } from '../../../../browser/page.js';
import { dashboardTexts as texts } from '../../texts.ts';
import { dateIn, formatDue, formatHours } from '../../when.ts';

/** The number of tasks shown initially. */
const firstTasks = 6;

/** @param {string} title @param {(HTMLElement | string | undefined)[]} about @param {string[]} badges */
const listItem = (title, about, badges) => {
  const item = document.createElement('li');
  const text = document.createElement('div');
  const name = createElement('p', 'name', title);
  name.append(...badges.map((badge) => createElement('span', 'badge', badge)));
  const line = createElement('p', 'about');
  const told = about.filter((one) => one !== undefined && one !== '');
  line.append(
    ...told.flatMap((one, at) => (at === 0 ? [one] : [' · ', one])).map((one) => one ?? ''),
  );
  text.append(name, line);
  item.append(text);
  return item;
};

/** @param {any} task @param {string} zone */
const taskItem = ({ title, dueDate, status, priority }, zone) => {
  const { text, isOver: isExpired } = formatDue(dueDate, new Date(), zone);
  const due = isExpired ? createElement('span', 'over', texts.overdue(text)) : texts.due(text);
  const words = [
    texts.statuses[/** @type {keyof typeof texts.statuses} */ (status)],
    texts.priorities[/** @type {keyof typeof texts.priorities} */ (priority)],
  ];
  return listItem(
    title,
    [due],
    words.filter((word) => word !== undefined),
  );
};

/** @param {string} zone @returns {(tasks: any[]) => string | undefined} */
export const taskShower = (zone) => (tasks) => {
  if (tasks.length === 0) return texts.noTasks;
  const list = byId('task-list');
  const items = tasks.map((task) => taskItem(task, zone));
  list.replaceChildren(...items.slice(0, firstTasks));
  const button = byId('all-tasks');
  button.textContent = texts.allTasks(tasks.length);
  button.hidden = tasks.length <= firstTasks;
  button.onclick = () => {
    list.replaceChildren(...items);
    button.hidden = true;
    // Expanding removed the focused button.
    byId('tasks-title').focus();
  };
  return undefined;
};

/** @param {{ from?: string, to?: string }} hours */
const hoursText = ({ from, to }) => {
  if (from !== undefined && to !== undefined) return texts.between(from, to);
  if (from !== undefined) return texts.from(from);
  return to === undefined ? texts.allDay : texts.until(to);
};

/** @param {string} zone @returns {(events: any[]) => string | undefined} */
export const eventShower = (zone) => (events) => {
  if (events.length === 0) return texts.noEvents;
  const date = dateIn(new Date(), zone);
  const items = events.map((event) => {
    const { title, type, status, location } = event;
    const state = texts.statuses[/** @type {keyof typeof texts.statuses} */ (status)];
    return listItem(
      title,
      [
        hoursText(formatHours(date, event, zone)),
        texts.types[/** @type {keyof typeof texts.types} */ (type)],
        location ?? undefined,
      ],
      state === undefined ? [] : [state],
    );
  });
  byId('event-list').replaceChildren(...items);
  return undefined;
};

/**
 * Shows the time zone of all times. @param {string
 * null} own
 */
export const sayZone = (own) => {
  setText('zone', own === null ? texts.noZone : texts.zone(own));
  if (own !== null) return;
  const link = /** @type {HTMLAnchorElement} */ (createElement('a', '', texts.setZone));
  link.href = '/account';
  byId('zone').append(' ', link);
};
