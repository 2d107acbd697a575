import { expect } from 'vitest';

interface Detail {
  readonly field: string;
  readonly message: unknown;
}

/** Returns the expected body of an error. */
export const errorBody = (code: string, message: unknown, details: readonly Detail[] = []) => ({
  success: false,
  error: { code, message, details, requestId: expect.any(String) },
});
