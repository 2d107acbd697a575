import { describe, expect, it } from 'vitest';
import { listRoutes } from '../../../functions/routes.ts';
import { commonFields, particularFields } from '../../../infra/build/openapi/field-texts.ts';
import { statedIds } from '../../../infra/build/openapi/operation-id.ts';
import type { Operation } from '../../support/openapi/describe-document.ts';
import { document, operationOf } from '../../support/openapi/document.ts';

interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: boolean | Schema;
}

const schemas: Readonly<Record<string, Schema>> = document.components.schemas;
const routes = listRoutes('service');
const endpoints = routes.map(({ method, path }) => `${method} ${path}`);
const documented = (endpoint: string): Operation => {
  const [method = '', path = ''] = endpoint.split(' ');
  return operationOf(method, path) as Operation;
};

const verbs = new Set(
  (
    'Accept Cancel Change Check Complete Connect Convert Count Create Delete Disconnect Download End Export Get Import Lift List Mark Moderate Move Open ' +
    'Record Refresh Remove Reopen Report Request Resend Reset Respond Restore Retry Revoke Send Share Show Sign Unshare Update Upload Verify'
  ).split(' '),
);

/** Returns the properties without a description, either their own or that of their component. */
const findUndescribed = (schema: Schema, path: string): string[] => {
  const { properties = {}, items, anyOf = [], additionalProperties } = schema;
  const own = Object.entries(properties).flatMap(([name, property]) => {
    const target = schemas[property.$ref?.split('/').at(-1) ?? ''];
    const isDescribed = property.description ?? target?.description;
    const inner = findUndescribed(property, `${path}.${name}`);
    return isDescribed ? inner : [`${path}.${name}`, ...inner];
  });
  const parts = [
    ...(items ? [items] : []),
    ...anyOf,
    ...(typeof additionalProperties === 'object' ? [additionalProperties] : []),
  ];
  return [...own, ...parts.flatMap((part) => findUndescribed(part, path))];
};

describe('the document', () => {
  it('summarizes each route in up to six words that begin with a verb', () => {
    const wrong = endpoints.flatMap((endpoint) => {
      const { summary, description = '.' } = documented(endpoint);
      const words = summary.split(' ');
      const isSummary = words.length <= 6 && verbs.has(words[0] ?? '') && !/[.;,:]/.test(summary);
      return isSummary && description.endsWith('.') ? [] : [{ endpoint, summary, description }];
    });
    expect(wrong).toEqual([]);
  });

  it('uses every verb, stated operation id and description of a field', () => {
    const first = endpoints.map((endpoint) => documented(endpoint).summary.split(' ')[0]);
    expect([...verbs].filter((verb) => !first.includes(verb))).toEqual([]);
    expect(Object.keys(statedIds).filter((endpoint) => !endpoints.includes(endpoint))).toEqual([]);
    const text = JSON.stringify(document);
    const unused = Object.entries({ ...commonFields, ...particularFields }).filter(
      ([, description]) => !text.includes(JSON.stringify(description)),
    );
    expect(unused).toEqual([]);
  });

  it('describes each parameter, response and header', () => {
    const undescribed = endpoints.flatMap((endpoint) => {
      const { parameters, responses } = documented(endpoint);
      const parts = [
        ...parameters.map(({ name, description }) => [name, description]),
        ...Object.entries(responses).flatMap(([status, { description, headers = {} }]) => [
          [status, description?.endsWith('.') && description],
          ...Object.entries(headers).map(([name, one]) => [name, one.description]),
        ]),
      ];
      return parts.filter(([, text]) => !text).map(([name]) => `${endpoint}: ${name}`);
    });
    expect(undescribed).toEqual([]);
  });

  it('describes each property of each component and body', () => {
    const named = Object.entries(schemas).flatMap(([name, one]) => findUndescribed(one, name));
    const inline = endpoints.flatMap((endpoint) => {
      const { requestBody, responses } = documented(endpoint);
      return [requestBody, ...Object.values(responses)].flatMap((part) =>
        Object.values(part?.content ?? {}).flatMap(({ schema = {} }) =>
          findUndescribed(schema, endpoint),
        ),
      );
    });
    expect([...named, ...inline]).toEqual([]);
  });

  it('describes each tag in sentences', () => {
    const tags: { name: string; description: string }[] = document.tags;
    for (const { name, description } of tags) expect(description, name).toMatch(/^[A-Z].*\.$/s);
    expect(tags.map(({ name }) => name)).toEqual(
      expect.arrayContaining(
        endpoints.flatMap((endpoint) => documented(endpoint).tags as string[]),
      ),
    );
  });

  it('is at most 680 KB large', () => {
    expect(Buffer.byteLength(JSON.stringify(document))).toBeLessThan(680 * 1_024);
  });
});
