import { getDestination } from '../../../layout/addresses/destination.ts';
import { carryEmail } from './parts/carried-email.ts';
import { handleForm, post } from './parts/form.ts';

const leave = (): undefined => {
  location.replace(getDestination(new URLSearchParams(location.search).get('next') ?? undefined));
};

carryEmail();

handleForm('login', async (values) => {
  await post('/api/auth/login', values);
  return leave();
});

handleForm('register', async (values) => {
  await post('/api/auth/register', values);
  return leave();
});
