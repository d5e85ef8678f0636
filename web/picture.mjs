// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Draws the picture of a report that README.md has: node web/picture.mjs REPORT.html PICTURE.png [CHROMIUM]
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

const [report, picture, executablePath = '/usr/bin/chromium'] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: 1280, height: 760 }, colorScheme: 'light' });
await page.goto(pathToFileURL(resolve(report)).href);
await page.waitForSelector('.step.violation');
await page.waitForTimeout(300);
await page.screenshot({ path: picture });
await browser.close();
