// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The report of `replay`: one execution.
import { Badge, Facts, Limits } from './parts';
import { TraceView } from './trace_view';
import type { Document, ReplayReport } from './types';
import { ViolationView } from './violation';

export function ReplayView({ report, in: document }: { report: ReplayReport; in: Document }) {
  return (
    <>
      {report.overrides.length > 0 && (
        <p>
          With changed orders:{' '}
          {report.overrides.map((each) => (
            <code key={`${each.file}${each.line}${each.column}${each.role}`}>
              {each.file}:{each.line} {each.role} {each.declared ? `${each.declared} \u2192 ` : ''}
              {each.order}
              {each.position !== 'instead' ? ` (${each.position})` : ''}{' '}
            </code>
          ))}
        </p>
      )}
      {report.verdict === 'violated' ? (
        <ViolationView of={report} in={document} />
      ) : (
        <>
          <p class="verdict-line">
            <Badge verdict={report.verdict} /> {report.message}
          </p>
          <TraceView traced={report} sources={document.sources} />
          <Limits limits={report.limits} />
        </>
      )}
      <h3>The replay</h3>
      <Facts
        of={[
          ['scenario', report.name],
          ['engine', report.engine],
          ['memory model', report.model],
        ]}
      />
    </>
  );
}
