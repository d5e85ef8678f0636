// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A violation, whatever command found it.
import { Badge, Command, Limits, quoted } from './parts';
import { TraceView } from './trace_view';
import type { AllAtOnce, Document, Traced } from './types';

/** What all violations have. */
type Shown = Pick<
  AllAtOnce,
  'kind' | 'message' | 'exists_under' | 'limits' | 'replay' | 'replay_command' | keyof Traced
>;

/** The line that runs an execution again. */
export function replayLine(document: Document, token: string, accept: string[] = []): string {
  return [document.program, 'replay', quoted(token), ...accept.map((each) => `--accept ${quoted(each)}`)].join(' ');
}

export function ViolationView({ of, in: document, accept }: { of: Shown; in: Document; accept?: string[] }) {
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
      </TraceView>
      <Limits limits={of.limits} />
    </>
  );
}
