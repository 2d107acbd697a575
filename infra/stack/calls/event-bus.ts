import { Stack } from 'aws-cdk-lib';
import { Grant } from 'aws-cdk-lib/aws-iam';
import type { ApiFunction } from '../api-function.ts';

/** The bus that every account has: a bus of the stack's own couldn't be destroyed while it has rules. */
const busName = 'default';

/** Lets a function know that its events go to the bus, and with `putsThem`, put them there. */
export const connectEventBus = (
  created: ApiFunction,
  { putsThem }: { readonly putsThem: boolean },
): void => {
  created.set('EVENT_BUS', busName);
  if (!putsThem) return;
  Grant.addToPrincipal({
    grantee: created.function,
    actions: ['events:PutEvents'],
    resourceArns: [
      Stack.of(created).formatArn({
        service: 'events',
        resource: 'event-bus',
        resourceName: busName,
      }),
    ],
  });
};
