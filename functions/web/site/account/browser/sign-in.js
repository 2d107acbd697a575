import { request } from '../../../browser/api.js';
import { getDestination } from '../../../browser/format.js';
import { onSubmit } from '../../../browser/forms.js';
import { byId } from '../../../browser/page.js';
import { signInTexts as texts } from '../texts.ts';

const leave = () => {
  location.replace(getDestination(location.search, location.origin));
  return texts.signedIn;
};

const login = byId('login');
if (login) {
  onSubmit(login, async ({ email, password }) => {
    await request('POST', '/api/auth/login', { email, password });
    return leave();
  });
}

const register = byId('register');
if (register) {
  onSubmit(register, async (fields) => {
    await request('POST', '/api/auth/register', fields);
    return leave();
  });
}

/** @type {NodeListOf<HTMLAnchorElement>} */
const links = document.querySelectorAll('a[data-keeps-next]');
for (const link of links) link.search = location.search;

// Leave if already signed in. The form stays usable while this is checked.
request('GET', '/api/auth/me').then(leave, () => {});
