import { getMessage } from '../../../../browser/api.js';
import { byId } from '../../../../browser/page.js';

/**
 * Creates a section that loads and fails independently. It keeps its content while it reloads, and ignores outdated
 * responses.
 * @template Data
 * @param {string} id
 * @param {() => Promise<Data>} read
 * @param {(data: Data) => Promise<string | undefined> | string | undefined} show returns the text of the empty state, if any
 * @returns {() => Promise<void>} loads the section
 */
export const newSection = (id, read, show) => {
  const section = byId(id);
  const part = (/** @type {string} */ name) => section.querySelector(`[data-${name}]`);
  const [shown, loading, failure, again] = ['shown', 'loading', 'failure', 'again'].map(part);
  const none = part('none');
  let latest = 0;

  const load = async () => {
    latest += 1;
    const own = latest;
    section.setAttribute('aria-busy', 'true');
    loading.hidden = !shown.hidden;
    failure.textContent = '';
    again.hidden = true;
    if (none) none.hidden = true;
    try {
      const data = await read();
      if (own !== latest) return;
      shown.hidden = false;
      const nothing = await show(data);
      if (own !== latest || nothing === undefined) return;
      shown.hidden = true;
      none.textContent = nothing;
      none.hidden = false;
    } catch (thrown) {
      if (own !== latest) return;
      shown.hidden = true;
      failure.textContent = getMessage(thrown);
      again.hidden = false;
    } finally {
      if (own === latest) {
        loading.hidden = true;
        section.removeAttribute('aria-busy');
      }
    }
  };

  again.addEventListener('click', async () => {
    await load();
    // Reloading removed the focused button.
    if (again.hidden) byId(`${id}-title`).focus();
    else again.focus();
  });
  return load;
};
