import { signInTexts as texts } from '../texts.ts';
import { carryEmail } from './parts/carried-email.ts';
import { handleForm, post } from './parts/form.ts';

carryEmail();

handleForm('forgot', async (values) => {
  await post('/api/auth/forgot-password', values);
  return texts.linkSent;
});
