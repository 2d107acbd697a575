import * as z from 'zod';

/** The success envelope of 2-admin-api §2 around `data`. */
export const Success = <Data extends z.ZodType>(data: Data) =>
  z.object({ success: z.literal(true), data, message: z.string().optional() });

/** Wraps data in the success envelope. */
export const success = <Data>(data: Data, message?: string) => ({
  success: true as const,
  data,
  ...(message !== undefined && { message }),
});

/** The error envelope of 2-admin-api §2, with the request's id. */
export const ErrorEnvelope = z
  .object({
    success: z.literal(false),
    error: z.object({
      code: z.string(),
      message: z.string(),
      details: z.array(z.object({ field: z.string(), message: z.string() })),
      requestId: z.string(),
    }),
  })
  .meta({ id: 'Error' });
