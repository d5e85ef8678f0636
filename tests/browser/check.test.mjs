// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
import assert from 'node:assert/strict';
import { dataOf, eventually, open, report, test, withData } from './support.mjs';

const race = 'exhibit/bug_relaxed_push_failure/payload';
const raceHash = `#/scenario/${encodeURIComponent(race)}/graph`;

test('a report of check shows its verdicts, and a click on a scenario its trace', async () => {
  const file = await report(0, 'check', 'event', race);
  const { page, troubles } = await open(file);
  await eventually(async () => assert.match(await page.textContent('main'), /All as expected\./));
  await eventually(async () => assert.match(await page.textContent('.tally.bad'), /^1 . violated$/));

  await page.fill('input[type=search]', 'is_set_pub');
  await eventually(async () => assert.equal(await page.locator('table.list tbody tr').count(), 1));
  await page.fill('input[type=search]', '');
  await page.click('.tally.bad');
  await eventually(async () => assert.equal(await page.locator('table.list tbody tr').count(), 1));

  await page.click(`table.list a >> text=${race}`);
  await eventually(async () => assert.equal(new URL(page.url()).hash, raceHash));
  await eventually(async () => assert.equal(await page.textContent('h1'), race));
  await eventually(async () => assert.ok((await page.locator('.conclusion p').count()) > 0));
  await eventually(async () => assert.match(await page.textContent('.step.violation'), /cell 1|read/));
  await eventually(async () => assert.ok((await page.locator('path.edge.rf').count()) > 0));
  const data = await dataOf(file);
  const { replay } = data.report.scenarios.find((each) => each.name === race);
  await eventually(async () => assert.ok((await page.textContent('.command code')).endsWith(` replay '${replay}'`)));

  // Escape leads back.
  await page.keyboard.press('Escape');
  await page.waitForSelector('table.list');
  assert.deepEqual(troubles, []);
});

test('a report of one scenario opens on its trace, scrolled to the violation', async () => {
  const { page, troubles } = await open(await report(0, 'check', race), '', { viewport: { width: 1280, height: 600 } });
  await eventually(async () => assert.equal(await page.textContent('h1'), race));
  await page.waitForFunction(() => {
    const end = document.querySelector('.step.end.second').getBoundingClientRect();
    const box = document.querySelector('.lanes').getBoundingClientRect();
    return end.top >= box.top && end.bottom <= Math.min(box.bottom, innerHeight);
  });
  await eventually(async () => assert.equal(await page.locator('.step.end').count(), 2));
  assert.deepEqual(troubles, []);
});

test('layers are switched, and the address says which', async () => {
  const file = await report(0, 'check', race);
  const { page, troubles } = await open(file, raceHash);
  await page.waitForSelector('path.edge.rf');
  await page.getByLabel('reads-from').uncheck();
  await eventually(async () => assert.equal(await page.locator('path.edge.rf').count(), 0));
  await eventually(async () => assert.match(page.url(), /layers=hb/));
  await page.reload();
  await eventually(async () => assert.equal(await page.locator('path.edge.rf').count(), 0));
  await page.getByLabel('reads-from').check();
  await eventually(async () => assert.ok((await page.locator('path.edge.rf').count()) > 0));
  assert.deepEqual(troubles, []);
});

test('the arrow keys walk the steps, and the source follows', async () => {
  const file = await report(0, 'check', race);
  const { page, troubles } = await open(file, raceHash);
  // By the keyboard alone, as far as the picture.
  for (let i = 0; i < 30 && !(await page.evaluate(() => document.activeElement.matches('.lanes'))); ++i) {
    await page.keyboard.press('Tab');
  }
  const focus = page.locator('.lanes:focus');
  await eventually(async () => assert.equal(await focus.count(), 1));
  assert.notEqual(await focus.evaluate((element) => getComputedStyle(element).outlineStyle), 'none');

  const selected = () => page.locator('.step[aria-selected=true]').getAttribute('aria-label');
  await page.keyboard.press('Home');
  const first = await selected();
  await page.keyboard.press('ArrowDown');
  assert.notEqual(await selected(), first);
  await page.keyboard.press('ArrowUp');
  assert.equal(await selected(), first);
  await page.keyboard.press('End');
  assert.match(await selected(), /violation|data race/);
  const active = await page.locator('.lanes').getAttribute('aria-activedescendant');
  assert.equal(await page.locator(`#${active}`).getAttribute('aria-selected'), 'true');

  // A step with a place: its line is the current one.
  await page.keyboard.press('ArrowUp');
  while (!/load acquire/.test(await selected())) await page.keyboard.press('ArrowUp');
  await eventually(async () =>
    assert.match(await page.textContent('.line.current'), /load\(std::memory_order_acquire\)/),
  );
  await eventually(async () => assert.match(page.url(), /step=\d+/));

  // The write that it reads from.
  await page.keyboard.press('r');
  assert.match(await selected(), /construct|store|exchange/);
  await page.keyboard.press('Escape');
  await eventually(async () => assert.equal(await page.locator('.step[aria-selected=true]').count(), 0));
  await eventually(async () => assert.equal(await page.textContent('h1'), race));
  assert.deepEqual(troubles, []);
});

