/** An implementation of the handler, and the parts that it omits. */
export interface Contender {
  readonly title: string;
  /** Path of the module, from this folder. */
  readonly module: string;
  /** Replaces the logger and the metrics with empty modules. */
  readonly withoutTelemetry?: boolean;
}

/** The bare handler is the first: the others are compared with it. */
export const frameworks: Readonly<Record<string, Contender>> = {
  bare: { title: 'bare handler', module: './handlers/bare.ts' },
  ours: { title: 'Handbill', module: '../../../../functions/api/documents/index.ts' },
  middy: { title: 'middy', module: './handlers/middy.ts' },
  hono: { title: 'Hono', module: './handlers/hono.ts' },
  fastify: { title: 'Fastify', module: './handlers/fastify.ts' },
  express: { title: 'Express + serverless-http', module: './handlers/express.ts' },
  'event-handler': { title: 'Powertools event handler', module: './handlers/event-handler.ts' },
  'bare-quiet': {
    title: 'bare, no logger and metrics',
    module: './handlers/bare.ts',
    withoutTelemetry: true,
  },
};
