// Why the door or the table said no, in plain words.

/** @type {Record<string, string>} */
const WORDS = {
  above_maximum: "That is more than the table takes.",
  amount_above_maximum: "That is more than you may add here.",
  bet_pending: "Your bet still waits for its funds.",
  below_minimum: "That is less than the table's minimum.",
  betting_closed: "Bets are closed for this round.",
  box_taken: "Somebody else has that box.",
  boxes_not_adjacent: "Your boxes must be next to one another.",
  double_for_less_not_allowed: "Here a double is for the whole bet.",
  entry_barred: "You may join again when the shoe has been shuffled.",
  even_money_not_allowed: "Even money is not on offer.",
  forbidden: "You may not do that.",
  funds_pending: "Your account is still being asked.",
  hand_closed: "That hand is finished.",
  insufficient_funds: "Your balance does not cover that.",
  insurance_answered: "You have answered that already.",
  insurance_closed: "Insurance is closed.",
  insurance_not_offered: "Insurance is not on offer.",
  invalid_amount: "That amount is not possible.",
  launch_used: "This link was used before. Open the game again.",
  minimum_only: "For now you may bet the minimum only.",
  no_burned_card: "There is no burned card to show.",
  no_answer: "No answer yet. We keep asking.",
  not_a_pair: "Only a pair can be split.",
  not_available: "The casino cannot be reached right now.",
  not_first_two_cards: "That is for the first two cards only.",
  not_found: "There is no such thing here.",
  not_your_box: "That is somebody else's box.",
  not_your_turn: "It is not this hand's turn.",
  round_over: "This round is over.",
  side_above_maximum: "That side bet is more than the table takes.",
  side_below_minimum: "That side bet is less than the minimum.",
  split_limit: "This hand cannot be split again.",
  stale_version: "The table has moved on. Please look again.",
  surrender_after_split: "A split hand cannot be surrendered.",
  surrender_not_allowed: "Surrender is not on offer.",
  switch_closed: "The time to switch is over.",
  switch_not_allowed: "There is no switch in this game.",
  switch_used: "This box has switched already.",
  table_closed: "This table is closed.",
  table_full: "All places at this table are taken.",
  token_expired: "Your session has ended. Open the game again.",
  too_many_boxes: "You have as many boxes as you may have.",
  too_many_requests: "That was too fast. Wait a moment.",
  total_is_21: "21 takes no more cards.",
  unauthenticated: "This link is not valid. Open the game again.",
  version_conflict: "The table has moved on. Please look again.",
  wagers_not_equal: "Both hands of a box take the same bet.",
};

/** @param {{ reason: string, title?: string }} problem */
export function inWords(problem) {
  const plain = problem.title || problem.reason.replaceAll("_", " ");
  return WORDS[problem.reason] ?? `Not possible: ${plain}.`;
}
