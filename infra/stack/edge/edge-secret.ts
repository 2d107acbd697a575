import { CfnCondition, CfnParameter, type CfnParameterProps, Fn, type Stack } from 'aws-cdk-lib';
import type { EdgeParameter } from './secret-parameters.ts';

/** The secret that the CDN sends. It is in no template: `npm run deploy` passes it as parameters of the stack. */
export class EdgeSecret {
  /** The secret that the CDN sends. */
  readonly sent: string;
  /** The hashes of the secrets that functions accept, separated by commas. */
  readonly hashes: string;

  constructor(stack: Stack) {
    const add = (name: EdgeParameter, props: CfnParameterProps): CfnParameter =>
      new CfnParameter(stack, name, props);
    const secret = (name: EdgeParameter): CfnParameter =>
      add(name, { noEcho: true, allowedPattern: '[\\w-]{43}', description: 'By npm run deploy.' });
    const [a, b] = [secret('EdgeSecretA'), secret('EdgeSecretB')];
    const sent = add('EdgeSends', { allowedValues: ['A', 'B'] });
    const sendsB = new CfnCondition(stack, 'EdgeSendsB', {
      expression: Fn.conditionEquals(sent, 'B'),
    });
    this.sent = Fn.conditionIf(sendsB.logicalId, b.valueAsString, a.valueAsString).toString();
    const hash = '[0-9a-f]{64}';
    this.hashes = add('EdgeAccepts', {
      allowedPattern: `${hash}(,${hash}){1,2}`,
    }).valueAsString;
  }
}
