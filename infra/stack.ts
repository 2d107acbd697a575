import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import type { Construct } from 'constructs';
import { type Host, hosts } from '../functions/routes.ts';
import type { Route } from '../shared/route.ts';
import type { SettingName } from '../shared/settings.ts';
import { ApiFunction } from './api-function.ts';
import { DataTable } from './data-table.ts';
import { HostApi } from './http-api.ts';
import { type Group, needs } from './needs.ts';
import { SigningSecret } from './signing-secret.ts';

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

/** The whole service: a host for itself and one for snippets, a function for each group, and what they share. */
export class HandbillStack extends Stack {
  readonly #table = new DataTable(this, 'Table');
  readonly #signingSecret = new SigningSecret(this, 'SigningSecret');
  readonly #apis: Readonly<Record<Host, HostApi>> = {
    service: new HostApi(this, 'ServiceApi', { apiName: 'handbill-service' }),
    snippets: new HostApi(this, 'SnippetsApi', { apiName: 'handbill-snippets' }),
  };

  constructor(scope: Construct, id: string, props?: StackProps) {
    super(scope, id, props);
    for (const host of Object.keys(hosts) as Host[]) {
      const groups = Object.entries<readonly Route[]>(hosts[host]) as [Group, readonly Route[]][];
      for (const [group, routes] of groups) {
        this.#apis[host].serve(group, routes, this.#functionFor(group).function);
      }
    }
    new CfnOutput(this, 'ServiceUrl', { value: this.#apis.service.apiEndpoint });
    new CfnOutput(this, 'SnippetsUrl', { value: this.#apis.snippets.apiEndpoint });
  }

  /** A group's function with the rights and settings that it needs, and no others. */
  #functionFor(group: Group): ApiFunction {
    const needed = needs[group];
    const made = new ApiFunction(this, capitalized(group), group, needed);
    if (needed.table) {
      this.#table.allow(made.function, needed.table);
      made.set('TABLE_NAME', this.#table.tableName);
    }
    if (needed.signingSecret) {
      this.#signingSecret.allow(made.function);
      made.set('JWT_SECRET_ID', this.#signingSecret.secretArn);
    }
    for (const name of needed.settings ?? []) {
      const value = this.#valueOf(name);
      if (value !== undefined) made.set(name, value);
    }
    return made;
  }

  /** A setting's value: chosen in the context (`-c PASSWORD_COST=11`), or what the stack knows of itself. */
  #valueOf(name: SettingName): string | undefined {
    const own: Partial<Record<SettingName, string>> = {
      PUBLIC_URL: this.#apis.service.apiEndpoint,
      SNIPPETS_URL: this.#apis.snippets.apiEndpoint,
    };
    return this.node.tryGetContext(name) ?? own[name];
  }
}
