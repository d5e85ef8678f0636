// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The picture of an execution: a lane for each thread, time downward, relations as arrows. Only the rows in view are in the
// page, so that thousands of steps cost no more than a screenful.
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import {
  objectOf,
  operationOf,
  stuckWords,
  textOf,
  valuesOf,
  type Edge,
  type Execution,
  type Layer,
  type Row,
} from './execution';

const rowHeight = 30;
const boxHeight = 24;
const margin = 66;
const gap = 40;
const lastGap = 26;
const narrowest = 176;
const widest = 420;
const setUpWidth = 158;
const overscan = 12;

export const layerNames: Record<Layer, string> = {
  rf: 'reads-from',
  hb: 'happens-before',
  co: 'coherence',
  fr: 'from-read',
};

interface Placed {
  lane: number;
  row: number;
}

type Lengths = (lane: number) => number;

function pathOf(a: Placed, b: Placed, left: Lengths, widthOf: Lengths, shift: number): string {
  const y1 = a.row * rowHeight + rowHeight / 2 + shift;
  const y2 = b.row * rowHeight + rowHeight / 2 + shift;
  if (a.lane === b.lane) {
    const x = left(a.lane) + widthOf(a.lane);
    const out = x + 10 + Math.min(14, Math.abs(b.row - a.row) * 2) + shift;
    return `M${x},${y1} C${out},${y1} ${out},${y2} ${x + 2},${y2}`;
  }
  const right = b.lane > a.lane;
  const x1 = left(a.lane) + (right ? widthOf(a.lane) : 0);
  const x2 = left(b.lane) + (right ? -2 : widthOf(b.lane) + 2);
  const bend = (right ? 1 : -1) * Math.max(gap * 0.75, Math.abs(x2 - x1) * 0.35);
  return `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
}

const shifts: Record<Edge['layer'], number> = { rf: 0, hb: 4, co: 7, fr: -6, why: -3 };

/** All rows when the page is printed. */
function usePrinting(): boolean {
  const [printing, setPrinting] = useState(() => matchMedia('print').matches);
  useEffect(() => {
    const media = matchMedia('print');
    const changed = () => setPrinting(media.matches);
    const on = () => setPrinting(true);
    const off = () => setPrinting(false);
    media.addEventListener('change', changed);
    addEventListener('beforeprint', on);
    addEventListener('afterprint', off);
    return () => {
      media.removeEventListener('change', changed);
      removeEventListener('beforeprint', on);
      removeEventListener('afterprint', off);
    };
  }, []);
  return printing;
}

export function Lanes({
  execution,
  rows,
  layers,
  selected,
  onSelect,
  onUnfold,
  onKey,
}: {
  execution: Execution;
  rows: Row[];
  layers: ReadonlySet<Layer>;
  selected: number | undefined;
  onSelect: (position: number) => void;
  onUnfold: (folded: number[]) => void;
  onKey: (event: KeyboardEvent) => void;
}) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 700, width: 900 });
  const printing = usePrinting();

  useLayoutEffect(() => {
    const element = box.current!;
    const measure = () =>
      setView((now) => {
        const next = { top: element.scrollTop, height: element.clientHeight, width: element.clientWidth };
        return now.top === next.top && now.height === next.height && now.width === next.width ? now : next;
      });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    element.addEventListener('scroll', measure, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', measure);
    };
  }, []);

  const visible = rows.flatMap((row) => ('step' in row ? [row.step] : []));
  const withSetUp = visible.some((at) => execution.steps[at]!.thread < 0);
  const names = [...(withSetUp ? ['before and after'] : []), ...execution.threads];
  const laneOf = (at: number) => execution.steps[at]!.thread + (withSetUp ? 1 : 0);
  // Construction has little to say, and stands first.
  const room = view.width - margin - gap * (names.length - 1) - lastGap - (withSetUp ? setUpWidth : 0);
  const width = Math.min(widest, Math.max(narrowest, room / Math.max(1, execution.threads.length)));
  const widthOf = (lane: number) => (withSetUp && lane === 0 ? setUpWidth : width);
  const left = (lane: number) =>
    margin + (withSetUp && lane > 0 ? setUpWidth + gap + (lane - 1) * (width + gap) : lane * (width + gap));
  const full = left(names.length - 1) + widthOf(names.length - 1) + lastGap;
  const height = rows.length * rowHeight;

  const placed = useMemo(() => {
    const result = new Map<number, Placed>();
    rows.forEach((row, i) => {
      if ('step' in row) result.set(row.step, { lane: laneOf(row.step), row: i });
    });
    return result;
  }, [rows, withSetUp]);

  const first = printing ? 0 : Math.max(0, Math.floor(view.top / rowHeight) - overscan);
  const last = printing
    ? rows.length
    : Math.min(rows.length, Math.ceil((view.top + view.height) / rowHeight) + overscan);

  // The selected step comes into view; at first, if none is, the violation.
  const isNew = useRef(true);
  useLayoutEffect(() => {
    const element = box.current!;
    const wanted = selected ?? (isNew.current ? (execution.second ?? execution.steps.length - 1) : undefined);
    // And the page to it, once it is laid out.
    if (isNew.current && wanted !== undefined) {
      requestAnimationFrame(() => document.getElementById(`step-${wanted}`)?.scrollIntoView({ block: 'nearest' }));
    }
    isNew.current = false;
    const at = wanted === undefined ? undefined : placed.get(wanted);
    if (!at) return;
    const y = at.row * rowHeight;
    const below = element.clientHeight - rowHeight - 34;
    if (y < element.scrollTop) element.scrollTop = y - rowHeight;
    else if (y > element.scrollTop + below) element.scrollTop = y - below + rowHeight;
    const x = left(at.lane);
    if (x < element.scrollLeft) element.scrollLeft = at.lane === 0 ? 0 : x - gap;
    else if (x + widthOf(at.lane) > element.scrollLeft + element.clientWidth)
      element.scrollLeft = x + widthOf(at.lane) + gap - element.clientWidth;
  }, [selected, placed]);

  const drawn = execution.edges.flatMap((edge) => {
    if (edge.layer !== 'why' && !layers.has(edge.layer)) return [];
    const a = placed.get(edge.from);
    const b = placed.get(edge.to);
    if (!a || !b) return [];
    if (Math.max(a.row, b.row) < first || Math.min(a.row, b.row) >= last) return [];
    const touches = selected !== undefined && (edge.from === selected || edge.to === selected);
    return [{ edge, a, b, touches }];
  });
  drawn.sort((x, y) => Number(x.touches) - Number(y.touches) || Number(!!x.edge.missing) - Number(!!y.edge.missing));

  return (
    <div class="lanes-frame">
      <div
        class="lanes"
        ref={box}
        tabIndex={0}
        role="listbox"
        aria-label="Steps of the execution, in the order of time"
        aria-activedescendant={selected === undefined ? undefined : `step-${selected}`}
        onKeyDown={onKey}
      >
        <div class="lane-head" style={{ width: `${full}px` }} aria-hidden="true">
          {names.map((name, lane) => (
            <span key={lane} style={{ left: `${left(lane)}px`, width: `${widthOf(lane)}px` }}>
              {name}
            </span>
          ))}
        </div>
        <div class="lane-body" style={{ width: `${full}px`, height: `${height}px` }}>
          <svg width={full} height={height} aria-hidden="true">
            <defs>
              {(['rf', 'hb', 'co', 'fr', 'why', 'missing'] as const).map((kind) => (
                <marker
                  key={kind}
                  id={`arrow-${kind}`}
                  class={`arrow ${kind}`}
                  viewBox="0 0 8 8"
                  refX="7"
                  refY="4"
                  markerWidth="7"
                  markerHeight="7"
                  markerUnits="userSpaceOnUse"
                  orient="auto-start-reverse"
                >
                  <path d="M0,0.6 L7.4,4 L0,7.4 z" />
                </marker>
              ))}
            </defs>
            {names.map((_, lane) => (
              <line
                key={lane}
                class="life"
                x1={left(lane) + 12}
                x2={left(lane) + 12}
                y1={first * rowHeight}
                y2={last * rowHeight}
              />
            ))}
          </svg>
          {rows.slice(first, last).map((row, i) => {
            const top = `${(first + i) * rowHeight}px`;
            if ('folded' in row) {
              const words = `${row.folded.length} ${row.folded.length === 1 ? 'step' : 'steps'} folded`;
              return (
                <div
                  role="option"
                  aria-selected={false}
                  tabIndex={0}
                  class="fold"
                  key={`fold-${row.folded[0]}`}
                  style={{ top, left: `${margin}px` }}
                  onClick={() => onUnfold(row.folded)}
                  onKeyDown={(event) => {
                    if (event.key !== 'Enter' && event.key !== ' ') return;
                    event.preventDefault();
                    box.current?.focus();
                    onUnfold(row.folded);
                  }}
                >
                  <span aria-hidden="true">{'\u22ef'}</span> {words}
                </div>
              );
            }
            const at = row.step;
            const step = execution.steps[at]!;
            const letter = execution.letter(at);
            const end = at === execution.first ? 'first' : at === execution.second ? 'second' : '';
            const lane = laneOf(at);
            const stands =
              selected !== undefined && layers.has('hb') && at !== selected ? execution.happens(at, selected) : '';
            const kind = step.operation === 'violation' ? 'violation' : step.order ? 'atomic' : step.access;
            const ends = end === 'first' ? 'earlier end' : end === 'second' ? 'later end' : '';
            return (
              <div
                key={`step-${at}`}
                class={`row${at === selected ? ' selected' : ''} ${stands}`}
                style={{ top, width: `${full}px` }}
              >
                <span class="gutter" aria-hidden="true">
                  <span class="relation">
                    {stands === 'before' ? '\u227a' : stands === 'after' ? '\u227b' : stands ? '\u2225' : ''}
                  </span>
                  <span class="letter">{letter}</span>
                  <span class="number">{step.step}</span>
                </span>
                <div
                  id={`step-${at}`}
                  role="option"
                  aria-selected={at === selected}
                  aria-setsize={execution.steps.length}
                  aria-posinset={at + 1}
                  aria-label={[
                    letter,
                    `step ${step.step}`,
                    step.thread < 0 ? 'before or after the threads' : (names[lane] ?? ''),
                    textOf(step),
                    ends,
                    stands && `happens ${stands === 'concurrent' ? 'concurrently' : stands}`,
                    stuckWords(step) ? '' : (step.note ?? ''),
                  ]
                    .filter(Boolean)
                    .join(', ')}
                  class={`step ${kind} ${end ? `end ${end}` : ''} ${step.thread < 0 ? 'outside' : ''}`}
                  style={{
                    left: `${left(lane)}px`,
                    minWidth: `${widthOf(lane)}px`,
                    height: `${boxHeight}px`,
                    ...(kind === 'violation' && step.thread < 0
                      ? { maxWidth: `${full - left(lane) - 8}px` }
                      : { width: `${widthOf(lane)}px` }),
                  }}
                  title={[textOf(step), stuckWords(step) ? '' : step.note].filter(Boolean).join('\n')}
                  onClick={() => onSelect(at)}
                >
                  {end && <span class="end-mark">{end === 'first' ? '\u2460' : '\u2461'}</span>}
                  {step.operation === 'violation' ? (
                    <span class="violation-text">
                      {'\u2717'} {step.note ?? 'violation'}
                    </span>
                  ) : stuckWords(step) ? (
                    <>
                      <span class="operation">{stuckWords(step)} </span>
                      <span class="object">{objectOf(step)}</span>
                    </>
                  ) : (
                    <>
                      {step.thread >= 0 && <span class="operation">{operationOf(step)} </span>}
                      <span class="object">{objectOf(step)}</span> <span class="values">{valuesOf(step)}</span>
                      {step.thread < 0 && <span class="operation"> {operationOf(step)}</span>}
                      {step.stale && <span class="mark-word">stale</span>}
                      {step.note && <span class="note">{step.note}</span>}
                    </>
                  )}
                </div>
              </div>
            );
          })}
          <svg class="edges" width={full} height={height} aria-hidden="true">
            {drawn.map(({ edge, a, b, touches }) => {
              const kind = edge.missing ? 'missing' : edge.layer;
              const initial = edge.layer === 'rf' && execution.steps[edge.from]!.thread < 0;
              const faint = edge.layer !== 'why' && !touches && (selected !== undefined || initial);
              return (
                <path
                  key={`${edge.layer}-${edge.from}-${edge.to}`}
                  class={`edge ${kind}${touches ? ' touches' : ''}${faint ? ' faint' : ''}`}
                  d={pathOf(a, b, left, widthOf, shifts[edge.layer])}
                  marker-end={`url(#arrow-${kind})`}
                />
              );
            })}
            {drawn.map(({ edge, a, b }) => {
              if (!edge.missing) return null;
              const x = (left(a.lane) + left(b.lane) + (widthOf(a.lane) + widthOf(b.lane)) / 2) / 2;
              const y = ((a.row + b.row + 1) * rowHeight) / 2 - 3;
              return (
                <g key={`missing-${edge.from}-${edge.to}`} class="missing-mark" transform={`translate(${x},${y})`}>
                  <circle r="8" />
                  <path d="M-3,-3 L3,3 M-3,3 L3,-3" />
                </g>
              );
            })}
          </svg>
        </div>
      </div>
    </div>
  );
}
