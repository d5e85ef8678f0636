// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports larger than those of the project, made up.
import assert from 'node:assert/strict';
import { dataOf, eventually, open, report, test, withData } from './support.mjs';

const race = 'exhibit/bug_relaxed_push_failure/payload';
const raceHash = `#/scenario/${encodeURIComponent(race)}/graph`;

// Two threads write one atomic by turns; each write reads the one before.
function longTrace(length) {
  const clock = [0, 0];
  const trace = [];
  for (let i = 0; i < length; ++i) {
    const thread = i % 2;
    clock[thread] += 2;
    trace.push({
      step: i + 1,
      thread,
      operation: i + 1 === length ? 'violation' : 'exchange',
      object: 'atomic 1',
      name: 'queue.state_',
      access: 'write',
      order: 'acq_rel',
      overridden: false,
      before: String(i),
      after: String(i + 1),
      coherence: i + 1,
      ...(i > 0 ? { reads_from: i } : {}),
      stale: false,
      file: 'src/ordeal/coro/exhibits/queue_event.hpp',
      line: 40 + (i % 20),
      calls: [],
      clock: [...clock],
    });
  }
  return trace;
}

async function pageWithLongTrace() {
  const file = await report(0, 'check', race);
  const data = await dataOf(file);
  const scenario = data.report.scenarios[0];
  scenario.trace = longTrace(1200);
  scenario.threads = ['one', 'two'];
  scenario.explanation = {
    conclusion: [
      'No release/acquire pair connects b to c: c reads from b, but b is relaxed: with release it would synchronise.',
    ],
    first: 600,
    second: 1200,
    links: [{ from: 600, to: 1200, relation: 'happens-before', missing: true, words: 'b is relaxed' }],
    letters: { 1: 'a', 600: 'b', 1200: 'c' },
  };
  return withData(file, data);
}

test('a trace of more than a thousand steps is walked without all of them in the page', async () => {
  const { page, troubles } = await open(await pageWithLongTrace(), raceHash);
  // Folded: those with letters are shown, both ends and the missing link marked.
  await eventually(async () => assert.equal(await page.locator('.step').count(), 3));
  await eventually(async () => assert.equal(await page.locator('.fold').count(), 2));
  await eventually(async () => assert.match(await page.textContent('.fold >> nth=0'), /598 steps folded/));
  await eventually(async () => assert.equal(await page.locator('.step.end').count(), 2));
  await eventually(async () => assert.equal(await page.locator('path.edge.missing').count(), 1));

  // A letter in the conclusion leads to its step.
  await page.click('.conclusion .step-link >> text=b >> nth=0');
  await eventually(async () => assert.match(await page.textContent('.detail'), /missing: b is relaxed/));

  await page.getByLabel(/all steps/).check();
  await page.focus('.lanes');
  await page.keyboard.press('Home');
  const inPage = await page.locator('.step').count();
  assert.ok(inPage > 10 && inPage < 120, `${inPage} steps in the page`);
  for (let i = 0; i < 60; ++i) await page.keyboard.press('ArrowDown');
  await eventually(async () => assert.match(await page.textContent('.detail'), /step\s*61/));
  await eventually(async () => assert.ok(await page.locator('.step[aria-selected=true]').isVisible()));
  await page.keyboard.press('End');
  assert.match(await page.locator('.step[aria-selected=true]').getAttribute('aria-label'), /step 1200/);
  await page.keyboard.press('1');
  assert.match(await page.locator('.step[aria-selected=true]').getAttribute('aria-label'), /step 600,.*earlier end/);

  // Every layer at once.
  await page.getByLabel('coherence').check();
  await page.getByLabel('from-read').check();
  await eventually(async () => assert.ok((await page.locator('path.edge.co').count()) > 5));
  await eventually(async () => assert.ok((await page.locator('svg.edges path').count()) < 600));
  assert.deepEqual(troubles, []);
});

test('a printed trace has all its steps', async () => {
  const { page, troubles } = await open(await pageWithLongTrace(), `${raceHash}?all=1`);
  await page.emulateMedia({ media: 'print' });
  await page.waitForFunction(() => document.querySelectorAll('.step').length === 1200);
  assert.deepEqual(troubles, []);
});

test('an audit of hundreds of sites is filtered and opened', async () => {
  const file = await report(0, 'audit', 'event');
  const data = await dataOf(file);
  const subject = data.report.subjects[0];
  const [site] = subject.sites;
  subject.sites = Array.from({ length: 600 }, (_, i) => ({ ...site, line: i + 1, function: `function_${i}` }));
  const { page, troubles } = await open(await withData(file, data), '#/subject/manual_reset_event');
  await eventually(async () => assert.equal(await page.locator('table.matrix tbody tr').count(), 600));
  await page.fill('.filter input', 'function_377');
  await eventually(async () => assert.equal(await page.locator('table.matrix tbody tr').count(), 1));
  await page.click('table.matrix td.cell a');
  await page.waitForSelector('.step.violation');
  assert.deepEqual(troubles, []);
});
