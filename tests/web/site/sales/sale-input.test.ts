import { describe, expect, it } from 'vitest';
import { textFieldNames, textFields } from '../../../../functions/api/sales/text-fields.ts';
import { findProblem } from '../../../../functions/web/site/sales/sale-input.ts';
import { entriesAbout } from '../../../support/service/audit.ts';
import { call } from '../../../support/service/call.ts';
import { useTable } from '../../../support/table/table.ts';
import { usePeople } from '../../../support/users/use-people.ts';

useTable();

const { root } = usePeople({ root: 'super_admin' });

const wrong = ['two\nlines', 'a\u2028b', 'bell\u0007', 'evil\u202eexe', 'lone \ud800'];

describe.each(textFieldNames)('the text %s of a sale', (field) => {
  const texts = [...wrong, 'x'.repeat(textFields[field] + 1)];

  it.each(texts)('is refused by the page in the words of the API: %j', async (text) => {
    const problem = findProblem(field, text, 'EUR');
    expect(problem).toMatch(/^must /);
    const { status, body } = await call('POST /api/sales', {
      token: root.token,
      body: { amount: 1, [field]: text },
    });
    expect([status, body.error.details]).toEqual([400, [{ field, message: problem }]]);
  });

  it('is recorded, changed, audited and removed', async () => {
    const send = (endpoint: string, more: object) => call(endpoint, { token: root.token, ...more });
    const first = await send('POST /api/sales', { body: { amount: 1, [field]: 'One' } });
    expect(first.body.data).toMatchObject({ [field]: 'One' });
    const params = { id: String(first.body.data.id) };
    const second = await send('PUT /api/sales/{id}', { params, body: { [field]: 'Two' } });
    expect(second.body.data).toMatchObject({ [field]: 'Two' });
    const entries = await entriesAbout(`sale:${params.id}`);
    expect(entries.find(({ action }) => action === 'sale.update')).toMatchObject({
      before: { [field]: 'One' },
      after: { [field]: 'Two' },
    });
    const third = await send('PUT /api/sales/{id}', { params, body: { [field]: null } });
    expect(third.body.data).toMatchObject({ [field]: null });
  });
});
