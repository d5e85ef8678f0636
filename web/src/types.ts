// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is in the page: a report, whose types are those of its schema (../types.mjs), and the sources beside it.
import type { AuditReport, Checked, CheckReport, ReplayReport, StressReport } from './report_types';

export type * from './report_types';

/** What a violation is shown by. */
export type Traced = Pick<Checked, 'threads' | 'explanation' | 'trace'>;

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
