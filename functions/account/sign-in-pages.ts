import { html } from '../../shared/html.ts';
import { type Field, field, form, showPasswords } from './fields.ts';
import { layout } from './layout.ts';

const email = (autocomplete: string): Field => ({
  name: 'email',
  label: 'E-mail',
  type: 'email',
  autocomplete,
});

/** The page to sign in. */
export const loginPage = (): string =>
  layout({
    title: 'Sign in',
    kind: 'notice',
    script: 'sign-in.js',
    imports: ['forms.js', 'words.js'],
    main: html`<main><div class="card">
<p class="brand">Handbill</p>
<h1>Sign in</h1>
${form(
  'login',
  html`${field('login', email('username'))}
${field('login', { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' })}
${showPasswords}`,
  'Sign in',
)}
<p class="other">No account yet? <a href="/register" data-keeps-next>Register</a></p>
</div></main>`,
  });

/** The page to register. */
export const registerPage = (): string =>
  layout({
    title: 'Register',
    kind: 'notice',
    script: 'sign-in.js',
    imports: ['forms.js', 'words.js'],
    main: html`<main><div class="card">
<p class="brand">Handbill</p>
<h1>Make an account</h1>
${form(
  'register',
  html`${field('register', { name: 'name', label: 'Name', autocomplete: 'name' })}
${field('register', email('username'))}
${field('register', { name: 'password', label: 'Password', type: 'password', autocomplete: 'new-password', hint: 'At least 6 characters.' })}
${field('register', { name: 'confirmPassword', label: 'The same password again', type: 'password', autocomplete: 'new-password' })}
${showPasswords}`,
  'Register',
)}
<p class="other">You have an account? <a href="/login" data-keeps-next>Sign in</a></p>
</div></main>`,
  });
