import { call } from '../../assets/browser/modules/api.js';
import { onSubmit } from '../../assets/browser/modules/forms.js';
import { byId } from '../../assets/browser/modules/page.js';

const forgot = byId('forgot');
onSubmit(forgot, async ({ email }) => {
  const { message } = await call('POST', '/api/auth/forgot-password', { email });
  forgot.reset();
  return `${message}.`;
});
