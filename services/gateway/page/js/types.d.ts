// What the door sends (docs/gateway.md), and what the page holds.

export interface Hand {
  label: string;
  cards: string[];
  total: number;
  soft: boolean;
  status: "playing" | "stood" | "bust" | "surrendered" | "even_money";
  switched: boolean;
  doubled_minor: number;
}

export interface Box {
  box: number;
  seat: string;
  pending: boolean;
  ready: boolean;
  wagers_minor: number[];
  side_wagers_minor: Record<string, number>;
  hands: Hand[];
  insurance: Record<string, number>;
}

export interface Option {
  action: string;
  min_minor: number;
  max_minor: number;
}

export interface Offer {
  target: string;
  box: number;
  due: boolean;
  options: Option[];
}

export interface Decision {
  number: number;
  kind: string;
  due_at: number;
  offers: Offer[];
}

export interface Line {
  seat: string;
  label: string;
  kind: string;
  stake_minor: number;
  result: string;
  payout_minor: number;
  clauses: string[];
}

export interface Round {
  round_id: string;
  number: number;
  version: number;
  phase:
    | "betting"
    | "seeds"
    | "dealing"
    | "insurance"
    | "turn"
    | "dealer"
    | "settling"
    | "closed";
  boxes: Box[];
  dealer: { cards: string[]; total: number; soft: boolean };
  decision: Decision | null;
  waiting: { target: string; action: string; amount_minor: number }[];
  lines: Line[];
  burned_card: string;
  status: string;
  not_before: number;
}

export interface View {
  table: string;
  status: "open" | "closed";
  rule_set: string;
  currency: string;
  limits: { min_minor: number; max_minor: number; side_min_minor: number };
  timings: Record<string, number>;
  shoe: { id: string; root: string; cards_out: number } | null;
  round: Round | null;
}

export interface Happened {
  what: string;
  at: number;
  by: string;
  target: string;
  seat: string;
}

export interface You {
  player: string;
  currency: string;
  balance_minor: number;
  seats: Record<string, string>;
  refusals: { round_id: string; target: string; reason: string }[];
}

export interface Rules {
  rule_set: string;
  title: string;
  decks: number;
  boxes: number;
  boxes_per_player: number;
  hands_per_box: number;
  wagers: number;
  side: {
    name: string;
    title: string;
    pays: Record<string, number>;
    min_minor: number;
    max_minor: number;
  } | null;
  limits: { min_minor: number; max_minor: number; side_min_minor: number };
  switched_natural: boolean;
  actions: string[];
  felt: string[];
  text: string[];
  returns: string[];
}

export interface Session {
  session_token: string;
  expires_at: number;
  player: string;
  currency: string;
  table: string;
}

export interface Problem {
  id?: string;
  status: number;
  reason: string;
  title: string;
  detail: string;
}

export interface Answer {
  accepted: boolean;
  problem?: Problem;
}

/** One amount for each main wager that is placed by itself: one for a box's hands. */
export type Bet = { wagers: number[]; side: number };
export type Bets = Record<number, Bet>;

export type Panel = "" | "rules" | "history" | "fairness" | "settings";

export interface Settings {
  fourColours: boolean;
  keys: boolean;
  seeds: boolean;
}

export interface State {
  /** A round is looked at again: nothing on the felt can be done. */
  replay?: boolean;
  session: Session | null;
  connection: "connecting" | "live" | "lost" | "elsewhere" | "ended";
  tables: { table: string; rule_set: string; phase: string; seats: number; returns: string[] }[] | null;
  table: string;
  view: View | null;
  rules: Rules | null;
  you: You | null;
  bets: Bets;
  betsOf: string;
  chip: number;
  target: string;
  amount: string;
  busy: boolean;
  note: string;
  held: { round: Round; seat: string } | null;
  last: string;
  panel: Panel;
  panelRound: string;
  settings: Settings;
  skewMs: number;
  startedAt: number;
  startBalance: number | null;
}

export interface DealtCard {
  place: string;
  index: number;
  leaf: string;
  card?: string;
  salt?: string;
  proof?: string[];
  order?: number;
}

export interface ShoeEvent {
  type: string;
  shoe: string;
  round_id: string;
  index?: number;
  leaf?: string;
  order?: number;
  cards?: DealtCard[] | number;
  card?: DealtCard;
  root?: string;
  cards_out?: number;
}

export interface ShoeRecord {
  format: string;
  shoe_committed: {
    shoe: string;
    decks: number;
    root: string;
    algorithm: string;
    demonstration?: boolean;
  };
  shoe_cut: {
    cut: number;
    shares?: { box: number; seed_hash: string; seed?: string }[];
  } | null;
  dealt: ShoeEvent[];
}

export interface CheckedCard {
  place: string;
  card: string;
  index: number;
  order: number;
  verdict: "proved" | "refuted" | "face down" | "burned";
  why: string;
}
