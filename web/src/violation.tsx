// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A violation, whatever command found it.
import { Badge, Command, Limits, quoted } from './parts';
import { TraceView } from './trace_view';
import type { AllAtOnce, Change, Document, Traced } from './types';

/** What all violations have. */
type Shown = Pick<
  AllAtOnce,
  'kind' | 'message' | 'exists_under' | 'limits' | 'replay' | 'replay_command' | keyof Traced
>;

/** The line that runs an execution again. */
export function replayLine(document: Document, token: string, accept: string[] = []): string {
  return [document.program, 'replay', quoted(token), ...accept.map((each) => `--accept ${quoted(each)}`)].join(' ');
}

/** What to change, an item each. */
export function Changes({ changes }: { changes: Change[] }) {
  return (
    <>
      {changes.map((each, i) => (
        <li key={i}>
          <code>
            {each.file}:{each.line}
          </code>{' '}
          {each.role}
          {each.declared ? `: ${each.declared}` : ''} {'\u2192'} <b>{each.order}</b>
          {each.position === 'before' || each.position === 'after' ? ` fence ${each.position} it` : ''}
        </li>
      ))}
    </>
  );
}

export function ViolationView({
  of,
  in: document,
  accept,
  repair,
}: {
  of: Shown;
  in: Document;
  accept?: string[];
  repair?: { changes: Change[]; line: string } | undefined;
}) {
  const message = of.message && !of.explanation?.conclusion.some((each) => each.includes(of.message!));
  const line = of.replay_command ?? (of.replay && replayLine(document, of.replay, accept));
  return (
    <>
      <p class="verdict-line">
        <Badge verdict="violated" words={`violated: ${of.kind ?? 'unknown'}`} />{' '}
        {message && <span class="message">{of.message}</span>}
      </p>
      {of.exists_under && <p class="models">{of.exists_under.sentence}</p>}
      <TraceView traced={of} sources={document.sources}>
        {line && <Command line={line} />}
        {repair && (
          <section class="repair" aria-label="Repair">
            <p>With this the scenario held:</p>
            <ul>
              <Changes changes={repair.changes} />
            </ul>
            <Command line={repair.line} />
          </section>
        )}
      </TraceView>
      <Limits limits={of.limits} />
    </>
  );
}
