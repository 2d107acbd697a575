import { type FactorMethod, handleSecondStep } from '../../browser/factors/second-step.ts';
import { getDestination, withNext } from '../../layout/addresses/destination.ts';

const root = document.getElementById('second-factor');

const readValue = (name: string): string | undefined =>
  root?.querySelector<HTMLInputElement>(`input[name="${name}"]`)?.value;

if (root) {
  const methods = (readValue('methods') ?? '').split(' ') as FactorMethod[];
  const next = readValue('next');
  handleSecondStep(
    root,
    { mfaToken: readValue('mfaToken') ?? '', methods },
    {
      onDone: () => location.replace(getDestination(next)),
      onLate: () => location.replace(`${withNext('/login', next)}${next ? '&' : '?'}why=late`),
    },
  );
}
