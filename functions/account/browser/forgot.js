import { byId, call, onSubmit } from './forms.js';

const forgot = byId('forgot');
onSubmit(forgot, async ({ email }) => {
  const { message } = await call('POST', '/api/auth/forgot-password', { email });
  forgot.reset();
  return `${message}.`;
});
