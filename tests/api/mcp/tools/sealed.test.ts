import { expect, it } from 'vitest';
import { newAssistant } from '../../../support/mcp/call-tool.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { newSeal, sealedBody } from '../../../support/shares/sealed.ts';
import { useTable } from '../../../support/table/table.ts';
import { newPerson } from '../../../support/users/test-users.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();
useBucket();
useJobs();

const { ann } = usePeople({ ann: newPerson });

it('an assistant is told that a share is sealed, instead of its envelope, and can’t replace it', async () => {
  const { get, fail } = await newAssistant(ann);
  const body = await sealedBody(await newSeal(), { audience: 'private', title: 'Codes' });
  const id = await sharesOf(ann).newShare(body);
  const read = await get('share_read', { id });
  expect(read).toMatchObject({ id, title: 'Codes', sealed: true });
  expect(read.content).toMatch(/^\[This share is sealed/);
  expect(JSON.stringify(read)).not.toContain('SEJTA');
  expect((await get('share_list', {})).items[0]).toMatchObject({ id, sealed: true });
  const plain = { id, version: 1, content: '# Plain' };
  expect(await fail('share_update', plain)).toMatch(/^UNPROCESSABLE: .*the share is sealed/);
  const file = { id, path: 'a.txt', content: 'Plain' };
  expect(await fail('share_file_put', file)).toMatch(/^UNPROCESSABLE: .*sealed share/);
});

it('an assistant is told not to send a key, which no answer repeats', async () => {
  const { fail } = await newAssistant(ann);
  const seal = await newSeal();
  const id = await sharesOf(ann).newShare(await sealedBody(seal));
  const refusal = await fail('share_read', { id: `${id}#${seal.fragment}` });
  expect(refusal).toMatch(/^VALIDATION_ERROR: .*id must end before the `#`/s);
  expect(refusal).not.toContain(seal.fragment);
});
