import { randomInt } from 'node:crypto';
import { pause } from '../runtime/backoff.ts';
import { DeferredError } from '../runtime/deferred.ts';
import { getSetting } from '../runtime/settings.ts';
import { getTimeLeft } from '../runtime/time-left.ts';

/** What an attempt and the end of its job take, in ms. */
const attemptMs = 5_000;

/** Range of the pause after a throttled attempt, in ms. */
const slowdownMs = { from: 500, to: 3_000 } as const;

/** Range of the delay after which another invocation tries, in seconds. */
const deferralSeconds = { from: 30, to: 300 } as const;

/** Settles when this process may send its next email. Each turn follows the one before. */
let nextTurn: Promise<void> = Promise.resolve();
/** How long it takes until then, in ms. */
let queuedMs = 0;

const delayNextTurn = (ms: number): void => {
  queuedMs += ms;
  nextTurn = nextTurn
    .then(() => pause(ms))
    .then(() => {
      queuedMs -= ms;
    });
};

/**
 * Waits until this process may send an email: together, MAIL_CONCURRENCY of them send MAIL_RATE emails a second
 * (decisions.md#jobs).
 * @throws DeferredError when the invocation must end before
 */
export const waitForTurn = async (): Promise<void> => {
  if (queuedMs + attemptMs > getTimeLeft()) {
    const delaySeconds = randomInt(deferralSeconds.from, deferralSeconds.to);
    throw new DeferredError('The rate of emails is reached', delaySeconds);
  }
  const turn = nextTurn;
  delayNextTurn((1_000 * getSetting('MAIL_CONCURRENCY')) / getSetting('MAIL_RATE'));
  await turn;
};

/** Delays the next turns after SES throttled an email, with jitter, so that processes don't stay in step. */
export const slowDown = (): void => delayNextTurn(randomInt(slowdownMs.from, slowdownMs.to));
