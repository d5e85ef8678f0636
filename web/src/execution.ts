// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One execution: its steps, and the relations between them that a picture shows.
import type { Explanation, Link, Step, Traced } from './types';

export type Layer = 'rf' | 'hb' | 'co' | 'fr';

/** From one position in the trace to another. */
export interface Edge {
  layer: Layer | 'why';
  from: number;
  to: number;
  missing?: boolean;
  words?: string;
}

/** What is drawn in one line: a step, or several that are folded. */
export type Row = { step: number } | { folded: number[] };

export type HappensBefore = 'before' | 'after' | 'concurrent' | 'same';

/** Without positions where a step has one number of its own. */
type Why = Omit<Explanation, 'positions'> & Partial<Pick<Explanation, 'positions'>>;

const none: Why = { conclusion: [], links: [], letters: {} };

export class Execution {
  readonly steps: Step[];
  readonly threads: string[];
  readonly why: Why;
  readonly edges: Edge[];
  /** Some steps are folded. Where none has a letter nobody said which matter: then none is. */
  readonly folds: boolean;
  /** Positions of the two ends. */
  readonly first: number | undefined;
  readonly second: number | undefined;

  /** Of each step; null: it is folded. */
  private readonly letters: (string | null)[];
  private readonly positions = new Map<number, number>();
  /** Of each step: whether it counts in its thread's clock. */
  private readonly counted: boolean[] = [];

  constructor(traced: Traced) {
    this.steps = traced.trace ?? [];
    this.threads = traced.threads ?? [];
    this.why = traced.explanation ?? none;
    // Of two steps with one number the first is the write that others read from.
    this.steps.forEach((each, at) => {
      if (!this.positions.has(each.step)) this.positions.set(each.step, at);
    });
    const { positions } = this.why;
    this.first = positions ? positions.first : this.at(this.why.first);
    this.second = positions ? positions.second : this.at(this.why.second);
    this.letters = positions?.letters ?? this.steps.map((each) => this.why.letters[each.step] ?? null);
    this.folds = this.letters.some(Boolean) && !this.letters.every(Boolean);
    const last = new Map<number, number>();
    for (const each of this.steps) {
      const own = each.clock[each.thread] ?? 0;
      this.counted.push(own > (last.get(each.thread) ?? 0));
      last.set(each.thread, own);
    }
    this.edges = [
      ...this.readsFrom(),
      ...this.synchronises(),
      ...this.coherence(),
      ...this.fromReads(),
      ...this.explained(),
    ];
  }

  /** The position of a step by its number. */
  at(step: number | undefined): number | undefined {
    return step === undefined ? undefined : this.positions.get(step);
  }

  letter(position: number): string {
    return this.letters[position] ?? '';
  }

  withLetter(letter: string): number | undefined {
    const found = this.letters.indexOf(letter);
    return found < 0 ? undefined : found;
  }

  /** What is shown: all, or those with letters, the others folded but for the runs that were unfolded. */
  rows(all: boolean, unfolded: ReadonlySet<number>): Row[] {
    const rows: Row[] = [];
    let folded: number[] = [];
    const flush = () => {
      if (folded.length > 0) rows.push({ folded });
      folded = [];
    };
    this.steps.forEach((_, at) => {
      if (all || !this.folds || unfolded.has(at) || this.letter(at)) {
        flush();
        rows.push({ step: at });
      } else {
        folded.push(at);
      }
    });
    flush();
    return rows;
  }

  /** How `other` stands to `step`. */
  happens(other: number, step: number): HappensBefore {
    if (other === step) return 'same';
    if (this.isBefore(other, step)) return 'before';
    return this.isBefore(step, other) ? 'after' : 'concurrent';
  }

  private isBefore(a: number, b: number): boolean {
    const from = this.steps[a]!;
    const to = this.steps[b]!;
    if (from.thread === to.thread || from.thread < 0 || to.thread < 0) return a < b;
    const own = from.clock[from.thread] ?? 0;
    const seen = to.clock[from.thread] ?? 0;
    return this.counted[a] ? seen >= own : seen > own;
  }

  private readsFrom(): Edge[] {
    return this.steps.flatMap((each, to): Edge[] => {
      const from = this.at(each.reads_from);
      return from === undefined ? [] : [{ layer: 'rf', from, to }];
    });
  }

