import { post } from '../../../browser/data/post.ts';
import { handleForm } from './parts/sign-in/form.ts';

handleForm('keep', async ({ to }) => {
  await post('/api/users/me/restore', {});
  location.replace(String(to));
  return undefined;
});

handleForm('sign-out', async ({ to }) => {
  await post('/api/auth/logout', {});
  location.replace(String(to));
  return undefined;
});
