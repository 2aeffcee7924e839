// The rounds that were found, as a table.

import { money, signed } from "../js/money.js";
import { html } from "../vendor/htm-preact.js";

/** @typedef {{ player: string, staked_minor: number, paid_minor: number, net_minor: number }} Seat */
/** @typedef {{ round_id: string, table: string, rule_set: string, currency: string, status: string, is_interrupted: boolean, opened_at: number, closed_at: number, seats: Seat[] }} Row */

/** UTC, to the second. @param {number} micros */
export function utc(micros) {
  return new Date(micros / 1000).toISOString().slice(0, 19).replace("T", " ");
}

/** @param {number} minor */
function tone(minor) {
  return minor > 0 ? "good" : minor < 0 ? "bad" : "even";
}

/** @param {{ seat: Seat | undefined, row: Row }} props */
function SeatCells({ seat, row }) {
  if (!seat) return html`<td colspan="4" class="small">nobody has bet</td>`;
  const { currency } = row;
  const net = row.closed_at ? signed(seat.net_minor, currency) : "";
  return html`<td>${seat.player}</td>
    <td class="number">${money(seat.staked_minor, currency)}</td>
    <td class="number">${money(seat.paid_minor, currency)}</td>
    <td class=${`number ${tone(seat.net_minor)}`}>${net}</td>`;
}

/** @param {{ row: Row }} props */
function Round({ row }) {
  const [first, ...others] = row.seats;
  const span = Math.max(row.seats.length, 1);
  const mark = row.is_interrupted ? html` <span class="mark">interrupted</span>` : "";
  return html`<tbody>
    <tr>
      <td rowspan=${span} class="number"><time datetime=${`${utc(row.opened_at).replace(" ", "T")}Z`}>${utc(row.opened_at)}</time></td>
      <th rowspan=${span} scope="rowgroup"><a href=${`/desk/rounds/${row.round_id}`}>${row.round_id}</a></th>
      <td rowspan=${span}>${row.status}${mark}</td>
      <${SeatCells} seat=${first} row=${row} />
      <td rowspan=${span}>${row.rule_set}</td>
    </tr>
    ${others.map((seat) => html`<tr key=${seat.player}><${SeatCells} seat=${seat} row=${row} /></tr>`)}
  </tbody>`;
}

/** @param {{ rows: Row[] }} props */
export function Rows({ rows }) {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Rounds found">
    <table class="found">
      <caption class="unseen">Rounds, newest first</caption>
      <thead><tr><th scope="col">Opened (UTC)</th><th scope="col">Round</th><th scope="col">Status</th>
        <th scope="col">Player</th><th scope="col" class="number">Staked</th><th scope="col" class="number">Paid</th>
        <th scope="col" class="number">Net</th><th scope="col">Rule set</th></tr></thead>
      ${rows.map((row) => html`<${Round} key=${row.round_id} row=${row} />`)}
    </table>
  </div>`;
}
