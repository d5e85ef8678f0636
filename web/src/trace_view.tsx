// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One violation: the conclusion, the picture, the source beside it.
import type { ComponentChildren } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { Execution, objectOf, operationOf, valuesOf, type Layer } from './execution';
import { Lanes, layerNames } from './lanes';
import { Facts } from './parts';
import { parseRoute, replaceQuery } from './route';
import { Source, type Mark } from './source';
import type { SourceFile, Traced } from './types';

const allLayers = Object.keys(layerNames) as Layer[];

/** Words of the language may be letters of steps too, "a" above all: what follows tells. */
function isLetter(word: string, after: string): boolean {
  if (word.length === 1 && word !== 'a') return true;
  return /^(?:$|[,:.;)]| (?:and|or|but|is|are|was|were|to|by|reads|replaces|wrote|comes|with)\b)/.test(after);
}

/** Letters of steps in a sentence become links to them. */
function Sentence({ text, execution, onStep }: { text: string; execution: Execution; onStep: (at: number) => void }) {
  const parts: ComponentChildren[] = [];
  let at = 0;
  for (const found of text.matchAll(/(?<![\w'-])[a-z]{1,2}(?![\w'-])/g)) {
    const position = execution.withLetter(found[0]);
    const end = found.index + found[0].length;
    if (position === undefined || !isLetter(found[0], text.slice(end))) continue;
    parts.push(
      text.slice(at, found.index),
      <button type="button" class="step-link" onClick={() => onStep(position)}>
        {found[0]}
      </button>,
    );
    at = end;
  }
  parts.push(text.slice(at));
  return <>{parts}</>;
}

