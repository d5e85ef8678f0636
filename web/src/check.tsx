// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of `check`: every scenario with its verdict, and each by itself.
import { useMemo, useState } from 'preact/hooks';
import {
  AcceptedViolations,
  Badge,
  Command,
  count,
  CutShort,
  Facts,
  Filter,
  Limits,
  Outcomes,
  passes,
  plural,
  quoted,
  seconds,
  Shortfalls,
  StoppedEarly,
  VerdictCounts,
  verdictWords,
} from './parts';
import { linkTo } from './route';
import type { Checked, CheckReport, Document, StateChart, Verdict } from './types';
import { TraceView } from './trace_view';
import { replayLine, ViolationView } from './violation';

const verdicts: Verdict[] = ['violated', 'inconclusive', 'held within', 'held'];

export function CheckOverview({ report }: { report: CheckReport }) {
  const [filter, setFilter] = useState('');
  const [verdict, setVerdict] = useState('');
  const engines = new Set(report.scenarios.map((each) => each.engine));
  const shown = useMemo(
    () =>
      report.scenarios
        .filter(
          (each) =>
            (!verdict || each.verdict === verdict) &&
            passes(filter, [each.name, each.engine, each.kind, each.about, each.message].join(' ')),
        )
        // What asks for a look stands first; the sort is stable.
        .sort((a, b) => Number(a.as_expected || a.explained) - Number(b.as_expected || b.explained)),
    [report, filter, verdict],
  );
  const unexpected = report.scenarios.filter((each) => !each.as_expected && !each.explained).length;
  return (
    <>
      <StoppedEarly stopped={report.stopped_early} notBegun={report.not_begun} />
      <Shortfalls strict={report.strict} />
      <CutShort cut={report.cut_short} />
      <VerdictCounts verdicts={verdicts} of={report.scenarios} chosen={verdict} onChoose={setVerdict} />
      <p>
        {plural(report.scenarios.length, 'search').replace(/searchs$/, 'searches')},{' '}
        {plural(
          report.scenarios.reduce((sum, each) => sum + each.executions, 0),
          'execution',
        )}
        , {seconds(report.seconds)}.{' '}
        {unexpected === 0 ? (
          'All as expected.'
        ) : (
          <b class="bad">
            {'\u2717'} {count(unexpected)} not as expected.
          </b>
        )}
      </p>
      {report.comparison && (
        <details open={report.comparison.some((each) => !each.agree)}>
          <summary>
            Engines compared: {count(report.comparison.filter((each) => each.agree).length)} of{' '}
            {count(report.comparison.length)} agree
          </summary>
          <ul>
            {report.comparison
              .filter((each) => !each.agree)
              .map((each) => (
                <li key={each.scenario + each.engines.join()}>
                  <a href={linkTo('scenario', each.scenario, each.engines[0]!)}>{each.scenario}</a>,{' '}
                  {each.engines.join(' and ')}: {each.message}
                </li>
              ))}
          </ul>
        </details>
      )}
      <Filter value={filter} onInput={setFilter} label="Filter" shown={shown.length} all={report.scenarios.length} />
      <table class="list">
        <thead>
          <tr>
            <th scope="col">verdict</th>
            <th scope="col">scenario</th>
            {engines.size > 1 && <th scope="col">engine</th>}
            <th scope="col" class="number">
              executions
            </th>
            <th scope="col" class="number">
              time
            </th>
            <th scope="col">expected</th>
            <th scope="col" class="number">
              limits
            </th>
          </tr>
        </thead>
        <tbody>
          {shown.map((each) => (
            <tr key={each.name + each.engine} class={each.as_expected || each.explained ? '' : 'unexpected'}>
              <td>
                <Badge verdict={each.verdict} words={verdictWords(each.verdict, each.kind, each.executions)} />
              </td>
              <th scope="row">
                <a href={linkTo('scenario', each.name, each.engine)}>{each.name}</a>
                {each.about && <div class="about">{each.about}</div>}
              </th>
              {engines.size > 1 && <td>{each.engine}</td>}
              <td class="number">{count(each.executions)}</td>
              <td class="number">{seconds(each.seconds)}</td>
              <td>
                {each.as_expected ? 'yes' : each.explained ? 'explained' : <b class="bad">no: {expectedWords(each)}</b>}
              </td>
              <td class="number" title={each.limits.join('\n')}>
                {each.limits.length || ''}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {shown.length === 0 && <p class="quiet">No scenario passes the filter.</p>}
      {report.state_charts?.map((each) => (
        <StateChartView key={each.subject} of={each} />
      ))}
    </>
  );
}

function StateChartView({ of }: { of: StateChart }) {
  return (
    <section>
      <h2>State word: {of.subject}</h2>
      {!of.complete && <p class="quiet">Not every execution was explored: there may be more states and transitions.</p>}
      <div class="scroll">
        <table class="joint">
          <thead>
            <tr>
              <th scope="col">from</th>
              <th scope="col">to</th>
              <th scope="col">by</th>
              <th scope="col" class="number">
                times
              </th>
            </tr>
          </thead>
          <tbody>
            {of.transitions.map((each, i) => (
              <tr key={i}>
                <th scope="row">
                  <code>{each.from}</code>
                </th>
                <td>
                  <code>{each.to}</code>
                </td>
                <td>
                  {each.by.function} {each.by.operation}{' '}
                  <span class="quiet">
                    {each.by.file}:{each.by.line}
                  </span>
                </td>
                <td class="number">{count(each.times)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p class="quiet">States: {of.states.map((each) => `${each.state} (${count(each.times)})`).join(', ')}</p>
    </section>
  );
}

function expectedWords(of: Checked): string {
  return verdictWords(of.expected, of.expected_kind);
}

/** `alone`: the report that has no other scenario, and is shown here whole. */
export function ScenarioView({ of, in: document, alone }: { of: Checked; in: Document; alone?: CheckReport }) {
  return (
    <>
      {alone && (
        <>
          <StoppedEarly stopped={alone.stopped_early} notBegun={alone.not_begun} />
          <Shortfalls strict={alone.strict} />
          <CutShort cut={alone.cut_short} />
        </>
      )}
      {of.about && <p class="lead">{of.about}</p>}
      {of.verdict === 'violated' ? (
        <ViolationView
          of={of}
          in={document}
          accept={(of.accepted ?? []).map((each) => `${each.kind}@${each.file}:${each.line}`)}
          repair={
            of.repair && {
              changes: of.repair.changes,
              line: `${document.program} audit ${quoted(of.subject)} --fix`,
            }
          }
        />
      ) : (
        <>
          <p class="verdict-line">
            <Badge verdict={of.verdict} words={verdictWords(of.verdict, of.kind, of.executions)} />{' '}
            {of.message && <span class="message">{of.message}</span>}
          </p>
          <Limits limits={of.limits} />
        </>
      )}
      {!of.as_expected && (
        <p class="notice bad">
          {'\u2717'} Expected: {expectedWords(of)}.{of.explained && ' A limit named here explains the difference.'}
        </p>
      )}
      <h3>The search</h3>
      <Facts
        of={[
          ['engine', of.engine],
          ['memory model', of.model],
          ['executions', count(of.executions)],
          ['blocked', of.blocked > 0 && `${count(of.blocked)}, could not be finished`],
          ['complete', of.complete ? 'yes' : 'no'],
          ['time', seconds(of.seconds)],
          ['rate', of.seconds > 0.001 && `${count(Math.round(of.executions / of.seconds))} executions a second`],
          ['expected', expectedWords(of)],
        ]}
      />
      <AcceptedViolations accepted={of.accepted} />
      <Outcomes
        outcomes={of.outcomes}
        lines={Object.fromEntries(
          Object.entries(of.outcome_examples ?? {}).map(([outcome, token]) => [outcome, replayLine(document, token)]),
        )}
      />
      {of.example && (
        <section>
          <h2>
            An execution that ends with <code>{of.example.outcome || '(empty)'}</code>
          </h2>
          <TraceView traced={of.example} sources={document.sources}>
            <Command line={replayLine(document, of.example.replay)} />
          </TraceView>
        </section>
      )}
      {alone?.state_charts?.map((each) => (
        <StateChartView key={each.subject} of={each} />
      ))}
    </>
  );
}
