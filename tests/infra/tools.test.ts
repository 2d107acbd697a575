import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { listRoutes } from '../../functions/routes.ts';
import { simplifySchema } from '../../infra/build/tools/simplify-schema.ts';
import { buildTools } from '../../infra/build/tools.ts';

const tools = buildTools();
const names = tools.map(({ definition }) => definition.name).toSorted();

describe('the tools', () => {
  it('are those of the routes', () => {
    expect(names).toEqual([
      ...['document_create', 'document_read', 'document_search', 'markdown_convert'],
      ...['share_create', 'share_end', 'share_file_put', 'share_files', 'share_link_create'],
      ...['share_list', 'share_read', 'share_receipts', 'share_update'],
    ]);
    const declared = listRoutes('service').flatMap(({ tools: own = [] }) => own);
    expect(declared.map(({ name }) => name).toSorted()).toEqual(names);
  });

  it('take less than 25 KB as a list', () => {
    const list = tools.map(({ definition }) => definition);
    expect(Buffer.byteLength(JSON.stringify(list))).toBeLessThan(25 * 1_024);
  });

  it('delete nothing', () => {
    expect(tools.filter(({ method }) => method === 'DELETE')).toEqual([]);
  });

  it.each(tools.map((tool) => [tool.definition.name, tool] as const))(
    '%s is described, and has all hints and valid schemas',
    (_, { definition, places, method }) => {
      const { title, description, inputSchema, outputSchema, annotations } = definition;
      expect(title).toMatch(/^[A-Z][^.]{3,40}$/);
      expect(description).toMatch(/^[A-Z].*\.$/s);
      expect(description.length).toBeLessThan(450);
      expect(Object.keys(annotations).toSorted()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
      const { readOnlyHint, destructiveHint } = annotations;
      // Markdown is converted by a POST, which stores nothing.
      if (definition.name !== 'markdown_convert') expect(readOnlyHint).toBe(method === 'GET');
      expect(readOnlyHint && destructiveHint).toBe(false);
      const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, strictTypes: false });
      addFormats.default(ajv);
      for (const schema of [inputSchema, outputSchema ?? {}]) {
        expect(ajv.validateSchema(schema) || ajv.errors).toBe(true);
        ajv.compile(schema);
      }
      expect(Object.keys(inputSchema.properties)).toEqual(Object.keys(places));
      for (const [name, property] of Object.entries(inputSchema.properties)) {
        expect(property['description'], name).toEqual(expect.any(String));
        expect(JSON.stringify(property), name).not.toContain('$ref');
      }
    },
  );
});

/** Values for inputs of which the schema of a tool and that of its route must think the same. */
const samples: readonly unknown[] = [
  ...['', 'a', 'html', 'link', 'private', 'active', 'mill.html', 'ann@example.com', '2030'],
  ...['x'.repeat(70), 'x'.repeat(300), 'x'.repeat(5_000), 'A B', 'none!'],
  ...[0, 1, -1, 1.5, 7, 2_000_000, 1e12, true, false],
  ...[[], ['a'], [1], ['ann@example.com'], {}],
];

/** What no schema of a tool can say. */
const isBeyondSchemas = (name: string, value: unknown): boolean =>
  // Formats are only named, and blanks don't count.
  ['email', 'readers', 'base64'].includes(name) || value === '';

describe('the schema of a tool', () => {
  it.each(tools.map((tool) => [tool.definition.name, tool] as const))(
    'of %s accepts for each field of a body what the route does',
    (_, { definition, method, path, places }) => {
      const route = listRoutes('service').find((one) => one.method === method && one.path === path);
      const { shape = {} } = (route?.body ?? {}) as { readonly shape?: Record<string, z.ZodType> };
      const ajv = new Ajv2020({ strict: false, validateFormats: false });
      for (const [name, property] of Object.entries(definition.inputSchema.properties)) {
        const field = places[name] === 'body' ? shape[name] : undefined;
        if (!field) continue;
        const check = ajv.compile(property);
        const wrong = samples.filter(
          (value) =>
            !isBeyondSchemas(name, value) && check(value) !== field.safeParse(value).success,
        );
        expect(wrong, name).toEqual([]);
      }
    },
  );
});

describe('simplifySchema', () => {
  const toSchema = (schema: z.ZodType) => z.toJSONSchema(schema, { io: 'input' }) as object;
  const Choice = z.enum(['a', 'b']).nullable().meta({ id: 'ToolChoice', description: 'One.' });

  it('resolves references, and keeps null where it means something', () => {
    const object = toSchema(z.object({ choice: Choice, count: z.int().nullish() }));
    expect(simplifySchema({ ...object }, true)['properties']).toEqual({
      choice: { type: ['string', 'null'], enum: ['a', 'b', null], description: 'One.' },
      count: { type: ['integer', 'null'] },
    });
    expect(simplifySchema({ ...object }, false)['properties']).toEqual({
      choice: { type: 'string', enum: ['a', 'b'], description: 'One.' },
      count: { type: 'integer' },
    });
  });

  it('leaves properties alone that are called like keywords', () => {
    const schema = simplifySchema(
      { ...toSchema(z.object({ id: z.string(), examples: z.int() })) },
      true,
    );
    expect(schema['properties']).toEqual({ id: { type: 'string' }, examples: { type: 'integer' } });
  });
});
