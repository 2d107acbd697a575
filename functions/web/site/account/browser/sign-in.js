import { request } from '../../../browser/api.js';
import { destination } from '../../../browser/format.js';
import { onSubmit } from '../../../browser/forms.js';
import { byId } from '../../../browser/page.js';
import { signInTexts as texts } from '../texts.ts';

const goOn = () => {
  location.replace(destination(location.search, location.origin));
  return texts.signedIn;
};

const login = byId('login');
if (login) {
  onSubmit(login, async ({ email, password }) => {
    await request('POST', '/api/auth/login', { email, password });
    return goOn();
  });
}

const register = byId('register');
if (register) {
  onSubmit(register, async (fields) => {
    await request('POST', '/api/auth/register', fields);
    return goOn();
  });
}

/** @type {NodeListOf<HTMLAnchorElement>} */
const links = document.querySelectorAll('a[data-keeps-next]');
for (const link of links) link.search = location.search;

// Whoever is signed in already has nothing to do here; whoever isn't can go on typing meanwhile.
request('GET', '/api/auth/me').then(goOn, () => {});
