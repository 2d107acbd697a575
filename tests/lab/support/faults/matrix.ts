import { listRoutes } from '../../../../functions/routes.ts';
import { type Asked, services } from '../../../support/faults/aws-request.ts';
import { type Fault, type FaultKind, kindsFor } from '../../../support/faults/fault.ts';
import type { Answer } from '../../../support/service/call.ts';
import { difference, type Tally } from '../../../support/service/state.ts';

const routes = [...listRoutes('service'), ...listRoutes('snippets')];
/** Returns the endpoint of a typical call. */
export const endpointOf = (call: string): string => call.replace(/ \(.*\)$/, '');

/** Returns the route of a typical call. */
export const routeOf = (call: string) => {
  const found = routes.find(({ method, path }) => `${method} ${path}` === endpointOf(call));
  if (!found) throw new Error(`No route ${call}`);
  return found;
};

/** Faults that only matter if they continue until they are lifted. */
const onlyLasting: readonly FaultKind[] = ['refuse', 'slow', 'one-item-pages'];
/** Faults that, as a single fault, look to a retry like another kind. */
const neverLasting: readonly FaultKind[] = ['half-unprocessed'];
const alikeOnce: readonly FaultKind[] = ['hang'];

const describeFault = ({ service, operation, nth, kind, times = 1 }: Fault): string =>
  `${kind}${times > 1 ? ' from' : ' at'} ${service} ${operation} ${nth}${times > 1 ? ' on' : ''}`;

/** One fault of a call, with its name. */
export interface Cell {
  readonly name: string;
  readonly fault: Fault;
}

/** Returns whether the fault affects more than one request. */
export const isLasting = ({ fault }: Cell): boolean => (fault.times ?? 1) > 1;

/** Of many equal requests, the first n and the last are tested. */
const triedAlike = 3;

/** Returns every possible fault of each request of a call, once or from that request on. */
export const cellsOf = (asked: readonly Asked[]): Cell[] => {
  const nameOf = ({ service, operation }: Asked) => `${service} ${operation}`;
  const totals = new Map<string, number>();
  for (const one of asked) totals.set(nameOf(one), (totals.get(nameOf(one)) ?? 0) + 1);
  const counts = new Map<string, number>();
  return asked.flatMap((one) => {
    const { service, operation } = one;
    const nth = (counts.get(nameOf(one)) ?? 0) + 1;
    counts.set(nameOf(one), nth);
    if (nth > triedAlike && nth < (totals.get(nameOf(one)) ?? 0)) return [];
    return kindsFor(one).flatMap((kind) => {
      const once: Fault = { kind, service, operation, nth };
      const lasting: Fault = { ...once, times: Number.POSITIVE_INFINITY };
      const faults = [
        ...(onlyLasting.includes(kind) || alikeOnce.includes(kind) ? [] : [once]),
        ...(neverLasting.includes(kind) ? [] : [lasting]),
      ];
      return faults.map((fault) => ({ name: describeFault(fault), fault }));
    });
  });
};

/** Returns an outage of each service that a call uses. */
export const outagesOf = (asked: readonly Asked[]): Cell[] =>
  services
    .filter((service) => asked.some((one) => one.service === service))
    .flatMap((service) =>
      (['hang', 'refuse'] as const).map((kind) => ({
        name: `${kind} of all of ${service}`,
        fault: { kind, service, times: Number.POSITIVE_INFINITY },
      })),
    );

/** Jobs that may be lost, because requests do not wait for the queue (decisions.md#jobs). */
const brief = /^job (share-viewed|activity)$/;

const without = (tally: Tally, left: RegExp): Tally =>
  Object.fromEntries(Object.entries(tally).filter(([name]) => !left.test(name)));

/** Returns the body of a response without variable values. */
export const comparable = ({ body }: Answer): string =>
  JSON.stringify(body ?? null)
    .replace(/"(views|viewsLeft)":(\d+|null)/g, '"$1":0')
    .replace(/"timestamp":"[^"]+"/g, '"timestamp":""')
    .replace(/view=[\w.-]+/g, 'view=')
    .replace(/X-Amz-(Date|Signature)=\w+/g, 'X-Amz-$1=')
    .replace(/"(expiresAt|nextCheckinAt)":"[^"]+"/g, '"$1":""')
    .replace(/name=\\"claim\\" value=\\"[^"]+"/g, 'claim');

/** Returns whether two tallies are equal, except for jobs that may be lost. */
export const isSame = (a: Tally, b: Tally): boolean =>
  Object.keys(difference(without(a, brief), without(b, brief))).length === 0;
