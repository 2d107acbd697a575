import { pass } from '../run/virtual-time.ts';
import { call } from '../service/call.ts';
import { handIn, intakeOf, reportRequest, visit } from '../shares/intake.ts';
import { moreThanAPage, newUser, type TypicalCalls } from './sample-request.ts';

/** After this time the rate limit for new shares is full again. */
const limitMs = 10 * 60_000;

/** Creates a user with a request that takes three submissions. */
const newRequest = async () => {
  const her = intakeOf(await newUser());
  const id = await her.newRequest({ submissions: 3 });
  pass(limitMs);
  return { ...her, id };
};

/** Creates a request that has taken one submission. */
const newAnswered = async () => {
  const her = await newRequest();
  await handIn(her.id);
  return her;
};

const ofModerator = async () => {
  const { id } = await newRequest();
  await reportRequest(id);
  return { ...intakeOf(await newUser('super_admin')), id };
};

const ofVisitor = (act: (id: string) => ReturnType<typeof visit>) => async () => {
  const { id } = await newRequest();
  return () => act(id);
};

export const intakeCalls: TypicalCalls = {
  'POST /api/share/requests': async () => {
    const { create } = intakeOf(await newUser());
    return create;
  },
  'GET /api/share/requests': async () => {
    const { newRequest: make, list } = intakeOf(await newUser());
    await moreThanAPage(make);
    return () => list();
  },
  'GET /api/share/requests/{id}': async () => {
    const { id, get } = await newAnswered();
    return () => get(id);
  },
  'PUT /api/share/requests/{id}': async () => {
    const { id, put } = await newAnswered();
    return () => put(id, { title: 'Other' });
  },
  'DELETE /api/share/requests/{id}': async () => {
    const { id, remove } = await newRequest();
    return () => remove(id);
  },
  'GET /api/shares/requests': async () => {
    const { reported } = await ofModerator();
    return reported;
  },
  'PUT /api/shares/requests/{id}/decision': async () => {
    const { id, decide } = await ofModerator();
    return () => decide(id, { decision: 'take-down' });
  },
  'GET /r/{id}': ofVisitor((id) => visit(id)),
  'POST /r/{id}': ofVisitor((id) => handIn(id)),
  'GET /r/{id}/report': ofVisitor((id) => call('GET /r/{id}/report', { params: { id } })),
  'POST /r/{id}/report': ofVisitor((id) => reportRequest(id)),
};
