import { Success, success } from '../../shared/envelope.ts';
import { route } from '../../shared/route.ts';
import { toUser, User } from '../../shared/user.ts';

export const routes = [
  route({
    endpoint: 'GET /api/users/me',
    access: 'signed-in',
    summary: 'The signed-in user',
    output: Success(User),
    handle: async ({ actor }) => success(toUser(actor.user)),
  }),
];
