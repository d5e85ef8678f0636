// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The relations of an execution, without a browser.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createRequire } from 'node:module';

const { ORDEAL_WEB } = process.env;
const { build } = createRequire(join(ORDEAL_WEB, 'package.json'))('esbuild');
const { outputFiles } = await build({
  absWorkingDir: ORDEAL_WEB,
  entryPoints: ['src/execution.ts'],
  bundle: true,
  write: false,
  format: 'esm',
});
const { Execution } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`
);

let next = 0;
const step = (thread, operation, clock, more = {}) => ({
  step: (next += 2),
  thread,
  operation,
  access: 'none',
  overridden: false,
  stale: false,
  calls: [],
  clock,
  ...more,
});
const edges = (execution, layer) =>
  execution.edges.filter((each) => each.layer === layer).map(({ from, to }) => [from, to]);

// As `graph` counts: a load or a store one, a read-modify-write two, a plain access none.
function messagePassing(order) {
  next = 0;
  const acquired = order === 'acquire';
  return new Execution({
    threads: ['writer', 'reader'],
    trace: [
      step(-1, 'construct', [0, 0], { object: 'atomic 1', coherence: 1 }),
      step(0, 'write', [0, 0], { object: 'cell 1' }),
      step(0, 'store', [1, 0], { object: 'atomic 1', coherence: 2 }),
      step(1, 'load', [acquired ? 1 : 0, 1], { object: 'atomic 1', reads_from: 6 }),
      step(1, 'read', [acquired ? 1 : 0, 1], { object: 'cell 1' }),
    ],
  });
}

test('synchronisation is where a clock learns of another thread', () => {
  const execution = messagePassing('acquire');
  assert.deepEqual(edges(execution, 'rf'), [[2, 3]]);
  assert.deepEqual(edges(execution, 'hb'), [[2, 3]]);
  assert.equal(execution.happens(1, 4), 'before');
  assert.equal(execution.happens(4, 1), 'after');
});

test('a relaxed load reads and does not synchronise', () => {
  const execution = messagePassing('relaxed');
  assert.deepEqual(edges(execution, 'rf'), [[2, 3]]);
  assert.deepEqual(edges(execution, 'hb'), []);
  assert.equal(execution.happens(1, 4), 'concurrent');
  assert.equal(execution.happens(0, 4), 'before');
});

test('a plain access after the store that was acquired is not ordered before', () => {
  next = 0;
  const execution = new Execution({
    threads: ['writer', 'reader'],
    trace: [
      step(0, 'store', [1, 0], { object: 'atomic 1' }),
      step(0, 'write', [1, 0], { object: 'cell 1' }),
      step(1, 'load', [1, 1], { object: 'atomic 1', reads_from: 2 }),
      step(1, 'read', [1, 1], { object: 'cell 1' }),
    ],
  });
  assert.equal(execution.happens(0, 3), 'before');
  assert.equal(execution.happens(1, 3), 'concurrent');
});

test('what follows from another synchronisation is not drawn', () => {
  next = 0;
  const execution = new Execution({
    threads: ['a', 'b', 'c'],
    trace: [step(0, 'store', [1, 0, 0]), step(1, 'exchange', [1, 2, 0]), step(2, 'load', [1, 2, 1])],
  });
  assert.deepEqual(edges(execution, 'hb'), [[0, 1], [1, 2]]); // prettier-ignore
});

const load = { object: 'atomic 1', order: 'relaxed', before: '0' };

test('a read of an overwritten value stands before the write that overwrote it', () => {
  next = 0;
  const execution = new Execution({
    threads: ['a', 'b'],
    trace: [
      step(-1, 'construct', [0, 0], { object: 'atomic 1', access: 'write' }),
      step(0, 'store', [1, 0], { object: 'atomic 1', coherence: 2 }),
      step(0, 'store', [2, 0], { object: 'atomic 1', coherence: 1 }),
      step(1, 'load', [0, 1], { ...load, reads_from: 2 }),
      step(1, 'load', [0, 2], { ...load, reads_from: 4 }),
    ],
  });
  // By their places in coherence, not by the order of the steps.
  assert.deepEqual(edges(execution, 'co'), [[0, 2], [2, 1]]); // prettier-ignore
  // The last write in coherence has none after it.
  assert.deepEqual(edges(execution, 'fr'), [[3, 2]]);
});

test('where the places in coherence are not known, none is drawn', () => {
  next = 0;
  const execution = new Execution({
    threads: ['a'],
    trace: [
      step(-1, 'construct', [0], { object: 'atomic 1', access: 'write' }),
      step(0, 'store', [1], { object: 'atomic 1' }),
      step(0, 'load', [2], { ...load, reads_from: 2 }),
    ],
  });
  assert.deepEqual(edges(execution, 'co'), []);
  assert.deepEqual(edges(execution, 'fr'), []);
});

test('two steps with one number are told apart by their places', () => {
  next = 0;
  const execution = new Execution({
    threads: ['a'],
    trace: [step(0, 'store', [1]), step(0, 'store', [2]), { ...step(0, 'violation', [2]), step: 4 }],
    explanation: {
      conclusion: [],
      first: 2,
      second: 4,
      links: [{ from: 2, to: 4, relation: 'program order', missing: false }],
      letters: { 2: 'a', 4: 'b' },
      positions: { first: 0, second: 2, letters: ['a', null, 'b'], links: [[0, 2]] },
    },
  });
  assert.equal(execution.at(4), 1);
  assert.equal(execution.second, 2);
  assert.equal(execution.letter(1), '');
  assert.equal(execution.withLetter('b'), 2);
  assert.deepEqual(edges(execution, 'why'), [[0, 2]]);
});

test('steps without a letter are folded, in runs', () => {
  next = 0;
  const execution = new Execution({
    threads: ['a'],
    trace: [step(0, 'x', [1]), step(0, 'x', [2]), step(0, 'x', [3]), step(0, 'x', [4])],
    explanation: { conclusion: [], links: [], letters: { 4: 'a', 8: 'b' } },
  });
  assert.deepEqual(execution.rows(false, new Set()), [{ folded: [0] }, { step: 1 }, { folded: [2] }, { step: 3 }]);
  assert.deepEqual(execution.rows(false, new Set([2])).length, 4);
  assert.deepEqual(execution.rows(true, new Set()).length, 4);
  assert.equal(execution.withLetter('b'), 3);
  // Without any letter nobody said which matter.
  const plain = new Execution({ threads: ['a'], trace: [step(0, 'x', [1]), step(0, 'x', [2])] });
  assert.equal(plain.rows(false, new Set()).length, 2);
});