function Detail({
  execution,
  position,
  onStep,
}: {
  execution: Execution;
  position: number | undefined;
  onStep: (at: number) => void;
}) {
  if (position === undefined) {
    return (
      <section class="detail quiet" aria-label="The selected step">
        Select a step, or walk with the arrow keys.
      </section>
    );
  }
  const step = execution.steps[position]!;
  const name = (at: number) => execution.letter(at) || `step ${execution.steps[at]!.step}`;
  const link = (at: number) => (
    <button type="button" class="step-link" key={at} onClick={() => onStep(at)}>
      {name(at)}
    </button>
  );
  const source = execution.at(step.reads_from);
  const waker = execution.at(step.woken_by);
  const readers = execution.edges
    .filter((each) => each.layer === 'rf' && each.from === position)
    .map((each) => each.to);
  const words = execution.edges
    .filter((each) => each.missing && (each.from === position || each.to === position))
    .map((each) => each.words);
  return (
    <section class="detail" aria-label="The selected step">
      <h3>
        <span class="letter">{execution.letter(position)}</span>
        {operationOf(step)} <span class="object">{objectOf(step)}</span> <span class="values">{valuesOf(step)}</span>
      </h3>
      {step.note && <p>{step.note}</p>}
      {words.map((each) => (
        <p key={each} class="missing-words">
          {'\u2717'} missing: {each}
        </p>
      ))}
      <Facts
        of={[
          ['step', String(step.step)],
          ['thread', step.thread < 0 ? 'before or after the threads' : (execution.threads[step.thread] ?? step.thread)],
          ['object', step.name && step.object ? step.object : undefined],
          ['type', step.type && <code>{step.type}</code>],
          ['order', step.overridden && `${step.order}, replaced for this search`],
          ['reads from', source !== undefined && link(source)],
          ['woken by', waker !== undefined && link(waker)],
          ['read by', readers.length > 0 && readers.map(link)],
          ['value', step.stale && 'stale: a newer one was there already, and need not be seen'],
          ['coherence', step.coherence !== undefined && `write ${step.coherence} to it`],
          ['function', step.function && <code>{step.function}</code>],
          ['clock', step.clock.some((each) => each > 0) && <code>{step.clock.join(' ')}</code>],
        ]}
      />
      {step.calls.length > 0 && (
        <details>
          <summary>called from</summary>
          <ol class="calls">
            {step.calls.map((each, i) => (
              <li key={i}>
                <code>{each.function}</code>{' '}
                <span class="quiet">
                  {each.file}:{each.line}
                </span>
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

const keys: [string, string][] = [
  ['\u2191 \u2193', 'previous, next step'],
  ['\u2190 \u2192', 'previous, next step of the same thread'],
  ['Home End', 'first, last step'],
  ['1 2', 'the earlier, the later end'],
  ['r', 'the write that it reads from'],
  ['u', 'fold or unfold'],
  ['Esc', 'no step selected; again: back'],
];

export function TraceView({
  traced,
  sources,
  children,
}: {
  traced: Traced;
  sources: Record<string, SourceFile>;
  children?: ComponentChildren;
}) {
  const execution = useMemo(() => new Execution(traced), [traced]);
  const start = useMemo(() => parseRoute(location.hash).query, [traced]);
  const [selected, setSelected] = useState<number | undefined>(() => execution.at(numberIn(start, 'step')));
  const [all, setAll] = useState(start.get('all') === '1');
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const [layers, setLayers] = useState<ReadonlySet<Layer>>(
    () => new Set((start.get('layers')?.split(' ') ?? ['rf', 'hb']).filter((each) => isLayer(each))),
  );
  const [chosenFile, setChosenFile] = useState<string>();

  // The address says what is shown.
  useEffect(() => {
    replaceQuery((query) => {
      const step = selected === undefined ? undefined : execution.steps[selected]?.step;
      if (step === undefined) query.delete('step');
      else query.set('step', String(step));
      if (all) query.set('all', '1');
      else query.delete('all');
      const shown = allLayers.filter((each) => layers.has(each)).join(' ');
      if (shown === 'rf hb') query.delete('layers');
      else query.set('layers', shown);
    });
  }, [selected, all, layers, execution]);

  const rows = useMemo(() => execution.rows(all, unfolded), [execution, all, unfolded]);
  const folded = rows.reduce((sum, row) => sum + ('folded' in row ? row.folded.length : 0), 0);

  const select = (at: number) => {
    setSelected(at);
    setChosenFile(undefined);
    if (!rows.some((row) => 'step' in row && row.step === at)) setUnfolded(new Set([...unfolded, at]));
  };

  const key = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const shown = rows.flatMap((row) => ('step' in row ? [row.step] : []));
    const here = selected === undefined ? -1 : shown.indexOf(selected);
    const thread = selected === undefined ? undefined : execution.steps[selected]!.thread;
    const inThread = (at: number) => thread === undefined || execution.steps[at]!.thread === thread;
    const to: Record<string, () => number | undefined> = {
      ArrowDown: () => shown[here + 1],
      ArrowUp: () => (here < 0 ? shown.at(-1) : shown[here - 1]),
      ArrowRight: () => shown.slice(here + 1).find(inThread),
      ArrowLeft: () => shown.slice(0, Math.max(here, 0)).findLast(inThread),
      Home: () => shown[0],
      End: () => shown.at(-1),
      PageDown: () => shown[Math.min(here + 15, shown.length - 1)],
      PageUp: () => shown[Math.max(here - 15, 0)],
      '1': () => execution.first,
      '2': () => execution.second,
      r: () => (selected === undefined ? undefined : execution.at(execution.steps[selected]!.reads_from)),
    };
    const move = to[event.key];
    if (move) {
      const next = move();
      if (next !== undefined) select(next);
    } else if (event.key === 'u') {
      setAll(!all);
    } else if (event.key === 'Escape' && selected !== undefined) {
      setSelected(undefined);
      event.stopPropagation();
    } else {
      return;
    }
    event.preventDefault();
  };

  const marks = useMemo(() => {
    const result = new Map<string, Mark[]>();
    execution.steps.forEach((step, at) => {
      if (!step.file || !step.line || !execution.letter(at)) return;
      const place = `${step.file}:${step.line}`;
      const end = at === execution.first || at === execution.second ? 'end' : '';
      const mark = { label: execution.letter(at), tone: end, onClick: () => select(at) };
      result.set(place, [...(result.get(place) ?? []), mark]);
    });
    return result;
  }, [execution, rows]);

  const step = selected === undefined ? undefined : execution.steps[selected];
  const shownSteps = selected === undefined ? (execution.second ?? execution.steps.length - 1) : selected;
  const place = placeOf(execution, shownSteps);
  const file = chosenFile ?? place?.file;
  const files = useMemo(
    () => [...new Set(execution.steps.flatMap((each) => (each.file ? [each.file] : [])))],
    [execution],
  );
  const counts = (layer: Layer) => execution.edges.filter((each) => each.layer === layer).length;

  return (
    <div class="trace-view">
      {execution.why.conclusion.length > 0 && (
        <section class="conclusion" aria-label="Conclusion">
          {execution.why.conclusion.map((each, i) => (
            <p key={i}>
              <Sentence text={each} execution={execution} onStep={select} />
            </p>
          ))}
        </section>
      )}
      {children}
      {execution.steps.length > 0 && (
        <div class="trace">
          <div class="picture">
            <div class="tools" role="group" aria-label="What the picture shows">
              {allLayers.map((layer) => {
                const n = counts(layer);
                return (
                  <label key={layer} class={`layer ${layer}${n === 0 ? ' absent' : ''}`}>
                    <input
                      type="checkbox"
                      checked={layers.has(layer)}
                      onChange={() => {
                        const next = new Set(layers);
                        if (!next.delete(layer)) next.add(layer);
                        setLayers(next);
                      }}
                    />
                    <svg width="26" height="10" aria-hidden="true">
                      <line class={`edge ${layer}`} x1="1" y1="5" x2="25" y2="5" />
                    </svg>
                    {layerNames[layer]} <span class="quiet">{n}</span>
                  </label>
                );
              })}
              {execution.folds && (
                <label class="layer">
                  <input
                    type="checkbox"
                    checked={all}
                    onChange={() => {
                      setAll(!all);
                      setUnfolded(new Set());
                    }}
                  />
                  all steps <span class="quiet">{folded > 0 ? `${folded} folded` : ''}</span>
                </label>
              )}
            </div>
            <Lanes
              execution={execution}
              rows={rows}
              layers={layers}
              selected={selected}
              onSelect={select}
              onUnfold={(list) => {
                setUnfolded(new Set([...unfolded, ...list]));
                setSelected(list[0]);
              }}
              onKey={key}
            />
            <details class="keys">
              <summary>Keys and signs</summary>
              <dl>
                {keys.map(([name, what]) => (
                  <div key={name}>
                    <dt>
                      <kbd>{name}</kbd>
                    </dt>
                    <dd>{what}</dd>
                  </div>
                ))}
                <div>
                  <dt>{'\u2460 \u2461'}</dt>
                  <dd>the two ends of the violation</dd>
                </div>
                <div>
                  <dt>{'\u227a \u227b \u2225'}</dt>
                  <dd>happens before, after, neither: as seen from the selected step</dd>
                </div>
                <div>
                  <dt>*</dt>
                  <dd>order replaced for this search</dd>
                </div>
              </dl>
            </details>
          </div>
          <div class="beside">
            <Detail execution={execution} position={step ? selected : undefined} onStep={select} />
            <Source
              files={sources}
              file={file}
              line={file === place?.file ? place?.line : undefined}
              marks={marks}
              choices={files}
              onFile={setChosenFile}
            />
          </div>
        </div>
      )}
    </div>
  );
}

/** Where a step stands; one without a place is shown at that of the step of its thread before it. */
function placeOf(execution: Execution, at: number): { file: string; line: number } | undefined {
  const thread = execution.steps[at]?.thread;
  for (let i = at; i >= 0; --i) {
    const step = execution.steps[i]!;
    if (step.thread === thread && step.file && step.line) return { file: step.file, line: step.line };
  }
  return undefined;
}

function numberIn(query: URLSearchParams, name: string): number | undefined {
  const text = query.get(name);
  return text === null || !/^\d+$/.test(text) ? undefined : Number(text);
}

function isLayer(text: string): text is Layer {
  return text in layerNames;
}
