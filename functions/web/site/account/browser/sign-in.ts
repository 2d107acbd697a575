import { getDestination } from '../destination.ts';
import { handleForm, post } from './parts/form.ts';

const leave = (): undefined => {
  location.replace(getDestination(new URLSearchParams(location.search).get('next') ?? undefined));
};

handleForm('login', async (values) => {
  await post('/api/auth/login', values);
  return leave();
});

handleForm('register', async (values) => {
  await post('/api/auth/register', values);
  return leave();
});
