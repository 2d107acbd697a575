import * as z from 'zod';
import {
  type CreateDocumentOptions,
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiPathsObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { listGroups, listRoutes } from '../../functions/routes.ts';
import { contentTypes, imageTypes, ndjsonType } from '../../shared/http/http.ts';
import type { Route } from '../../shared/http/route.ts';
import { describeFields } from './openapi/descriptions.ts';
import { errorComponents, errorResponses } from './openapi/errors.ts';
import { requestHeaders, responseHeaders } from './openapi/headers.ts';
import { nameBaseFields } from './openapi/inheritance.ts';
import type { Node } from './openapi/json.ts';
import { operationId } from './openapi/operation-id.ts';
import { namePagination } from './openapi/pagination.ts';
import { nameParameters } from './openapi/parameters.ts';
import { nameProperties } from './openapi/properties.ts';
import { requireBodies } from './openapi/request-bodies.ts';
import { nameResponses } from './openapi/responses.ts';
import {
  dropInnerExamples,
  flattenNullable,
  nameEnvelopes,
  nameSharedSchemas,
} from './openapi/schemas.ts';
import { tags, tagTitles } from './openapi/tags.ts';
import { listWebhooks } from './openapi/webhooks.ts';
import { packageVersion } from './package-version.ts';

const description = `Handbill shares HTML and Markdown snippets as pages, and has an admin backend: users, documents, files, messages, notifications, a calendar, sales and a dashboard.

**Authentication.** Send \`Authorization: Bearer <token>\` with an access token from \`POST /api/auth/login\` or with an API token. Browsers can use the session cookie instead.

**Access.** \`x-access\` says who can call an operation: anyone (\`public\`), anyone, signed in or not (\`optional\`), any user (\`signed-in\`), any user but not with an API token (\`session\`), or users with a permission such as \`documents:view\`.

**API tokens.** With \`permissions\`, a token may do only what they name. Beside permissions there are scopes, such as \`shares:create\`, for what every user may do. \`x-scope\` says which one a token needs where \`x-access\` is \`signed-in\` or \`optional\`; without it, the first refuses the token with 403, and for the second it counts as signed out. \`none\`: it needs none; \`session\`: it always counts as signed out.

**Audit.** \`x-audit\` names the action that a change adds to the audit log.

**Plain text.** Where \`x-plain-text\` is set, \`Accept: text/plain\` gets the response as text, and errors as one line.

**Versions.** Where a response has an \`ETag\`, send it as \`If-None-Match\` to fetch a record only if it has changed, or as \`If-Match\` to change it only if nobody else has.

**Updates.** PUT changes only the fields you send. Read-only fields may be sent back as you read them, so you can send a whole record.

**Lists** return pages of up to 100 items, 10 by default. Use \`page\` up to item 10,000, and \`cursor\` beyond.

Every response has an \`X-Request-Id\`. HEAD is supported wherever GET is.`;

const successText = ({ status, produces }: Route): string => {
  if (status === 303) return 'Done. See the page in `Location`.';
  if (status === 302) return 'A redirect to the address in `Location`.';
  if (status === 201) return 'Created.';
  if (status === 202) return 'Accepted: it is done later.';
  return {
    json: 'OK.',
    html: 'The page.',
    css: 'The style sheet.',
    javascript: 'The script.',
    text: 'The source as plain text.',
    source: 'The source as plain text, or a file with its type.',
    font: 'The font.',
    calendar: 'The calendar as iCalendar.',
    rows: 'The rows, one on each line.',
    image: 'The picture.',
    file: 'The file.',
  }[produces];
};

const notModified: ZodOpenApiResponseObject = {
  description: 'Not modified: the version in `If-None-Match` is current.',
  headers: z.object({ etag: responseHeaders.etag }),
};

/** Returns the media types of a successful response. */
const listMediaTypes = (produces: Route['produces']): readonly string[] => {
  if (produces === 'image') return imageTypes;
  const types = [contentTypes[produces], ...(produces === 'rows' ? [ndjsonType] : [])];
  return types.map((type) => type.split(';', 1).join());
};

const responses = (route: Route): ZodOpenApiOperationObject['responses'] => {
  const { method, versionOf, idempotency, status, produces } = route;
  const mediaTypes = listMediaTypes(produces);
  const isTagged = versionOf !== undefined && method !== 'DELETE';
  const isConditional = isTagged || route.headers?.shape['if-none-match'] !== undefined;
  const headers = {
    ...(isTagged && { etag: responseHeaders.etag }),
    ...(idempotency && { 'idempotency-replayed': responseHeaders.replayed }),
    ...((status === 302 || status === 303) && { location: responseHeaders.location }),
    ...(produces === 'rows' && {
      'x-next-cursor': responseHeaders.nextCursor,
      link: responseHeaders.next,
    }),
  };
  const success: ZodOpenApiResponseObject = {
    description: successText(route),
    ...(Object.keys(headers).length > 0 && { headers: z.object(headers) }),
    ...(status !== 303 && {
      content: Object.fromEntries(
        [...mediaTypes, ...(produces === 'source' ? ['*/*'] : [])].map((type) => [
          type,
          produces === 'json' ? { schema: route.output } : {},
        ]),
      ),
    }),
  };
  return {
    [String(status)]: success,
    ...(route.accepted !== undefined && { '202': { description: route.accepted } }),
    ...(route.redirects !== undefined && {
      '303': {
        description: route.redirects,
        headers: z.object({ location: responseHeaders.location }),
      },
    }),
    ...(isConditional &&
      method === 'GET' && { '304': { $ref: '#/components/responses/NotModified' } }),
    ...errorResponses(route),
  };
};

const bodyTypes: Readonly<Record<Route['accepts'], string>> = {
  json: 'application/json',
  form: 'application/x-www-form-urlencoded',
  multipart: 'multipart/form-data',
};

/** The credentials of operations that don't state their own. */
const signedIn = [{ bearer: [] }, { cookie: [] }];

const operation = (group: string, route: Route): ZodOpenApiOperationObject => {
  const { access, scope, summary, params, query, body, accepts, auditAction } = route;
  const headers = requestHeaders(route);
  const others = Object.fromEntries(
    Object.entries(route.otherBodies ?? {}).map(([type, { schema }]) => [type, { schema }]),
  );
  const security = { public: [], optional: [{}, ...signedIn] }[access as string];
  return {
    operationId: operationId(route),
    tags: [group],
    summary,
    ...(route.description !== undefined && { description: route.description }),
    ...(security && { security }),
    'x-access': access,
    ...(scope !== undefined && { 'x-scope': scope }),
    ...(auditAction !== undefined && auditAction !== 'none' && { 'x-audit': auditAction }),
    // Among the responses, it would make generated clients expect a text that they never ask for.
    ...(route.toText && { 'x-plain-text': true }),
    requestParams: {
      ...(params && { path: params }),
      ...(query && { query }),
      ...(headers && { header: headers }),
    },
    ...(body && {
      requestBody: { content: { [bodyTypes[accepts]]: { schema: body }, ...others } },
    }),
    responses: responses(route),
  };
};

/** Adds the examples of inputs with transformations, which zod omits. */
const withExamples: CreateDocumentOptions['override'] = ({ zodSchema, jsonSchema, io }) => {
  // zod-openapi names the type of zod's core, of which a schema is.
  const { examples } = z.globalRegistry.get(zodSchema as unknown as z.ZodType) ?? {};
  if (io === 'input' && Array.isArray(examples)) jsonSchema.examples = examples;
};

/** Returns a path as OpenAPI writes it, which has no mark for a parameter that is all that follows. */
const toTemplate = (path: string): string => path.replace('+}', '}');

const rawDocument = () => {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const { name, routes } of listGroups('service')) {
    for (const route of routes) {
      const path = toTemplate(route.path);
      paths[path] = {
        ...paths[path],
        [route.method.toLowerCase()]: operation(name, route),
      };
    }
  }
  return createDocument(
    {
      openapi: '3.1.1',
      info: {
        title: 'Handbill',
        version: packageVersion,
        description,
        license: { name: 'MIT', identifier: 'MIT' },
      },
      security: signedIn,
      servers: [{ url: '/', description: 'This service' }],
      tags: Object.entries(tags).map(([name, text]) => ({
        name,
        description: text,
        'x-displayName': tagTitles[name as keyof typeof tagTitles],
      })),
      components: {
        securitySchemes: {
          bearer: {
            type: 'http',
            scheme: 'bearer',
            description: 'An access token, or an API token such as `hb_…`.',
          },
          cookie: {
            type: 'apiKey',
            in: 'cookie',
            name: '__Host-session',
            description:
              'Set when you sign in. Changes must come from this site, with a body of `application/json`.',
          },
        },
        responses: { NotModified: notModified, ...errorComponents(listRoutes('service')) },
      },
      paths: paths as ZodOpenApiPathsObject,
      webhooks: listWebhooks(),
    },
    { override: withExamples },
  );
};

const steps: readonly ((document: Node) => Node)[] = [
  nameSharedSchemas,
  flattenNullable,
  nameEnvelopes,
  dropInnerExamples,
  describeFields,
  namePagination,
  nameBaseFields,
  nameProperties,
  nameParameters,
  nameResponses,
  requireBodies,
];

/** Returns the service's API as an OpenAPI 3.1 document, with an operation for each route. */
export const openApi = (): ReturnType<typeof createDocument> => {
  const raw: Node = JSON.parse(JSON.stringify(rawDocument()));
  // The steps treat the document as plain JSON and keep its form.
  return steps.reduce((document, step) => step(document), raw) as unknown as ReturnType<
    typeof createDocument
  >;
};
