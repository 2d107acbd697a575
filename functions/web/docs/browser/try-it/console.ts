import { isDark, onColorsChange } from '../../../browser/shell/colors.ts';
import { referenceScriptTexts as texts } from '../texts.ts';

declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => void;

type Operations = Readonly<Record<string, { readonly operationId?: string }>>;

interface OpenApi {
  readonly info: unknown;
  readonly tags: unknown;
  readonly paths: Readonly<Record<string, Operations>>;
  readonly webhooks: unknown;
}

let loaded: Promise<OpenApi> | undefined;

const loadScript = (src: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    script.src = src;
    document.head.append(script);
  });

const loadStyle = (link: HTMLLinkElement): Promise<unknown> =>
  new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', reject);
    link.href = link.dataset['console'] ?? '';
  });

const loadDocument = async (): Promise<OpenApi> => {
  const response = await fetch('/api/openapi.json');
  if (!response.ok) throw new Error(`The OpenAPI document answered ${response.status}`);
  return response.json();
};

/** The console has a class of its own for dark colors. */
const applyTheme = (): void => {
  document.documentElement.classList.toggle('dark-mode', isDark());
};

/** Loads the console, Swagger UI, and the document, once. After a failure, the next press tries again. */
const load = async (): Promise<OpenApi> => {
  const styles = document.querySelectorAll<HTMLLinkElement>('link[data-console]');
  const [api] = await Promise.all([
    loadDocument(),
    loadScript('/api/docs/swagger-ui-bundle.js'),
    ...[...styles].filter(({ sheet }) => sheet === null).map(loadStyle),
  ]);
  applyTheme();
  onColorsChange(applyTheme);
  return api;
};

/** Returns the document with a single operation, and without the texts that the page has. */
const keepOnly = (api: OpenApi, operationId: string): OpenApi => ({
  ...api,
  info: { title: '', version: '' },
  tags: [],
  paths: Object.fromEntries(
    Object.entries(api.paths).flatMap(([path, operations]) => {
      const found = Object.entries(operations).find(([, one]) => one.operationId === operationId);
      return found ? [[path, Object.fromEntries([found])]] : [];
    }),
  ),
  // What the service sends isn't tried here.
  webhooks: {},
});

const toText = (text: string): HTMLElement => {
  const span = document.createElement('span');
  span.className = 'grow';
  span.textContent = text;
  return span;
};

/** Says as whom requests are sent. */
const describeUser = async (note: HTMLElement, operationId: string): Promise<void> => {
  const response = await fetch('/api/auth/me');
  if (response.ok) {
    const { data } = await response.json();
    note.replaceChildren(toText(texts.asUser(data.name)));
    return;
  }
  const link = document.createElement('a');
  link.className = 'btn sm';
  link.href = `/login?next=${encodeURIComponent(`${location.pathname}#${operationId}`)}`;
  link.textContent = texts.signIn;
  note.replaceChildren(toText(texts.signedOut), link);
};

const findButton = (section: HTMLElement) => section.querySelector<HTMLButtonElement>('[data-try]');

const setShown = (section: HTMLElement, place: HTMLElement, isShown: boolean): void => {
  place.hidden = !isShown;
  const button = findButton(section);
  button?.setAttribute('aria-expanded', String(isShown));
  (isShown ? place : button)?.focus();
};

/** Creates the button that leads back to the operation. */
const createClosing = (section: HTMLElement): HTMLButtonElement => {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'btn sm';
  button.textContent = texts.close;
  button.addEventListener('click', () => {
    const place = section.querySelector<HTMLElement>('.console');
    if (place) setShown(section, place, false);
  });
  return button;
};

/**
 * Gives the focus back: Swagger UI disables “Execute” while a request is under way, and makes some controls anew when they are
 * pressed.
 */
const keepFocus = (place: HTMLElement): void => {
  let last: Element | undefined;
  let lost: Element | undefined;
  const findAgain = ({ tagName, classList }: Element): HTMLElement | null => {
    const names = [...classList].map((name) => `.${CSS.escape(name)}`).join('');
    return place.querySelector<HTMLElement>(`${tagName}${names}`);
  };
  place.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) last = target;
    lost = undefined;
  });
  new MutationObserver(() => {
    if (last && (!last.isConnected || last.matches(':disabled'))) lost = last;
    const { activeElement } = document;
    if (!lost || (activeElement !== document.body && activeElement !== lost)) return;
    const found = lost.isConnected ? (lost as HTMLElement) : (findAgain(lost) ?? place);
    if (!found.matches(':disabled')) found.focus();
  }).observe(place, { childList: true, subtree: true, attributeFilter: ['disabled'] });
};

/** Mends what Swagger UI says of itself: that it is the main part of the page, and nothing of the choices of parameters. */
const mendMarkup = (place: HTMLElement): void => {
  new MutationObserver(() => {
    for (const main of place.querySelectorAll('main:not([role])')) main.role = 'group';
    for (const choice of place.querySelectorAll('[data-param-name] select:not([aria-label])')) {
      const row = choice.closest<HTMLElement>('[data-param-name]');
      choice.ariaLabel = row?.dataset['paramName'] ?? null;
    }
  }).observe(place, { childList: true, subtree: true });
};

const show = async (section: HTMLElement, place: HTMLElement): Promise<void> => {
  const note = document.createElement('p');
  note.className = 'note';
  note.setAttribute('role', 'status');
  note.textContent = texts.loading;
  place.replaceChildren(note);
  try {
    loaded ??= load();
    const api = await loaded;
    const reader = document.createElement('div');
    place.append(reader);
    SwaggerUIBundle({
      spec: keepOnly(api, section.id),
      domNode: reader,
      docExpansion: 'full',
      tryItOutEnabled: true,
      validatorUrl: null,
      defaultModelsExpandDepth: -1,
      displayRequestDuration: true,
    });
    await describeUser(note, section.id);
    note.append(createClosing(section));
  } catch {
    loaded = undefined;
    note.className = 'note bad';
    note.setAttribute('role', 'alert');
    note.textContent = texts.failed;
  }
};

/** Shows or hides the console of the operation of a button, below it. */
export const toggleConsole = async (button: HTMLButtonElement): Promise<void> => {
  const section = button.closest<HTMLElement>('section');
  if (!section) return;
  const known = section.querySelector<HTMLElement>('.console');
  const hasFailed = known?.querySelector('[role=alert]') !== null;
  if (known && !hasFailed) {
    setShown(section, known, known.hidden !== false);
    return;
  }
  const place = known ?? document.createElement('div');
  place.className = 'console';
  place.tabIndex = -1;
  place.setAttribute('role', 'group');
  place.setAttribute('aria-label', texts.console);
  if (!known) {
    keepFocus(place);
    mendMarkup(place);
  }
  section.append(place);
  setShown(section, place, true);
  await show(section, place);
};