test('it follows the dark mode of the system', async () => {
  const file = await report(0, 'check', race);
  const background = async (colorScheme) => {
    const { page, troubles } = await open(file, raceHash, { colorScheme });
    assert.deepEqual(troubles, []);
    return page.evaluate(() => getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number));
  };
  assert.ok((await background('light')).every((each) => each > 200));
  assert.ok((await background('dark')).every((each) => each < 60));
});

test('a narrow screen has the whole page without scrolling it sideways', async () => {
  const file = await report(0, 'check', race, 'event');
  for (const hash of ['', raceHash]) {
    const { page, troubles } = await open(file, hash, { viewport: { width: 390, height: 800 } });
    await page.waitForSelector('h1');
    await eventually(async () =>
      assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= 390, hash),
    );
    assert.deepEqual(troubles, []);
  }
});

test('what the code on trial says is shown as text', async () => {
  const file = await report(0, 'check', race);
  const data = await dataOf(file);
  const evil =
    '</script><script>console.log("ran")</script><img src="http://example.invalid/x" onerror="console.log(1)">';
  const scenario = data.report.scenarios[0];
  scenario.message = evil;
  scenario.explanation.conclusion = [evil];
  scenario.trace.at(-1).note = evil;
  scenario.outcomes = { [evil]: 1 };
  const { page, troubles } = await open(await withData(file, data), raceHash);
  await eventually(async () => assert.equal(await page.textContent('.conclusion p'), evil));
  assert.deepEqual(troubles, []);
});

test('what only some reports have is shown where it is there', async () => {
  const file = await report(0, 'check', race, 'event/is_set_publishes');
  const data = await dataOf(file);
  const held = data.report.scenarios.find((each) => each.verdict === 'held');
  const violated = data.report.scenarios.find((each) => each.verdict === 'violated');
  const [outcome] = Object.keys(held.outcomes);
  held.outcome_examples = { [outcome]: 'o1:an:example' };
  held.example = { outcome, replay: 'o1:an:example', threads: violated.threads, trace: violated.trace };
  violated.replay_command = './suite replay that';
  const change = {
    file: 'a.hpp',
    line: 3,
    column: 1,
    role: 'store',
    function: 'set',
    declared: 'relaxed',
    order: 'release',
  };
  violated.repair = { changes: [change], limit_details: [] };
  data.report.cut_short = [{ of: held.name, why: 'its time budget of 20 s ended it at 0.1 %' }];
  const by = { file: 'a.hpp', line: 3, function: 'set', operation: 'exchange' };
  data.report.state_charts = [
    {
      subject: 'event',
      complete: false,
      states: [{ state: 'idle', times: 3 }],
      transitions: [{ from: 'idle', to: 'set', times: 2, by }],
    },
  ];
  const changed = await withData(file, data);
  const { page, troubles } = await open(changed);
  await eventually(async () =>
    assert.match(await page.textContent('.notice.warn'), /its time budget of 20 s ended it/),
  );
  await eventually(async () => assert.match(await page.textContent('main'), /State word: event/));
  await page.click(`table.list a >> text=${race}`);
  await eventually(async () => assert.equal(await page.textContent('.command code'), './suite replay that'));
  await eventually(async () => assert.match(await page.textContent('.repair'), /a\.hpp:3 store: relaxed → release/));
  await eventually(async () => assert.match(await page.textContent('.repair .command code'), / audit '[^']*' --fix$/));
  await page.keyboard.press('Escape');
  await page.click('table.list a >> text=event/is_set_publishes');
  await eventually(async () => assert.match(await page.textContent('table.bars'), /replay 'o1:an:example'/));
  await eventually(async () => assert.ok((await page.locator('.lanes .step').count()) > 0));
  assert.deepEqual(troubles, []);
});

test('a page that asked the network for something would be noticed, and may not', async () => {
  const { page, troubles } = await open(await report(0, 'check', race));
  assert.deepEqual(troubles, []);
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const image = new Image();
        image.onerror = resolve;
        image.src = 'http://example.invalid/x.png';
      }),
  );
  assert.match(troubles.join(), /Content Security Policy/);
});

test('a replay shows the execution', async () => {
  const data = await dataOf(await report(0, 'check', race));
  const file = await report(1, 'replay', data.report.scenarios[0].replay);
  const { page, troubles } = await open(file);
  await eventually(async () => assert.equal(await page.textContent('h1'), race));
  await eventually(async () => assert.equal(await page.locator('.step.violation').count(), 1));
  assert.deepEqual(troubles, []);
});
