// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of `audit`: subjects, the matrix of sites and orders, one cell, the orders taken together.
import { useState } from 'preact/hooks';
import {
  AcceptedViolations,
  Badge,
  count,
  CutShort,
  Facts,
  Filter,
  Limits,
  lookOf,
  Outcomes,
  passes,
  percent,
  plural,
  seconds,
  shortFile,
  Shortfalls,
  StoppedEarly,
  VerdictCounts,
  verdictWords,
} from './parts';
import { linkTo } from './route';
import { Diff, Source, type Mark } from './source';
import type {
  AllAtOnce,
  AuditedScenario,
  AuditedSite,
  AuditReport,
  Costs,
  Document,
  JointSite,
  JointTable,
  Subject,
  WeakerOrder,
} from './types';
import { Changes, ViolationView } from './violation';

const siteVerdicts = ['too weak', 'undecided', 'stronger than needed', 'vacuous', 'minimal', 'unexercised'];
const orders = ['relaxed', 'acquire', 'release', 'acq_rel', 'seq_cst'];

export function siteKey(of: { file: string; line: number; column: number; role: string }): string {
  return `${of.file}:${of.line}:${of.column}:${of.role}`;
}

function operationWords(site: AuditedSite): string {
  return site.role === 'success' || site.role === 'failure' ? `${site.operation} (${site.role})` : site.operation;
}

function scoreWords(of: Subject): string {
  const score = of.score;
  if (!score) return '';
  const share = score.injected ? ` (${percent(score.detected / score.injected)})` : '';
  return `${count(score.detected)} of ${count(score.injected)}${share}`;
}

const cellWords: Record<WeakerOrder['verdict'], string> = {
  required: 'violated',
  'not required': 'held',
  vacuous: 'vacuous',
  undecided: 'undecided',
  unexercised: 'unexercised',
};

