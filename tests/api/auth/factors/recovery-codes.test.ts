import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { documentClient } from '../../../../shared/db/dynamodb.ts';
import { useVirtualTime } from '../../../support/run/virtual-time.ts';
import { detailsOf } from '../../../support/service/audit.ts';
import { instead } from '../../../support/service/interruption.ts';
import { useTable } from '../../../support/table/table.ts';
import { codeOf } from '../../../support/users/authenticator.ts';
import {
  beginTotp,
  confirmTotp,
  firstStep,
  newTotpUser,
  readFactors,
  reauthenticate,
  secondStep,
  type WithTotp,
} from '../../../support/users/factors.ts';

useTable();
useVirtualTime('2026-11-21T12:00:00Z');
afterEach(() => {
  vi.restoreAllMocks();
});

const leftOf = async ({ token }: WithTotp) =>
  (await readFactors(token)).body.data.recoveryCodes.left;

describe('a recovery code', () => {
  it('signs in once, and the session counts as proven', async () => {
    const user = await newTotpUser();
    const [code] = user.codes;
    const mfaToken = await firstStep(user.email);
    const { status, body } = await secondStep(mfaToken, code);
    expect(status).toBe(200);
    expect(await leftOf(user)).toBe(9);
    expect(await detailsOf(user, 'session.create')).toContainEqual({
      session: expect.any(String),
      factor: 'recovery',
    });
    expect((await beginTotp(body.token)).status).toBe(200);
    expect((await secondStep(mfaToken, code)).status).toBe(400);
    expect((await secondStep(await firstStep(user.email), code)).status).toBe(400);
    expect(await leftOf(user)).toBe(9);
  });

  it('signs in one of many at the same time', async () => {
    const user = await newTotpUser();
    const mfaToken = await firstStep(user.email);
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => secondStep(mfaToken, user.codes[3])),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(400)]);
    expect(await leftOf(user)).toBe(9);
  });

  it('is one of ten that each sign in', async () => {
    const user = await newTotpUser();
    const mfaToken = await firstStep(user.email);
    for (const [at, code] of user.codes.entries()) {
      expect((await secondStep(mfaToken, code)).status).toBe(200);
      expect(await leftOf(user)).toBe(9 - at);
    }
    expect((await secondStep(mfaToken, user.codes[0])).status).toBe(400);
  });

  it.each([
    ['in capitals', (code: string) => code.toUpperCase()],
    ['without the dash', (code: string) => code.replace('-', '')],
    ['with spaces', (code: string) => ` ${code.replace('-', ' - ')} `],
    [
      'with letters in place of digits',
      (code: string) => code.replace(/0/g, 'o').replace(/1/g, 'I'),
    ],
  ])('may be typed %s', async (_, type) => {
    const user = await newTotpUser();
    const mfaToken = await firstStep(user.email);
    expect((await secondStep(mfaToken, type(user.codes[0] ?? ''))).status).toBe(200);
  });

  it('of another user is refused', async () => {
    const [ann, bob] = [await newTotpUser(), await newTotpUser()];
    expect((await secondStep(await firstStep(ann.email), bob.codes[0])).status).toBe(400);
    expect(await leftOf(bob)).toBe(10);
  });

  it('proves who is signed in, once', async () => {
    const user = await newTotpUser();
    const [code] = user.codes;
    expect((await reauthenticate(user.token, { code })).status).toBe(200);
    expect((await reauthenticate(user.token, { code })).status).toBe(400);
    expect(await leftOf(user)).toBe(9);
  });

  it('stays used if the factors change while it signs in', async () => {
    const user = await newTotpUser();
    const mfaToken = await firstStep(user.email);
    const [code] = user.codes;
    const { secret } = (await beginTotp(user.token)).body.data;
    // The change has read the factors when the code is used.
    instead(documentClient(), TransactWriteCommand, async (go) => {
      expect((await secondStep(mfaToken, code)).status).toBe(200);
      return go();
    });
    expect((await confirmTotp(user.token, codeOf(secret))).status).toBe(200);
    expect(await leftOf(user)).toBe(9);
    expect((await secondStep(await firstStep(user.email), code)).status).toBe(400);
  });
});
