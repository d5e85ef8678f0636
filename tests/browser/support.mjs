// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports made by the program, in a real browser.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test as nodeTest } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const { ORDEAL_BINARY, ORDEAL_CHROMIUM, ORDEAL_WEB } = process.env;
const ofPage = createRequire(join(ORDEAL_WEB, 'package.json'));

let folder;
let browser;

const tests = [];

/** As that of node:test; all tests of a file share one browser. */
export function test(title, body) {
  tests.push([title, body]);
}

// When the file has registered its tests. Not by before() and after(): node 18 has them in suites alone.
queueMicrotask(() =>
  nodeTest('in a browser', async (t) => {
    folder = await mkdtemp(join(tmpdir(), 'ordeal-browser-'));
    try {
      browser = await ofPage('playwright-core').chromium.launch({
        executablePath: ORDEAL_CHROMIUM,
        // Its own sandbox does not work for root in a container. It opens files of ours alone.
        args: ['--no-sandbox'],
      });
      assert.ok(tests.length > 0);
      for (const [title, body] of tests) await t.test(title, body);
    } finally {
      await browser?.close();
      await rm(folder, { recursive: true, force: true });
    }
  }),
);

let made = 0;

/** Runs the program with --html, and returns the file. */
export async function report(expectedCode, ...args) {
  const file = join(folder, `${++made}.html`);
  await new Promise((resolve, reject) => {
    execFile(ORDEAL_BINARY, [...args, '--html', file], (error, stdout, stderr) => {
      const code = error ? error.code : 0;
      if (code === expectedCode) resolve();
      else reject(new Error(`ordeal ${args.join(' ')}: exit ${code}\n${stdout}${stderr}`));
    });
  });
  return file;
}

const dataBegin = '<script type="application/json" id="data">';

export async function dataOf(file) {
  const text = await readFile(file, 'utf8');
  const begin = text.indexOf(dataBegin) + dataBegin.length;
  return JSON.parse(text.slice(begin, text.indexOf('</script>', begin)));
}

/** The same page with other data. */
export async function withData(file, data) {
  const text = await readFile(file, 'utf8');
  const begin = text.indexOf(dataBegin) + dataBegin.length;
  const end = text.indexOf('</script>', begin);
  const changed = join(folder, `${++made}.html`);
  await writeFile(changed, text.slice(0, begin) + JSON.stringify(data).replaceAll('<', '\\u003c') + text.slice(end));
  return changed;
}

/**
 * Asks until the assertion holds, or fails for good: a click has returned before the page has drawn what it leads to, so
 * what a page shows is never asked once.
 */
export async function eventually(assertion) {
  for (const end = Date.now() + 20_000; ;) {
    try {
      return await assertion();
    } catch (error) {
      if (error.code !== 'ERR_ASSERTION' || Date.now() > end) throw error;
    }
    await setTimeout(20);
  }
}

/** The file in a page; `troubles` has what must not be: errors, messages, requests for anything but the file. */
export async function open(file, hash = '', options = {}) {
  const context = await browser.newContext({ viewport: { width: 1400, height: 900 }, ...options });
  const page = await context.newPage();
  const troubles = [];
  page.on('console', (message) => troubles.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('request', (request) => {
    const { protocol } = new URL(request.url());
    if (request.url().split('#')[0] !== pathToFileURL(file).href && protocol !== 'data:') {
      troubles.push(`request: ${request.url()}`);
    }
  });
  await page.goto(pathToFileURL(file).href + hash);
  return { page, troubles };
}
