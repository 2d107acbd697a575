import { post } from '../../../browser/data/post.ts';
import { verifyTexts as texts } from '../texts.ts';
import { handleForm } from './parts/sign-in/form.ts';

handleForm('verify', async (values) => {
  await post('/api/auth/verify-email', values);
  location.replace('/verify');
  return undefined;
});

handleForm('send', async () => {
  await post('/api/auth/send-verification', {});
  return texts.sent;
});

handleForm('sign-out', async ({ to }) => {
  await post('/api/auth/logout', {});
  location.replace(String(to));
  return undefined;
});
