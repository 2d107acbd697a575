import type { Ask } from './client.ts';
import type { Step, Story } from './step.ts';
import type { Username } from './team.ts';

/** Gives one person webhooks: one whose host isn’t there, so that its calls fail, and one that is paused. */
export const webhookSteps = (
  { at }: Story,
  openSession: (who: Username) => Promise<Ask>,
): Step[] => [
  {
    at: at(1, 16),
    run: async () => {
      const ask = await openSession('luca');
      await ask('POST /api/webhooks', {
        url: 'https://old.heron.example.com/in',
        label: 'The former shop',
        events: ['share.reported'],
        active: false,
      });
      const { id } = await ask<{ id: number }>('POST /api/webhooks', {
        url: 'https://hooks.heron.example.com/handbill',
        events: ['share.submitted', 'share.reported'],
      });
      await ask(`POST /api/webhooks/${id}/test`, {});
    },
  },
];