export function AuditOverview({ report, in: document }: { report: AuditReport; in: Document }) {
  return (
    <>
      <StoppedEarly stopped={report.stopped_early} />
      <Shortfalls strict={report.strict} />
      <CutShort cut={report.cut_short} />
      {report.baseline && (
        <section class={`notice ${report.baseline.differences.length ? 'bad' : 'good'}`}>
          <h2>
            {report.baseline.differences.length
              ? `\u2717 ${plural(report.baseline.differences.length, 'difference')} from ${report.baseline.file}`
              : `\u2713 As in ${report.baseline.file}`}
          </h2>
          <ul>
            {report.baseline.differences.map((each, i) => (
              <li key={i}>
                <a href={linkTo('subject', each.subject)}>{each.subject}</a>: {each.sentence}
              </li>
            ))}
          </ul>
        </section>
      )}
      <p>
        {plural(report.subjects.length, 'subject')},{' '}
        {plural(
          report.subjects.reduce((n, s) => n + s.sites.length, 0),
          'site',
        )}
        ,{' '}
        {plural(
          report.subjects.reduce((n, s) => n + s.executions, 0),
          'execution',
        )}
        , {seconds(report.seconds)}.
      </p>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">as written</th>
            <th scope="col">subject</th>
            <th scope="col">sites</th>
            <th scope="col">weaker orders detected</th>
            <th scope="col" class="number">
              searches
            </th>
            <th scope="col" class="number">
              executions
            </th>
            <th scope="col">expected</th>
          </tr>
        </thead>
        <tbody>
          {report.subjects.map((each) => (
            <tr key={each.name} class={each.as_expected ? '' : 'unexpected'}>
              <td>
                <Badge verdict={each.verdict} words={verdictWords(each.verdict, each.kind)} />
              </td>
              <th scope="row">
                <a href={linkTo('subject', each.name)}>{each.name}</a>
              </th>
              <td>
                <SiteCounts sites={each.sites} />
              </td>
              <td>{scoreWords(each)}</td>
              <td class="number">{count(each.searches)}</td>
              <td class="number">{count(each.executions)}</td>
              <td>{each.as_expected ? 'yes' : <b class="bad">no</b>}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {report.subjects.length === 1 && <SubjectView of={report.subjects[0]!} in={document} />}
    </>
  );
}

function SiteCounts({ sites }: { sites: AuditedSite[] }) {
  const found = new Map<string, number>();
  for (const each of sites) found.set(each.verdict, (found.get(each.verdict) ?? 0) + 1);
  return (
    <span class="site-counts">
      {[...found].map(([verdict, n]) => (
        <Badge key={verdict} verdict={verdict} words={`${count(n)} ${verdict}`} />
      ))}
    </span>
  );
}

function Cell({ subject, site, order }: { subject: Subject; site: AuditedSite; order: string }) {
  if (order === site.declared) {
    return (
      <td class="cell written">
        <span aria-hidden="true">{'\u25cf'}</span> written
      </td>
    );
  }
  const tried = site.weaker.find((each) => each.order === order);
  if (!tried)
    return (
      <td class="cell" aria-label={site.stronger === order ? 'repairs' : ''}>
        {site.stronger === order ? '\u2191 repairs' : ''}
      </td>
    );
  const { symbol, tone } = lookOf(tried.verdict);
  return (
    <td class={`cell ${tone}`}>
      <a
        href={linkTo('subject', subject.name, 'site', siteKey(site), order)}
        title={[tried.verdict, tried.kind, tried.note].filter(Boolean).join(': ')}
        aria-label={`${order} at ${shortFile(site.file)}:${site.line} ${operationWords(site)}: ${tried.verdict}${tried.kind ? `, ${tried.kind}` : ''}`}
      >
        <span class="symbol" aria-hidden="true">
          {symbol}
        </span>
        <span class="words">{tried.kind ?? cellWords[tried.verdict]}</span>
      </a>
    </td>
  );
}

function Matrix({ subject }: { subject: Subject }) {
  const [filter, setFilter] = useState('');
  const [verdict, setVerdict] = useState('');
  const files = new Set(subject.sites.map((each) => each.file));
  const columns = orders.filter((order) =>
    subject.sites.some(
      (each) => each.declared === order || each.stronger === order || each.weaker.some((w) => w.order === order),
    ),
  );
  const shown = subject.sites.filter(
    (each) =>
      (!verdict || each.verdict === verdict) &&
      passes(
        filter,
        [each.file, each.line, each.function, operationWords(each), each.declared, each.verdict, each.note].join(' '),
      ),
  );
  return (
    <section>
      <h2>Sites and orders</h2>
      <p class="quiet">
        What the scenarios get with one order alone replaced by a weaker one: <b>{'\u2717'}</b> some scenario is
        violated, the order is required; <b>{'\u2713'}</b> all held, it is not required by itself; <b>{'\u25cb'}</b>{' '}
        vacuous, no scenario has what it would order; <b>?</b> undecided; <b>{'\u2013'}</b> unexercised;{' '}
        <b>{'\u25cf'}</b> as written. A cell leads to the execution.
      </p>
      <VerdictCounts verdicts={siteVerdicts} of={subject.sites} chosen={verdict} onChoose={setVerdict} />
      {subject.sites.length > 12 && (
        <Filter
          value={filter}
          onInput={setFilter}
          label="Filter sites"
          shown={shown.length}
          all={subject.sites.length}
        />
      )}
      <div class="scroll">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">site</th>
              {columns.map((order) => (
                <th scope="col" key={order}>
                  {order}
                </th>
              ))}
              <th scope="col">verdict</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((site) => (
              <tr key={siteKey(site)}>
                <th scope="row">
                  <a href={linkTo('subject', subject.name, 'site', siteKey(site))}>
                    <span class="place">{files.size > 1 ? `${shortFile(site.file)}:${site.line}` : site.line}</span>{' '}
                    <span class="function">{site.function}</span>
                  </a>
                  <span class="operation">{operationWords(site)}</span>
                </th>
                {columns.map((order) => (
                  <Cell key={order} subject={subject} site={site} order={order} />
                ))}
                <td>
                  <Badge verdict={site.verdict} />
                  {site.scope && <span class="quiet"> {site.scope}</span>}
                  {site.doubts.length > 0 && (
                    <span class="doubt" title={site.doubts.join('\n')}>
                      {' '}
                      {'\u26a0'} comment
                    </span>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function costWords(costs: Costs, written?: Costs): string {
  return Object.entries(costs)
    .map(([target, { cost }]) => {
      const before = written?.[target]?.cost;
      return before === undefined || before === cost ? `${target} ${cost}` : `${target} ${cost} (${cost - before})`;
    })
    .join(', ');
}

function JointView({ subject, joint, number }: { subject: Subject; joint: JointTable; number: number }) {
  const place = (site: JointSite) => {
    const known = subject.sites.find((each) => siteKey(each) === siteKey(site));
    return (
      <>
        {`${shortFile(site.file)}:${site.line}`} {known ? `${known.function} ${operationWords(known)}` : site.role}
      </>
    );
  };
  return (
    <>
      <div class="scroll">
        <table class="joint">
          <thead>
            <tr>
              <th scope="col">site</th>
              <th scope="col">written</th>
              {joint.assignments.map((each, i) => (
                <th scope="col" key={i}>
                  {i + 1}
                  {each.weaker_than_written ? ' \u2193' : ''}
                  {each.limits.length > 0 && <span title={each.limits.join('\n')}> {'\u2248'}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {joint.sites.map((site, i) => (
              <tr key={siteKey(site)}>
                <th scope="row">{place(site)}</th>
                <td>{site.declared}</td>
                {joint.assignments.map((each, j) => {
                  const order = each.orders[i]!;
                  const weaker = order !== site.declared;
                  return (
                    <td key={j} class={weaker ? 'changed' : ''}>
                      {weaker ? <b>{order}</b> : order}
                    </td>
                  );
                })}
              </tr>
            ))}
            <tr class="costs">
              <th scope="row">cost, by target</th>
              <td>{costWords(joint.costs)}</td>
              {joint.assignments.map((each, j) => (
                <td key={j}>{costWords(each.costs, joint.costs)}</td>
              ))}
            </tr>
          </tbody>
        </table>
      </div>
      <p>
        {joint.complete
          ? 'These are all minimal assignments.'
          : `There may be others${joint.note ? `: ${joint.note}` : '.'}`}{' '}
        {joint.vacuous.length > 0 &&
          `Vacuous orders stay as they are written: ${joint.vacuous
            .map((i) => joint.sites[i])
            .map((each) => (each ? `${shortFile(each.file)}:${each.line} ${each.declared}` : ''))
            .join(', ')}. `}
        {joint.all_at_once && (
          <>
            Each order at the weakest that is not required by itself, all at once, is{' '}
            <a href={linkTo('subject', subject.name, 'all-at-once', String(number))}>
              violated: {joint.all_at_once.kind ?? ''}
            </a>
            : verdicts on one order do not add up.
          </>
        )}
      </p>
    </>
  );
}

/** Each repair beside the source that it changes. */
function Repairs({ of, in: document }: { of: Subject; in: Document }) {
  const [chosen, setChosen] = useState(0);
  const repair = of.repairs[chosen]!;
  const marks = new Map<string, Mark[]>();
  for (const each of repair.changes) {
    marks.set(`${each.file}:${each.line}`, [{ label: '\u2191', tone: 'note' }]);
  }
  const [file, setFile] = useState<string>();
  const files = [...new Set(repair.changes.map((each) => each.file))];
  const shown = file !== undefined && files.includes(file) ? file : files[0];
  return (
    <section>
      <h2>{of.repairs.length === 1 ? 'Repair' : 'Repairs'}</h2>
      <p class="quiet">The fewest changes after which no scenario is violated.</p>
      {of.repairs.length > 1 && (
        <nav class="orders" aria-label="Repairs">
          {of.repairs.map((_, i) => (
            <button type="button" key={i} aria-pressed={i === chosen} onClick={() => setChosen(i)}>
              repair {i + 1}
            </button>
          ))}
        </nav>
      )}
      <div class="about-site">
        <div>
          <ul class="plain">
            <Changes changes={repair.changes} />
          </ul>
          {repair.diff && <Diff text={repair.diff} />}
          <Facts of={[['cost', costWords(repair.costs, repair.costs_written)]]} />
          <Limits limits={repair.limits} />
        </div>
        <Source
          files={document.sources}
          file={shown}
          line={repair.changes.find((each) => each.file === shown)?.line}
          marks={marks}
          choices={files}
          onFile={setFile}
        />
      </div>
    </section>
  );
}

export function SubjectView({ of, in: document }: { of: Subject; in: Document }) {
  return (
    <>
      <p class="verdict-line">
        As written: <Badge verdict={of.verdict} words={verdictWords(of.verdict, of.kind)} />
        {!of.as_expected && <b class="bad"> {'\u2717'} not as expected</b>}
        {of.scope && <span class="quiet"> {of.scope}</span>}
        {!!of.score?.injected && <span> The scenarios detect {scoreWords(of)} of the weaker orders.</span>}
      </p>
      {of.repairs.length > 0 && <Repairs of={of} in={document} />}
      {of.note && <p>{of.note}</p>}
      <Matrix subject={of} />
      {of.minimal_assignments.length > 0 && (
        <section>
          <h2>Orders together</h2>
          <p class="quiet">
            Minimal assignments: every scenario held, and no order can be made weaker. {'\u2193'}: only weakens what is
            written. Bold: not as written.
          </p>
          {of.minimal_assignments.map((each, i) => (
            <JointView key={i} subject={of} joint={each} number={i} />
          ))}
        </section>
      )}
      <section>
        <h2>Scenarios as written</h2>
        <table class="list">
          <thead>
            <tr>
              <th scope="col">verdict</th>
              <th scope="col">scenario</th>
              <th scope="col" class="number">
                executions
              </th>
              <th scope="col" class="number">
                detects
              </th>
              <th scope="col" class="number">
                limits
              </th>
            </tr>
          </thead>
          <tbody>
            {of.scenarios.map((each) => (
              <tr key={each.name} class={each.as_expected ? '' : 'unexpected'}>
                <td>
                  <Badge verdict={each.verdict} words={verdictWords(each.verdict, each.kind, each.executions)} />
                </td>
                <th scope="row">
                  <a href={linkTo('subject', of.name, 'scenario', each.name)}>{each.name}</a>
                </th>
                <td class="number">{count(each.executions)}</td>
                <td class="number">{of.score?.detected_by[each.name] ?? ''}</td>
                <td class="number" title={each.limits.join('\n')}>
                  {each.limits.length || ''}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <section>
        <h2>The search</h2>
        <Facts
          of={[
            ['searches made', count(of.searches)],
            ['known from another', of.searches_known > 0 && count(of.searches_known)],
            ['implied by another', of.searches_implied > 0 && count(of.searches_implied)],
            ['executions', count(of.executions)],
            ['time, all searches', seconds(of.seconds)],
            ['complete', of.complete ? 'yes' : 'no'],
            ['weakened orders detected', scoreWords(of)],
          ]}
        />
      </section>
    </>
  );
}

function CostTable({ site }: { site: AuditedSite }) {
  const targets = Object.keys(site.costs);
  if (targets.length === 0) return null;
  return (
    <section>
      <h3>Cost of the operation</h3>
      <div class="scroll">
        <table class="costs">
          <thead>
            <tr>
              <th scope="col">target</th>
              <th scope="col">written: {site.declared}</th>
              {site.weaker.map((each) => (
                <th scope="col" key={each.order}>
                  {each.order}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {targets.map((target) => (
              <tr key={target}>
                <th scope="row">{target}</th>
                {[site.costs, ...site.weaker.map((each) => each.costs)].map((costs, i) => (
                  <td key={i} title={costs[target]?.instructions.join('; ')}>
                    {costs[target]?.cost ?? ''}{' '}
                    <span class="quiet">
                      {costs[target]?.instructions.length ? costs[target].instructions.join('; ') : ''}
                    </span>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

export function SiteView({
  subject,
  site,
  order,
  in: document,
}: {
  subject: Subject;
  site: AuditedSite;
  order: string | undefined;
  in: Document;
}) {
  const tried = order === undefined ? undefined : site.weaker.find((each) => each.order === order);
  return (
    <>
      <p class="lead">
        <code>
          {site.file}:{site.line}
        </code>
        , written <b>{site.declared}</b>: <Badge verdict={site.verdict} />
      </p>
      <nav class="orders" aria-label="Orders tried at this site">
        <a
          href={linkTo('subject', subject.name, 'site', siteKey(site))}
          aria-current={order === undefined ? 'page' : undefined}
        >
          the site
        </a>
        {site.weaker.map((each) => (
          <a
            key={each.order}
            class={lookOf(each.verdict).tone}
            href={linkTo('subject', subject.name, 'site', siteKey(site), each.order)}
            aria-current={order === each.order ? 'page' : undefined}
          >
            <span aria-hidden="true">{lookOf(each.verdict).symbol}</span> {each.order}: {each.verdict}
          </a>
        ))}
      </nav>
      {tried ? (
        <TriedView of={tried} site={site} in={document} />
      ) : (
        <AboutSite subject={subject} site={site} in={document} />
      )}
    </>
  );
}

function AboutSite({ subject, site, in: document }: { subject: Subject; site: AuditedSite; in: Document }) {
  const marks = new Map<string, Mark[]>();
  for (const each of subject.sites) {
    const place = `${each.file}:${each.line}`;
    const { symbol, tone } = lookOf(each.verdict);
    marks.set(place, [...(marks.get(place) ?? []), { label: symbol, tone }]);
  }
  return (
    <div class="about-site">
      <div>
        {site.note && <p>{site.note}</p>}
        {site.scope && (
          <p>
            {site.verdict} {site.scope}.
          </p>
        )}
        {site.reason && (
          <blockquote>
            <p>{site.reason}</p>
            <footer>the author, above the operation</footer>
          </blockquote>
        )}
        {site.doubts.map((each) => (
          <p class="notice warn" key={each}>
            {'\u26a0'} {each}
          </p>
        ))}
        <Facts
          of={[
            ['operation', operationWords(site)],
            ['function', <code>{site.function}</code>],
            ['stronger order that repairs', site.stronger],
            ['reads what is written by', site.reads_from.join(', ')],
            ['is read by', site.read_by.join(', ')],
            ['meets other threads in', plural(site.met_in.length, 'scenario')],
            ['runs alone in', site.run_in.length > 0 && plural(site.run_in.length, 'scenario')],
          ]}
        />
        <CostTable site={site} />
      </div>
      <Source
        files={document.sources}
        file={site.file}
        line={site.line}
        marks={marks}
        choices={[site.file]}
        onFile={() => undefined}
      />
    </div>
  );
}

function TriedView({ of, site, in: document }: { of: WeakerOrder; site: AuditedSite; in: Document }) {
  return (
    <>
      {of.verdict === 'required' ? (
        <>
          <p>
            With <b>{of.order}</b> in place of <b>{site.declared}</b>, and nothing else changed,{' '}
            <code>{of.scenario}</code> is violated.
          </p>
          <ViolationView of={of} in={document} />
        </>
      ) : (
        <>
          <p class="verdict-line">
            <Badge verdict={of.verdict} words={of.verdict === 'not required' ? 'not required by itself' : of.verdict} />{' '}
            {of.note}
          </p>
          <Limits limits={of.limits} />
        </>
      )}
      <Facts
        of={[
          ['searches', count(of.searches)],
          ['executions', count(of.executions)],
          ['cost', costWords(of.costs, site.costs)],
        ]}
      />
    </>
  );
}

export function AuditedScenarioView({ of, in: document }: { of: AuditedScenario; in: Document }) {
  return (
    <>
      {of.verdict === 'violated' ? (
        <ViolationView of={of} in={document} />
      ) : (
        <>
          <p class="verdict-line">
            <Badge verdict={of.verdict} words={verdictWords(of.verdict, of.kind, of.executions)} /> {of.message}
          </p>
          <Limits limits={of.limits} />
        </>
      )}
      <Facts of={[['executions', count(of.executions)]]} />
      <AcceptedViolations accepted={of.accepted} />
      <Outcomes outcomes={of.outcomes} />
    </>
  );
}

export function AllAtOnceView({ of, in: document }: { of: AllAtOnce; in: Document }) {
  return (
    <>
      <p>
        These orders, each not required by itself, weakened together: <code>{of.scenario}</code> is violated.
      </p>
      <ul class="plain">
        <Changes changes={of.changes} />
      </ul>
      <ViolationView of={of} in={document} />
    </>
  );
}
