// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from 'node:assert/strict';
import { eventually, open, report, test } from './support.mjs';

test('a click on a cell of an audit shows the trace of that order', async () => {
  const file = await report(0, 'audit', 'event', 'task');
  const { page, troubles } = await open(file);
  await page.click('table.list a >> text=manual_reset_event');
  await eventually(async () => assert.ok((await page.locator('table.matrix tbody tr').count()) >= 7));

  // Never by colour alone.
  const cell = page.getByRole('link', {
    name: /^acquire at manual_reset_event.hpp:\d+ exchange: required, data race$/,
  });
  await eventually(async () => assert.match(await cell.textContent(), /^\u2717\s*data race$/));
  await cell.click();
  await page.waitForSelector('.step.violation');
  await eventually(async () => assert.match(page.url(), /#\/subject\/manual_reset_event\/site\/.*exchange\/acquire/));
  await eventually(async () => assert.match(await page.textContent('main'), /With acquire in place of acq_rel/));
  const replaced = page.locator('.step .operation', { hasText: 'exchange acquire*' });
  await eventually(async () => assert.ok((await replaced.count()) > 0));

  // The address alone leads there, too.
  const again = await open(file, new URL(page.url()).hash);
  await again.page.waitForSelector('.step.violation');
  await eventually(async () => assert.equal(await again.page.textContent('h1'), await page.textContent('h1')));

  await page.keyboard.press('Escape');
  await page.waitForSelector('table.matrix');
  await page.keyboard.press('Escape');
  await page.waitForSelector('text=2 subjects,');
  assert.deepEqual([...troubles, ...again.troubles], []);
});

test('orders taken together and repairs are shown', async () => {
  const file = await report(0, 'audit', 'event', 'exhibit/bug_complete_without_release/complete_against_await');
  const { page, troubles } = await open(file, '#/subject/manual_reset_event');
  await eventually(async () => assert.match(await page.textContent('main'), /These are all minimal assignments\./));
  await eventually(async () => assert.ok((await page.locator('table.joint tbody tr').count()) >= 7));

  const repaired = await open(file);
  await repaired.page.click('table.list a >> text=bug_complete_without_release');
  await eventually(async () =>
    assert.match(await repaired.page.textContent('pre.diff .removed >> nth=0'), /memory_order_acquire/),
  );
  await eventually(async () =>
    assert.match(await repaired.page.textContent('pre.diff .added >> nth=0'), /memory_order_acq_rel/),
  );
  // The source beside it is at the line that changes.
  await eventually(async () => assert.match(await repaired.page.textContent('.line.current'), /memory_order_acquire/));
  await eventually(async () =>
    assert.ok((await repaired.page.locator('table.matrix', { hasText: 'repairs' }).count()) > 0),
  );
  assert.deepEqual([...troubles, ...repaired.troubles], []);
});

test('a site has its comment, its source and its cost', async () => {
  const file = await report(0, 'audit', 'event');
  const { page, troubles } = await open(file);
  await page.click('table.matrix tbody th a >> nth=0');
  await eventually(async () => assert.match(await page.textContent('blockquote'), /acquire <- set/));
  await eventually(async () => assert.match(await page.textContent('.line.current'), /state_\.load/));
  await eventually(async () => assert.match(await page.textContent('table.costs'), /x86-64/));
  assert.deepEqual(troubles, []);
});

test('sites are filtered by their verdict, and the score is said', async () => {
  const file = await report(0, 'audit', 'event');
  const { page, troubles } = await open(file);
  await eventually(async () =>
    assert.match(await page.textContent('.verdict-line'), /The scenarios detect \d+ of \d+ \(/),
  );
  const rows = page.locator('table.matrix tbody tr');
  const all = await rows.count();
  const one = page.locator('.tally:not(:disabled)').first();
  const wanted = Number(await one.locator('b').textContent());
  await one.click();
  await eventually(async () => assert.equal(await rows.count(), wanted));
  await one.click();
  await eventually(async () => assert.equal(await rows.count(), all));
  assert.deepEqual(troubles, []);
});

test('nothing of an audit is cut off, at two widths', async () => {
  const file = await report(0, 'audit', 'event', 'exhibit/bug_complete_without_release/complete_against_await');
  for (const width of [1280, 500]) {
    for (const hash of ['', '#/subject/manual_reset_event', '#/subject/bug_complete_without_release']) {
      const { page, troubles } = await open(file, hash, { viewport: { width, height: 900 } });
      await page.waitForSelector('h1');
      await eventually(async () =>
        assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= width, `${width} ${hash}`),
      );
      assert.deepEqual(troubles, []);
    }
  }
});
