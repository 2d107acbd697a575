import * as z from 'zod';
import type { Actor } from '../../../shared/auth/actor.ts';
import { RecordId } from '../../../shared/db/ids.ts';
import { success } from '../../../shared/http/envelope.ts';
import type { FoundFile } from './record/files.ts';
import { loadResponse } from './schemas.ts';

/** The path of one file. */
export const params = z.object({ id: RecordId });

/** Returns the version of the file in a response. */
export const getVersion = ({ data }: { readonly data: { readonly version: number } }) =>
  data.version;

/** Responds with a file. */
export const toFileResponse = async (actor: Actor, found: FoundFile, message: string) =>
  success(await loadResponse(actor, found), message);
