// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from 'node:assert/strict';
import { eventually, open, report, test } from './support.mjs';

test('the outcomes of real threads stand beside what the model says', async () => {
  const file = await report(
    0,
    'stress',
    'event/set_reset_against_await',
    '--samples',
    '2000',
    '--seed',
    '1',
    '--quiet',
  );
  const { page, troubles } = await open(file);
  await page.click('table.list a >> text=event/set_reset_against_await');
  const rows = page.locator('table.bars tbody tr');
  // The model has four; those that no thread showed are there as well.
  await eventually(async () => assert.equal(await rows.count(), 4));
  await eventually(async () => assert.match(await rows.first().textContent(), /possible/));
  await eventually(async () => assert.match(await page.textContent('main'), /seed of the delays/));
  await page.getByLabel('bars by logarithm').check();
  assert.deepEqual(troubles, []);
});