  /** Where a thread learns of more of another one than before, by its clock; not what follows from another such edge. */
  private synchronises(): Edge[] {
    const edges: Edge[] = [];
    const last = new Map<number, Step>();
    const reached = new Map<number, { position: number; own: number }[]>();
    this.steps.forEach((step, to) => {
      if (step.thread < 0) return;
      const before = last.get(step.thread);
      const found: { thread: number; position: number; seen: number }[] = [];
      step.clock.forEach((seen, thread) => {
        if (thread === step.thread || seen <= (before?.clock[thread] ?? 0)) return;
        const sources = reached.get(thread) ?? [];
        const source = sources.findLast((each) => each.own <= seen);
        if (source) found.push({ thread, position: source.position, seen });
      });
      for (const each of found) {
        const implied = found.some(
          (other) => other !== each && (this.steps[other.position]!.clock[each.thread] ?? 0) >= each.seen,
        );
        if (!implied) edges.push({ layer: 'hb', from: each.position, to });
      }
      last.set(step.thread, step);
      if (this.counted[to]) {
        const list = reached.get(step.thread) ?? [];
        list.push({ position: to, own: step.clock[step.thread] ?? 0 });
        reached.set(step.thread, list);
      }
    });
    return edges;
  }

  /** Of a write: its place in coherence, that of construction 0; of anything else nothing. */
  private place(position: number): number | undefined {
    const step = this.steps[position]!;
    if (step.coherence !== undefined) return step.coherence;
    return step.access === 'write' && step.operation.startsWith('construct') ? 0 : undefined;
  }

  /** The writes to each atomic in their order, where the trace has it. */
  private writes(): Map<string, number[]> {
    const result = new Map<string, number[]>();
    this.steps.forEach((each, at) => {
      if (this.place(at) === undefined || !each.object) return;
      const list = result.get(each.object) ?? [];
      list.push(at);
      result.set(each.object, list);
    });
    for (const [object, list] of result) {
      if (list.every((at) => this.steps[at]!.coherence === undefined)) result.delete(object);
      list.sort((a, b) => this.place(a)! - this.place(b)!);
    }
    return result;
  }

  private coherence(): Edge[] {
    const edges: Edge[] = [];
    for (const list of this.writes().values()) {
      for (let i = 1; i < list.length; ++i) edges.push({ layer: 'co', from: list[i - 1]!, to: list[i]! });
    }
    return edges;
  }

  /** From each read to the write that comes next after the one that it read. */
  private fromReads(): Edge[] {
    const writes = this.writes();
    return this.steps.flatMap((each, at): Edge[] => {
      // A read-modify-write overwrites what it reads itself: that is coherence.
      if (each.before === undefined || each.coherence !== undefined || !each.object || !each.order) return [];
      const source = this.at(each.reads_from);
      const place = source === undefined ? 0 : this.place(source);
      if (place === undefined) return [];
      const next = writes.get(each.object)?.find((write) => this.place(write)! > place);
      return next === undefined ? [] : [{ layer: 'fr', from: at, to: next }];
    });
  }

  private explained(): Edge[] {
    return this.why.links.flatMap((link: Link, i): Edge[] => {
      const [from, to] = this.why.positions?.links[i] ?? [this.at(link.from), this.at(link.to)];
      if (from === undefined || to === undefined) return [];
      const words = link.missing ? link.words || 'does not synchronise' : link.relation;
      return [{ layer: 'why', from, to, missing: link.missing, words }];
    });
  }
}

/** The operation with its order, as traces name it. */
export function operationOf(step: Step): string {
  return step.order ? `${step.operation} ${step.order}${step.overridden ? '*' : ''}` : step.operation;
}

export function objectOf(step: Step): string {
  return step.name ?? step.object ?? '';
}

/** What it does to the value: "0 -> 1", "1". */
export function valuesOf(step: Step): string {
  if (step.before !== undefined && step.after !== undefined) return `${step.before} \u2192 ${step.after}`;
  if (step.after !== undefined) return `= ${step.after}`;
  return step.before ?? '';
}

/** "never goes on: waits for lock": its note stands before its object. Undefined of other steps. */
export function stuckWords(step: Step): string | undefined {
  return step.operation === 'never goes on' ? `never goes on: ${step.note ?? ''}`.trim() : undefined;
}

export function textOf(step: Step): string {
  const object = objectOf(step);
  const stuck = stuckWords(step);
  if (stuck) return `${stuck} ${object}`.trim();
  const values = valuesOf(step);
  const what = object + (values ? (values.startsWith('=') ? ` ${values}` : `: ${values}`) : '');
  return [operationOf(step), what, step.stale ? '(stale)' : ''].filter(Boolean).join('  ');
}
