import { signInTexts as texts } from '../texts.ts';
import { handleForm, post } from './parts/form.ts';

handleForm('forgot', async (values) => {
  await post('/api/auth/forgot-password', values);
  return texts.linkSent;
});
