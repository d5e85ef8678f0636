// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of `stress`: what real threads showed, beside what the model says.
import { useState } from 'preact/hooks';
import {
  Badge,
  Command,
  count,
  Facts,
  Filter,
  Limits,
  passes,
  percent,
  plural,
  seconds,
  StoppedEarly,
  verdictWords,
} from './parts';
import { linkTo } from './route';
import type { Stressed, StressReport } from './types';

export function StressOverview({ report }: { report: StressReport }) {
  const [filter, setFilter] = useState('');
  const shown = report.scenarios.filter((each) => passes(filter, [each.name, each.verdict, each.message].join(' ')));
  const unexpected = report.scenarios.filter((each) => !each.as_expected).length;
  return (
    <>
      <StoppedEarly stopped={report.stopped_early} notBegun={report.not_begun} />
      <p>
        {plural(report.scenarios.length, 'scenario')}, {plural(report.samples, 'sample')}, {seconds(report.seconds)}
        {report.rounds ? `, ${plural(report.rounds, 'round')}` : ''}.{' '}
        {unexpected === 0 ? 'All as expected.' : <b class="bad">{`\u2717 ${count(unexpected)} not as expected.`}</b>}
        {report.faults_injected > 0 &&
          ` Allocations made to fail: ${count(report.faults_injected)}, survived ${count(report.faults_survived)}.`}
      </p>
      <Filter value={filter} onInput={setFilter} label="Filter" shown={shown.length} all={report.scenarios.length} />
      <table class="list">
        <thead>
          <tr>
            <th scope="col">real threads</th>
            <th scope="col">scenario</th>
            <th scope="col">outcomes</th>
            <th scope="col" class="number">
              samples
            </th>
            <th scope="col" class="number">
              not shown
            </th>
            <th scope="col">expected</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((each) => (
            <tr key={each.name} class={each.as_expected ? '' : 'unexpected'}>
              <td>
                <Badge
                  verdict={each.verdict === 'violated' ? 'violated' : 'none'}
                  words={each.verdict === 'violated' ? verdictWords(each.verdict, each.kind) : 'ran'}
                />
              </td>
              <th scope="row">
                <a href={linkTo('stress', each.name)}>{each.name}</a>
              </th>
              <td>
                <Spark of={each} />
              </td>
              <td class="number">{count(each.samples)}</td>
              <td class="number">{each.not_shown.length || ''}</td>
              <td>{each.as_expected ? 'yes' : <b class="bad">no</b>}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}

/** The shares of the outcomes in one bar. */
function Spark({ of }: { of: Stressed }) {
  if (of.outcomes.length === 0) return <span class="quiet">none</span>;
  const words = of.outcomes.map((each) => `${each.outcome || '(empty)'} ${percent(each.share)}`).join(', ');
  return (
    <span class="spark" role="img" aria-label={words} title={words}>
      {of.outcomes.slice(0, 12).map((each) => (
        <span
          key={each.outcome}
          class={each.model === 'impossible' ? 'bad' : ''}
          style={{ flexGrow: Math.max(each.share, 0.01) }}
        />
      ))}
    </span>
  );
}

const gradeSymbols: Record<string, string> = { acceptable: '\u2713', interesting: '!', forbidden: '\u2717' };

export function StressedView({ of }: { of: Stressed }) {
  const [log, setLog] = useState(false);
  const most = Math.max(1, ...of.outcomes.map((each) => each.samples));
  const length = (n: number) => (n === 0 ? 0 : log ? (100 * Math.log(n + 1)) / Math.log(most + 1) : (100 * n) / most);
  return (
    <>
      {!of.as_expected && (
        <p class="notice bad">
          {'\u2717'} Not as expected. {of.message}
        </p>
      )}
      {of.as_expected && of.message && <p>{of.message}</p>}
      <section>
        <h2>Outcomes</h2>
        <label class="layer">
          <input type="checkbox" checked={log} onChange={() => setLog(!log)} /> bars by logarithm
        </label>
        <div class="scroll">
          <table class="bars">
            <thead>
              <tr>
                <th scope="col">outcome</th>
                <th scope="col" class="number">
                  samples
                </th>
                <th scope="col" class="number">
                  share
                </th>
                <th scope="col" aria-hidden="true" />
                <th scope="col">the model says</th>
                <th scope="col">the author</th>
              </tr>
            </thead>
            <tbody>
              {of.outcomes.map((each) => (
                <tr key={each.outcome}>
                  <th scope="row">
                    <code>{each.outcome || '(empty)'}</code>
                  </th>
                  <td class="number">{count(each.samples)}</td>
                  <td class="number">{percent(each.share)}</td>
                  <td class="bar" aria-hidden="true">
                    <span
                      class={each.model === 'impossible' ? 'bad' : ''}
                      style={{ width: `${length(each.samples)}%` }}
                    />
                  </td>
                  <td>{each.model ? <Badge verdict={each.model} /> : <span class="quiet">nothing</span>}</td>
                  <td>
                    {gradeSymbols[each.expected] ?? ''} {each.expected}
                    {each.rare && ' (rare)'} {each.sentence && <span class="quiet">{each.sentence}</span>}
                  </td>
                </tr>
              ))}
              {of.not_shown.map((each) => (
                <tr key={`not-${each}`} class="not-shown">
                  <th scope="row">
                    <code>{each || '(empty)'}</code>
                  </th>
                  <td class="number">0</td>
                  <td class="number">{percent(0)}</td>
                  <td class="bar" aria-hidden="true" />
                  <td>
                    <Badge verdict="possible" />
                  </td>
                  <td class="quiet">never shown by real threads</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </section>
      <h3>The run</h3>
      <Facts
        of={[
          ['samples', count(of.samples)],
          ['rate', `${count(Math.round(of.samples_per_second))} a second`],
          ['time', seconds(of.seconds)],
          ['seed of the delays', String(of.seed)],
          ['verdict', verdictWords(of.verdict, of.kind)],
          [
            'allocations made to fail',
            of.faults_injected > 0 && `${count(of.faults_injected)}, survived ${count(of.faults_survived)}`,
          ],
        ]}
      />
      {of.repeat && <Command line={of.repeat} />}
      {of.model && (
        <>
          <h3>The model</h3>
          <Facts
            of={[
              ['engine', of.model.engine],
              ['verdict', <Badge verdict={of.model.verdict} />],
              ['executions', count(of.model.executions)],
              ['complete', of.model.complete ? 'yes' : 'no'],
            ]}
          />
          <Limits limits={of.model.limits} />
        </>
      )}
    </>
  );
}
