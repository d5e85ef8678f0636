// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What several views are made of.
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import type { Accepted, Shortfall } from './types';

interface Look {
  symbol: string;
  tone: 'good' | 'bad' | 'warn' | 'note' | 'quiet';
}

// A verdict is never told by its colour alone.
const looks: Record<string, Look> = {
  held: { symbol: '\u2713', tone: 'good' },
  'held within': { symbol: '\u2248', tone: 'warn' },
  violated: { symbol: '\u2717', tone: 'bad' },
  inconclusive: { symbol: '?', tone: 'warn' },
  minimal: { symbol: '\u2713', tone: 'good' },
  'stronger than needed': { symbol: '\u2193', tone: 'note' },
  'too weak': { symbol: '\u2191', tone: 'bad' },
  vacuous: { symbol: '\u25cb', tone: 'warn' },
  undecided: { symbol: '?', tone: 'warn' },
  unexercised: { symbol: '\u2013', tone: 'quiet' },
  required: { symbol: '\u2717', tone: 'bad' },
  'not required': { symbol: '\u2713', tone: 'good' },
  written: { symbol: '\u25cf', tone: 'quiet' },
  possible: { symbol: '\u2713', tone: 'good' },
  'not produced': { symbol: '?', tone: 'warn' },
  impossible: { symbol: '\u2717', tone: 'bad' },
};

export function lookOf(verdict: string): Look {
  return looks[verdict] ?? { symbol: '\u00b7', tone: 'quiet' };
}

export function Badge({ verdict, words }: { verdict: string; words?: string }) {
  const { symbol, tone } = lookOf(verdict);
  return (
    <span class={`badge ${tone}`}>
      <span class="symbol" aria-hidden="true">
        {symbol}
      </span>
      {words ?? verdict}
    </span>
  );
}

export function verdictWords(verdict: string, kind?: string, executions?: number): string {
  if (executions === 0 && verdict.startsWith('held')) return 'nothing explored';
  return kind && verdict === 'violated' ? `violated: ${kind}` : verdict;
}

const whole = new Intl.NumberFormat('en');

export function count(value: number): string {
  return whole.format(value);
}

