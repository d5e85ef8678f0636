// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON reports, as src/ordeal/report/ writes them. A key that is null there is absent here.

export type Verdict = 'held' | 'held within' | 'violated' | 'inconclusive';

export interface Limit {
  id?: string;
  sentence?: string;
  [key: string]: unknown;
}

export interface Models {
  strongest: string;
  excluded: boolean;
  sentence: string;
}

export interface Frame {
  function: string;
  file: string;
  line: number;
}

export interface Step {
  step: number;
  /** -1: construction, finish, destruction */
  thread: number;
  operation: string;
  object?: string;
  name?: string;
  type?: string;
  access: 'none' | 'read' | 'write';
  order?: string;
  overridden: boolean;
  before?: string;
  after?: string;
  coherence?: number;
  reads_from?: number;
  stale: boolean;
  file?: string;
  line?: number;
  function?: string;
  calls: Frame[];
  clock: number[];
  note?: string;
}

export type Relation = 'program order' | 'reads-from' | 'from-read' | 'coherence' | 'happens-before';

export interface Link {
  from: number;
  to: number;
  relation: Relation;
  missing: boolean;
  words?: string;
}

export interface Explanation {
  conclusion: string[];
  first?: number;
  second?: number;
  links: Link[];
  /** By step; a step without a letter is folded. */
  letters: Record<string, string>;
  /** The same by the places of the steps in the trace: two of them may have one number. */
  positions?: { first?: number; second?: number; letters: (string | null)[]; links: [number, number][] };
}

/** What a violation is shown by. */
export interface Traced {
  threads?: string[];
  explanation?: Explanation;
  trace?: Step[];
}

export interface Accepted {
  kind: string;
  file: string;
  line: number;
  executions: number;
}

export interface Shortfall {
  of: string;
  element?: string;
  why: string;
}

export interface Checked extends Traced {
  name: string;
  subject: string;
  engine: string;
  model: string;
  verdict: Verdict;
  kind?: string;
  message?: string;
  exists_under?: Models;
  expected: string;
  expected_kind?: string;
  as_expected: boolean;
  explained: boolean;
  limits: string[];
  executions: number;
  blocked: number;
  complete: boolean;
  seconds: number;
  replay?: string;
  /** The line to paste; where it is absent it is made of `replay`. */
  replay_command?: string;
  outcomes: Record<string, number>;
  /** By outcome, the token of an execution that ends with it. */
  outcome_examples?: Record<string, string>;
  /** The execution that was asked for, of one outcome. */
  example?: Traced & { outcome: string; replay: string };
  exhibit: boolean;
  about?: string;
  accepted?: Accepted[];
}

export interface Comparison {
  scenario: string;
  engines: string[];
  agree: boolean;
  verdict: string;
  explained_by: string[];
  message: string;
}

export interface CheckReport {
  version: string;
  scenarios: Checked[];
  comparison?: Comparison[];
  stopped_early: boolean;
  not_begun: number;
  strict?: Shortfall[];
  /** Searches that their time budget ended. */
  cut_short: Shortfall[];
  state_charts?: StateChart[];
  seconds: number;
}

/** The values of a state word and the operations that led from one to the other. */
export interface StateChart {
  subject: string;
  complete: boolean;
  states: { state: string; times: number }[];
  transitions: {
    from: string;
    to: string;
    times: number;
    by: { file: string; line: number; function: string; operation: string };
  }[];
}

export interface ReplayReport extends Traced {
  version: string;
  name: string;
  subject: string;
  engine: string;
  model: string;
  replay: string;
  replay_command?: string;
  overrides: Change[];
  verdict: Verdict;
  kind?: string;
  message?: string;
  exists_under?: Models;
  limits: string[];
}

export interface Change {
  file: string;
  line: number;
  column: number;
  role: string;
  declared?: string;
  position: string;
  order: string;
}

export type Costs = Record<string, { cost: number; instructions: string[] }>;

export type OrderVerdict = 'required' | 'not required' | 'vacuous' | 'undecided' | 'unexercised';

