import { expect, it, onTestFinished, vi } from 'vitest';
import { modern } from '../../../support/mcp/messages.ts';
import { typicalInputs } from '../../../support/mcp/typical-inputs.ts';
import { pass, useVirtualTime } from '../../../support/run/virtual-time.ts';
import { useBucket } from '../../../support/s3/local-s3.ts';
import { call } from '../../../support/service/call.ts';
import { useJobs } from '../../../support/service/jobs.ts';
import { sharesOf } from '../../../support/shares/requests.ts';
import { meterAws } from '../../../support/table/meter.ts';
import { useTable } from '../../../support/table/table.ts';
import { newUserOf } from '../../../support/users/test-users.ts';

useVirtualTime('2026-11-10T12:00:00Z');
useTable();
useBucket();
useJobs();

const hourMs = 60 * 60_000;

// Units are those of the local engine, without index writes. A tool adds the door's authentication and limit to its route.
it('limits the units and round trips of each tool', async () => {
  vi.stubEnv('JWT_ACCESS_EXPIRES', '1d');
  onTestFinished(() => void vi.unstubAllEnvs());
  const { token, ...ann } = await newUserOf('super_admin');
  const document = await call('POST /api/documents', {
    token,
    body: { title: 'Minutes', type: 'text', content: 'We met.' },
  });
  const share = await sharesOf({ token, ...ann }).newShare({ audience: 'private' });
  const meter = meterAws();
  const lines: Record<string, string> = {};
  for (const [name, input] of Object.entries(typicalInputs(share, document.body.data.id))) {
    // After this time, no bucket of a limit needs a second write.
    pass(hourMs / 12);
    const { result, readUnits, writeUnits, tableTrips, requests } = await meter.measure(() =>
      modern(token, 'tools/call', { name, arguments: input }),
    );
    expect(result.body.result?.isError, JSON.stringify(result.body)).toBeUndefined();
    expect(result.status).toBe(200);
    lines[name] = `${readUnits} RU ${writeUnits} WU ${tableTrips} trips ${requests.bucket} S3`;
  }
  meter.stop();
  expect(lines).toMatchInlineSnapshot(`
    {
      "document_create": "2 RU 27 WU 3 trips 0 S3",
      "document_read": "4 RU 1 WU 3 trips 0 S3",
      "document_search": "10 RU 1 WU 5 trips 0 S3",
      "markdown_convert": "2 RU 2 WU 3 trips 0 S3",
      "share_create": "2 RU 16 WU 4 trips 0 S3",
      "share_end": "4 RU 9 WU 5 trips 0 S3",
      "share_file_put": "4 RU 19 WU 6 trips 1 S3",
      "share_files": "3 RU 1 WU 3 trips 0 S3",
      "share_link_create": "3 RU 9 WU 4 trips 0 S3",
      "share_list": "8 RU 1 WU 4 trips 0 S3",
      "share_read": "3 RU 1 WU 3 trips 0 S3",
      "share_receipts": "5 RU 2 WU 5 trips 0 S3",
      "share_update": "3 RU 10 WU 5 trips 0 S3",
    }
  `);
});
