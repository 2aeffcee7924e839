"""The report's looks, inline: it is one file and asks nothing of the network."""

STYLE = """
:root { --ink: #1a2230; --soft: #5a6475; --rule: #d5dae2; --tint: #f4f6f9;
  --blue: #1f5f9e; --band: #b9d2ea; --green: #dff0e0; --mark: #8a1f2b; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 40px 32px; max-width: 960px; color: var(--ink);
  background: #fff; font: 15px/1.5 system-ui, "Segoe UI", "Liberation Sans", Arial,
  sans-serif; }
header { border-bottom: 3px solid var(--ink); padding-bottom: 14px; }
header p { margin: 0; color: var(--soft); }
h1 { margin: 0 0 2px; font-size: 30px; line-height: 1.2; }
h2 { margin: 36px 0 10px; font-size: 19px; border-bottom: 1px solid var(--rule);
  padding-bottom: 4px; }
p { margin: 8px 0; max-width: 78ch; }
table { border-collapse: collapse; width: 100%; margin: 12px 0;
  font-variant-numeric: tabular-nums; }
th, td { padding: 4px 10px; border-bottom: 1px solid var(--rule); }
.facts th { text-align: left; font-weight: 400; color: var(--soft); width: 13em;
  vertical-align: top; padding-left: 0; }
.fixed td { font-family: ui-monospace, "Liberation Mono", Consolas, monospace;
  font-size: 13px; overflow-wrap: anywhere; }
.grid { font-size: 14px; }
.grid th[scope=col] { text-align: right; font-weight: 600; background: var(--tint);
  border-bottom: 1px solid var(--soft); }
.grid th:first-child { text-align: left; padding-left: 8px; white-space: nowrap; }
.grid tr:not(.sum) th[scope=row] { font-weight: 400; }
.grid td { text-align: right; white-space: nowrap; }
.grid .sum > * { font-weight: 600; border-top: 1px solid var(--soft); }
.tiles { display: flex; gap: 12px; margin: 20px 0 4px; }
.tiles div { flex: 1; background: var(--tint); border-left: 4px solid var(--blue);
  padding: 10px 14px; }
.tiles span { display: block; color: var(--soft); font-size: 13px; }
.tiles strong { display: block; font-size: 23px; line-height: 1.35;
  font-variant-numeric: tabular-nums; white-space: nowrap; }
figure { margin: 16px 0; }
figcaption { color: var(--soft); font-size: 13px; margin-top: 4px; }
figcaption b { display: inline-block; width: 22px; height: 10px; margin: 0 4px 0 10px;
  border: 1px solid var(--rule); }
figcaption b.key-line { background: var(--blue); height: 3px; vertical-align: middle;
  border: 0; }
figcaption b.key-band { background: var(--band); }
figcaption b.key-accepted { background: var(--green); }
svg { display: block; width: 100%; height: auto; }
svg text { font-size: 12px; fill: var(--soft); }
svg .grid { stroke: var(--rule); }
svg .axis { stroke: var(--soft); }
svg .accepted { fill: var(--green); }
svg .band { fill: var(--band); fill-opacity: .7; }
svg .line { fill: none; stroke: var(--blue); stroke-width: 2;
  stroke-linejoin: round; }
svg .bar { fill: var(--blue); }
footer { margin-top: 40px; border-top: 1px solid var(--rule); padding-top: 8px;
  color: var(--soft); font-size: 13px; }
code { font-family: ui-monospace, "Liberation Mono", Consolas, monospace;
  font-size: 13px; }
@page { size: A4; margin: 16mm 14mm; }
@media print {
  body { padding: 0; max-width: none; font-size: 11px; }
  h1 { font-size: 22px; } h2 { font-size: 15px; margin-top: 22px; }
  .grid { font-size: 10px; } .fixed td, code { font-size: 9.5px; }
  th, td { padding: 2px 6px; }
  .tiles strong { font-size: 17px; }
  .tiles span, figcaption, footer { font-size: 10px; }
  figure, table, .tiles { break-inside: avoid; } h2 { break-after: avoid; }
  * { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
}
"""
