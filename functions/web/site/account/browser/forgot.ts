import { post } from '../../../browser/data/post.ts';
import { signInTexts as texts } from '../texts.ts';
import { carryEmail } from './parts/sign-in/carried-email.ts';
import { handleForm } from './parts/sign-in/form.ts';

carryEmail();

handleForm('forgot', async (values) => {
  await post('/api/auth/forgot-password', values);
  return texts.linkSent;
});