export interface Violation extends Traced {
  scenario?: string;
  kind?: string;
  message?: string;
  exists_under?: Models;
  limits: string[];
  replay?: string;
  replay_command?: string;
}

export interface Tried extends Violation {
  order: string;
  verdict: OrderVerdict;
  note?: string;
  costs: Costs;
  searches: number;
  executions: number;
}

export type SiteVerdict = 'minimal' | 'stronger than needed' | 'vacuous' | 'too weak' | 'undecided' | 'unexercised';

export interface Site {
  file: string;
  line: number;
  column: number;
  function: string;
  operation: string;
  role: string;
  declared: string;
  verdict: SiteVerdict;
  note: string;
  scope?: string;
  reason?: string;
  doubts: string[];
  on_purpose: boolean;
  met_in: string[];
  run_in: string[];
  reads_from: string[];
  read_by: string[];
  stronger?: string;
  costs: Costs;
  weaker: Tried[];
}

export interface JointSite {
  file: string;
  line: number;
  column: number;
  role: string;
  declared: string;
}

export interface Assignment {
  orders: string[];
  weaker_than_written: boolean;
  costs: Costs;
  limits: string[];
}

export interface Joint {
  sites: JointSite[];
  vacuous: number[];
  costs: Costs;
  assignments: Assignment[];
  complete: boolean;
  note?: string;
  all_at_once?: Violation & { changes: Change[] };
}

export interface Repair {
  changes: Change[];
  limits: string[];
}

export interface AuditedScenario extends Traced {
  name: string;
  verdict: Verdict;
  kind?: string;
  message?: string;
  exists_under?: Models;
  as_expected: boolean;
  limits: string[];
  executions: number;
  outcomes: Record<string, number>;
  accepted?: Accepted[];
}

export interface Subject {
  name: string;
  verdict: Verdict;
  kind?: string;
  exhibit: boolean;
  as_expected: boolean;
  searches: number;
  executions: number;
  searches_known: number;
  searches_implied: number;
  seconds: number;
  complete: boolean;
  scope?: string;
  note?: string;
  score?: { injected: number; detected: number; detected_by: Record<string, number> };
  scenarios: AuditedScenario[];
  sites: Site[];
  minimal_assignments: Joint[];
  repairs: Repair[];
}

export interface AuditReport {
  version: string;
  engine: string;
  model: string;
  subjects: Subject[];
  stopped_early: boolean;
  /** Searches that their time budget ended. */
  cut_short: Shortfall[];
  baseline?: {
    file: string;
    differences: { subject: string; what: string; sentence: string }[];
    subjects_left_out: string[];
  };
  strict?: Shortfall[];
  seconds: number;
}

export interface StressOutcome {
  outcome: string;
  samples: number;
  share: number;
  model?: string;
  expected: string;
  rare: boolean;
  sentence?: string;
}

export interface Stressed {
  name: string;
  subject: string;
  samples: number;
  seed: number;
  as_expected: boolean;
  verdict: Verdict;
  kind?: string;
  message?: string;
  seconds: number;
  samples_per_second: number;
  outcomes: StressOutcome[];
  not_shown: string[];
  model?: { engine: string; verdict: Verdict; complete: boolean; limits: string[]; executions: number };
  faults_injected: number;
  faults_survived: number;
  repeat?: string;
}

export interface StressReport {
  version: string;
  scenarios: Stressed[];
  samples: number;
  faults_injected: number;
  faults_survived: number;
  rounds?: number;
  stopped_early: boolean;
  not_begun: number;
  seconds: number;
}

export interface SourceFile {
  count: number;
  parts: { first: number; lines: string[] }[];
}

interface Common {
  program: string;
  asked: [string, string][];
  sources: Record<string, SourceFile>;
}

export type Document =
  | (Common & { command: 'check'; report: CheckReport })
  | (Common & { command: 'replay'; report: ReplayReport })
  | (Common & { command: 'audit'; report: AuditReport })
  | (Common & { command: 'stress'; report: StressReport });
