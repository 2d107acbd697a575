import { request } from '../../../browser/api.js';
import { onSubmit } from '../../../browser/forms.js';
import { byId } from '../../../browser/page.js';

const forgot = byId('forgot');
onSubmit(forgot, async ({ email }) => {
  const { message } = await request('POST', '/api/auth/forgot-password', { email });
  forgot.reset();
  return message;
});
