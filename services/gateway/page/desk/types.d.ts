// What the parts of the desk have in common, and what the door sends them.

import type { Offer, Problem, Round, Rules } from "../js/types";

/** Who is signed in, as the door knows it. */
export interface Person {
  name: string;
  role: "viewer" | "resolver" | "admin";
}

/** Paths are those below `/support/v1`; every call may raise `Failed`. */
export interface Api {
  get(path: string): Promise<any>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<any>;
  /** The answer's bytes, and the name that the door gave the file. */
  file(path: string, body?: unknown): Promise<{ name: string; blob: Blob }>;
  /** The same, each look recorded for a case. */
  forCase(id: string): Api;
}

/** What every component on a route of the desk is given; `id` is what the path names. */
export interface DeskProps {
  api: Api;
  person: Person;
  navigate(path: string): void;
  id: string;
}


/** A case in a list. */
export interface CaseRow {
  case: string;
  round_id: string;
  player: string;
  subject: string;
  opened_by: string;
  opened_at: number;
  closed_at: number;
  waiting: number;
}

export interface ProposalTold {
  number: number;
  kind: "void" | "correction";
  standing: "proposed" | "approved" | "rejected" | "done" | "failed";
  by: string;
  at: number;
  player: string;
  currency: string;
  amount_minor: number;
  reason: string;
  threshold_minor: number;
  decided_by: string;
  is_alone: boolean;
  outcome: string;
  why_second: string;
}

export interface CaseEntry {
  at: number;
  what: string;
  who: string;
  proposal: number;
  text: string;
}

/** A look of somebody of support. */
export interface AccessRow {
  record: string;
  at: number;
  person: string;
  role: string;
  what: string;
  about: string;
  case: string;
}

/** A case as it stands. */
export interface CaseTold {
  case: string;
  round_id: string;
  player: string;
  subject: string;
  status: "open" | "closed";
  proposals: ProposalTold[];
  entries: CaseEntry[];
}

/** What the viewer gives besides: the sequence number that is looked at. */
export interface PanelProps extends DeskProps {
  at: number;
}

export interface Header {
  round_id: string;
  table: string;
  number: number;
  status: string;
  currency: string;
  opened_at: number;
  closed_at: number;
  rule_set: string;
  rule_set_digest: string;
  is_same_rules: boolean;
  options: Record<string, unknown>;
  limits: { min_minor: number; max_minor: number; side_min_minor: number };
  engine: string;
  running_engine: string;
  shoe: string;
  shoe_root: string;
  is_shoe_retired: boolean;
  cards_out_before: number;
  cards_out_after: number;
  positions: number[];
}

export interface Seat {
  seat: string;
  player: string;
  boxes: number[];
}

export interface Step {
  sequence: number;
  is_foreign: boolean;
  at: number;
  offset_ms: number;
  service: string;
  log: string;
  partition: number;
  offset: number;
  id: string;
  type: string;
  caused_by: string;
  by: "player" | "timeout" | "system" | "support";
  who: string;
  words: string;
  action: string;
  target: string;
  cards: { place: string; card: string; index: number }[];
  hands: { label: string; total: number; soft: boolean }[];
  offered: Offer[];
  transactions: string[];
  operator_transactions: string[];
  took_ms: number;
  shown: Record<string, Partial<Round>>;
  decided: Partial<Decided>;
  record: any;
}

/** The decider's own view. */
export interface Decided {
  phase: string;
  boxes: {
    box: number;
    player: string;
    hands: {
      label: string;
      cards: string[];
      total: number;
      soft: boolean;
      natural: boolean;
      status: string;
      stake_minor: number;
    }[];
    insurance_minor: number;
  }[];
  dealer: { cards: string[]; total: number; soft: boolean; face_down: boolean };
  offers: Offer[];
  due_at: number;
  pending: string[];
  nets_minor: Record<string, number>;
}

export interface SettledLine {
  sequence: number;
  player: string;
  label: string;
  kind: string;
  stake_minor: number;
  result: string;
  payout_minor: number;
  net_minor: number;
  clauses: string[];
}

export interface Movement {
  sequence: number;
  id: string;
  what: string;
  debit: string;
  credit: string;
  amount_minor: number;
  balance_minor: number;
}

export interface Call {
  sequence: number;
  id: string;
  kind: string;
  amount_minor: number;
  outcome: string;
  operator_transaction: string;
  operator_balance_minor: number;
  attempts: { sequence: number; at: number; number: number; outcome: string; reason: string; record: any }[];
}

export interface Purse {
  player: string;
  before_minor: number | null;
  net_minor: number;
  other_minor: number;
  owed_minor: number;
  after_minor: number | null;
  is_operators: boolean;
  movements: Movement[];
  calls: Call[];
}

export interface PutRight {
  sequence: number;
  player: string;
  amount_minor: number;
  case: string;
  proposal: number;
  proposed_by: string;
  approved_by: string;
  outcome: "posted" | "refused" | "awaited";
  before_minor: number | null;
  after_minor: number | null;
  calls: Call[];
}

export interface Gap {
  kind: "missing" | "repeated" | "late";
  sequence: number;
  record: string;
  text: string;
}

export interface Replay {
  watermark: string;
  is_whole: boolean;
  header: Header;
  rules: Rules;
  seats: Seat[];
  perspectives: string[];
  steps: Step[];
  lines: SettledLine[];
  clauses: Record<string, string>;
  purses: Purse[];
  put_right: PutRight[];
  gaps: Gap[];
  script: string;
}

/** A stretch of a log, of what the panel of checkpoints needs. */
export interface ChainTold {
  service: string;
  partition: number;
  own: number;
  uncovered: number;
}

export interface CheckpointTold {
  service: string;
  partition: number;
  since: number;
  offset: number;
  own: number;
  made_at: number;
  fingerprint: string;
  key_id: string;
  key_since: number;
  key_until: number;
  verdict: string;
  text: string;
}

export interface RoundVerdict {
  chains: ChainTold[];
  checkpoints: CheckpointTold[];
}

/** A round as it stood after an event: before whose eyes, and for the decider. */
export interface Frame {
  sequence: number;
  steps: Step[];
  shown: Record<string, Round>;
  decided: Decided | null;
  cardsOut: number;
}

/** Through whose eyes: the table's, the whole record's, or a seat's. */
export type Perspective = "table" | "record" | (string & {});

export type { Problem, Round };
