"""The style sheet of a report: light and dark by the reader's choice, and good on paper."""

STYLE = """
:root { color-scheme: light dark; --ink: #1f2933; --soft: #5a6673; --line: #d5dae0;
  --paper: #ffffff; --band: #f4f6f8; --link: #0b5cad; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8ebef; --soft: #a7b1bc; --line: #3a444f; --paper: #12161b; --band: #1b2129;
    --link: #7db8f5; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 2rem 1.25rem 4rem; max-width: 72rem; color: var(--ink);
  background: var(--paper); font: 16px/1.5 system-ui, "Segoe UI", Roboto, Helvetica, Arial,
  "Liberation Sans", sans-serif; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem; }
h2 { font-size: 1.35rem; margin: 2.6rem 0 .5rem; border-bottom: 1px solid var(--line); }
h3 { font-size: 1.08rem; margin: 1.8rem 0 .4rem; }
p, ul { max-width: 46rem; margin: .5rem 0; }
a { color: var(--link); }
nav ul { columns: 2; padding-left: 1.2rem; }
.note { border-left: 4px solid #e69f00; padding: .4rem .8rem; background: var(--band); }
.wide { overflow-x: auto; margin: .8rem 0; }
table { border-collapse: collapse; font-size: .9rem; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding: .3rem 0; }
th, td { padding: .28rem .7rem .28rem 0; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); white-space: pre-wrap; }
th { font-weight: 600; }
thead th { white-space: normal; vertical-align: bottom; }
tbody th { font-weight: normal; min-width: 7rem; }
td.long { overflow-wrap: anywhere; min-width: 16rem; }
td.n, th.n { text-align: right; }
td.n { white-space: nowrap; }
td.gap, .notes, figcaption { color: var(--soft); }
.notes, figcaption { font-size: .85rem; }
.notes { margin-top: -.4rem; }
figure { margin: 1rem 0; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; min-width: 34rem; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
@media print {
  :root { --ink: #000000; --soft: #444444; --line: #bbbbbb; --paper: #ffffff; --band: #ffffff;
    --link: #000000; color-scheme: light; }
  body { max-width: none; padding: 0; font-size: 10pt; }
  nav { display: none; }
  .wide, figure { overflow: visible; }
  table { font-size: 7.5pt; }
  figure svg { min-width: 0; }
  h2, h3, caption { break-after: avoid; }
  figure, tr { break-inside: avoid; }
  thead { display: table-header-group; }
  svg * { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}
"""