export function plural(value: number, noun: string): string {
  return `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
}

export function seconds(value: number): string {
  if (value === 0) return '0 s';
  if (value < 0.001) return '< 1 ms';
  if (value < 1) return `${Math.round(value * 1000)} ms`;
  return `${value < 100 ? value.toFixed(1) : count(Math.round(value))} s`;
}

export function percent(value: number): string {
  if (value === 0) return '0 %';
  const shown = value * 100;
  return shown < 0.01 ? '< 0.01 %' : `${shown >= 10 ? shown.toFixed(1) : shown.toPrecision(2)} %`;
}

/** Buttons with the number of each verdict, which leave only those. */
export function VerdictCounts({
  verdicts,
  of,
  chosen,
  onChoose,
}: {
  verdicts: string[];
  of: { verdict: string }[];
  chosen: string;
  onChoose: (verdict: string) => void;
}) {
  return (
    <div class="counts" role="group" aria-label="Show only one verdict">
      {verdicts.map((verdict) => {
        const n = of.filter((each) => each.verdict === verdict).length;
        return (
          <button
            type="button"
            key={verdict}
            class={`tally ${lookOf(verdict).tone}`}
            aria-pressed={chosen === verdict}
            disabled={n === 0}
            onClick={() => onChoose(chosen === verdict ? '' : verdict)}
          >
            <b>{count(n)}</b> <span aria-hidden="true">{lookOf(verdict).symbol}</span> {verdict}
          </button>
        );
      })}
    </div>
  );
}

/** Name and value, those without a value left out. */
export function Facts({ of }: { of: [string, ComponentChildren][] }) {
  const shown = of.filter(([, value]) => value !== undefined && value !== null && value !== '' && value !== false);
  if (shown.length === 0) return null;
  return (
    <dl class="facts">
      {shown.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Limits({ limits }: { limits: string[] }) {
  if (limits.length === 0) return null;
  return (
    <section class="limits">
      <h3>{limits.length === 1 ? 'Limit' : 'Limits'}: what this rests on or left out</h3>
      <ul>
        {limits.map((each) => (
          <li key={each}>{each}</li>
        ))}
      </ul>
    </section>
  );
}

export function AcceptedViolations({ accepted }: { accepted: Accepted[] | undefined }) {
  if (!accepted?.length) return null;
  return (
    <section>
      <h3>Accepted violations that the search went on behind</h3>
      <ul>
        {accepted.map((each) => (
          <li key={`${each.kind}${each.file}${each.line}`}>
            {each.kind} at <code>{`${each.file}:${each.line}`}</code>, {plural(each.executions, 'execution')}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function Shortfalls({ strict }: { strict: Shortfall[] | undefined }) {
  if (!strict?.length) return null;
  return (
    <section class="notice bad">
      <h2>{'\u2717'} Not decided for every execution, as --strict asks for</h2>
      <ul>
        {strict.map((each, i) => (
          <li key={i}>
            <b>{each.of}</b>
            {each.element ? ` ${each.element}` : ''}: {each.why}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function CutShort({ cut }: { cut: Shortfall[] }) {
  if (cut.length === 0) return null;
  return (
    <section class="notice warn">
      <h2>{'\u2248'} Cut short: what these did not explore is unknown</h2>
      <ul>
        {cut.map((each, i) => (
          <li key={i}>
            <b>{each.of}</b>
            {each.element ? ` ${each.element}` : ''}: {each.why}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function StoppedEarly({ stopped, notBegun = 0 }: { stopped: boolean; notBegun?: number }) {
  if (!stopped && notBegun === 0) return null;
  return (
    <p class="notice bad" role="note">
      <b>{'\u2717'} Stopped early.</b> {notBegun > 0 ? `${plural(notBegun, 'scenario')} not begun. ` : ''}
      What is not here was not searched.
    </p>
  );
}

/** A line to paste, with a button that copies it. */
export function Command({ line }: { line: string }) {
  const [done, setDone] = useState(false);
  const copy = () => {
    navigator.clipboard?.writeText(line).then(
      () => setDone(true),
      () => setDone(false),
    );
  };
  return (
    <div class="command">
      <code>{line}</code>
      <button type="button" onClick={copy} aria-label="Copy the command">
        {done ? 'copied' : 'copy'}
      </button>
    </div>
  );
}

export function quoted(text: string): string {
  return `'${text.replace(/'/g, "'\\''")}'`;
}

export function shortFile(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

/** Bars for counts by outcome, each with the line that runs an execution with it again, where one is known. */
export function Outcomes({
  outcomes,
  lines = {},
}: {
  outcomes: Record<string, number>;
  lines?: Record<string, string>;
}) {
  const all = Object.entries(outcomes).sort(([, a], [, b]) => b - a);
  if (all.length === 0) return null;
  const most = Math.max(...all.map(([, n]) => n));
  const withLines = Object.keys(lines).length > 0;
  return (
    <section>
      <h3>Outcomes</h3>
      <table class="bars">
        <thead>
          <tr>
            <th scope="col">outcome</th>
            <th scope="col" class="number">
              executions
            </th>
            <th scope="col" aria-hidden="true" />
            {withLines && <th scope="col">one of them, again</th>}
          </tr>
        </thead>
        <tbody>
          {all.map(([outcome, n]) => (
            <tr key={outcome}>
              <th scope="row">
                <code>{outcome || '(empty)'}</code>
              </th>
              <td class="number">{count(n)}</td>
              <td class="bar" aria-hidden="true">
                <span style={{ width: `${(100 * n) / most}%` }} />
              </td>
              {withLines && <td>{lines[outcome] && <Command line={lines[outcome]} />}</td>}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** A text field above a long table. */
export function Filter({
  value,
  onInput,
  label,
  shown,
  all,
}: {
  value: string;
  onInput: (value: string) => void;
  label: string;
  shown: number;
  all: number;
}) {
  return (
    <div class="filter">
      <label>
        {label} <input type="search" value={value} onInput={(event) => onInput(event.currentTarget.value)} />
      </label>
      <span class="quiet" role="status">
        {shown === all ? count(all) : `${count(shown)} of ${count(all)}`}
      </span>
    </div>
  );
}

/** Whether every word of the filter occurs in the text. */
export function passes(filter: string, text: string): boolean {
  const lower = text.toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
