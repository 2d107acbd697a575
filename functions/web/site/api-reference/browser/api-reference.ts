import { isDark, onColorsChange } from '../../../browser/shell/colors.ts';
import { sessionId } from '../../../layout/session.ts';
import { apiReferenceTexts as texts } from '../texts.ts';

declare const SwaggerUIBundle: (options: Readonly<Record<string, unknown>>) => void;

const load = (src: string): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.addEventListener('load', resolve);
    script.addEventListener('error', reject);
    script.src = src;
    document.head.append(script);
  });

/** Says as whom requests are sent. */
const showUser = (): void => {
  const note = document.getElementById('who');
  const data = document.getElementById(sessionId)?.textContent;
  const session = data ? JSON.parse(data) : undefined;
  if (!note) return;
  note.textContent = session?.user ? texts.asUser(session.user.name) : texts.signedOut;
  if (!session?.user) {
    const link = document.createElement('a');
    link.className = 'btn sm';
    link.href = '/login?next=/api/docs';
    link.textContent = texts.signIn;
    note.append(link);
  }
  note.hidden = false;
};

/** Gives the reader the colors of the page: it has a class of its own for dark ones. */
const applyTheme = (): void => {
  document.documentElement.classList.toggle('dark-mode', isDark());
};

/** The reader says that it is the main part of the page; that is the page's own element around it. */
const demoteReader = (): void => {
  for (const main of document.querySelectorAll('#reader main')) main.setAttribute('role', 'group');
};

applyTheme();
onColorsChange(applyTheme);
showUser();

try {
  await load('/api/docs/swagger-ui-bundle.js');
  SwaggerUIBundle({
    url: '/api/openapi.json',
    dom_id: '#reader',
    deepLinking: true,
    docExpansion: 'none',
    filter: true,
    validatorUrl: null,
    defaultModelsExpandDepth: 0,
    displayRequestDuration: true,
    onComplete: demoteReader,
  });
} catch {
  const place = document.createElement('p');
  place.className = 'pad';
  place.setAttribute('role', 'alert');
  place.textContent = texts.failed;
  document.getElementById('reader')?.replaceChildren(place);
}
