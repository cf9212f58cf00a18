import type { Report, ReportedVCenter } from '../framework/report.ts'
import type { Outcome, Result } from '../framework/result.ts'
import { keyOf } from '../framework/subject.ts'
import { type Alike, alike, saidBy } from '../outputs/alike.ts'
import { type Html, html } from './html.ts'

/** The page at `/`: what is wrong, first; what could not be seen; and, folded away, what is fine. */
export function statusPage(report: Report | undefined, isRunning: boolean): string {
  const title = report === undefined ? 'no result yet' : headline[report.summary.outcome]
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="${report === undefined ? 2 : 15}">
<title>${title} · vSphere problem detector</title>
<link rel="stylesheet" href="/assets/page.css">
</head>
<body>
${report === undefined ? waiting() : body(report, isRunning)}
</body>
</html>
`
  return page.text
}

const headline: { readonly [O in Outcome]: string } = {
  fail: 'Something is wrong',
  warn: 'Something needs attention',
  unknown: 'Not everything could be seen',
  pass: 'All is well',
  skip: 'Nothing was checked',
}

function waiting(): Html {
  return html`<header class="unknown"><h1>vSphere problem detector</h1><p class="headline">The first round is running…</p></header>`
}

function body(report: Report, isRunning: boolean): Html {
  const { summary, results } = report
  const open = results.filter((result) => result.suppressed === undefined)
  const section = (heading: string, outcome: Outcome, rows: readonly Result[]) =>
    rows.length > 0 &&
    html`<section><h2>${heading} <span class="count">${rows.length}</span></h2>${alike(rows).map((group) => card(group, outcome))}</section>`
  const pick = (outcome: Outcome) => open.filter((result) => result.outcome === outcome)

  return html`<header class="${summary.outcome}">
<h1>vSphere problem detector</h1>
<p class="headline">${headline[summary.outcome]}</p>
<ul class="counts">${counts(report)}</ul>
<p class="times">Checked <time datetime="${report.finishedAt}">${when(report.finishedAt)}</time>${
    isRunning
      ? ' · a round is running'
      : report.nextRunAt !== undefined &&
        html` · next <time datetime="${report.nextRunAt}">${when(report.nextRunAt)}</time>`
  } · <a href="/status">JSON</a> · <a href="/metrics">metrics</a></p>
</header>
<main>
<section><h2>vCenters <span class="count">${report.vcenters.length}</span></h2><div class="vcenters">${report.vcenters.map(vcenterCard)}</div></section>
${section('Failing', 'fail', pick('fail'))}
${section('Warnings', 'warn', pick('warn'))}
${section('Could not be seen', 'unknown', pick('unknown'))}
${section(
  'Suppressed',
  'skip',
  results.filter((result) => result.suppressed !== undefined),
)}
${fold('Passing', pick('pass'))}
${fold('Skipped', pick('skip'))}
</main>`
}

function counts({ summary }: Report): Html[] {
  const shown = ['fail', 'warn', 'unknown', 'pass', 'skip', 'suppressed'] as const
  return shown
    .filter((name) => summary[name] > 0)
    .map((name) => html`<li class="${name}"><b>${summary[name]}</b> ${name}</li>`)
}

function vcenterCard(vcenter: ReportedVCenter): Html {
  const { name, reachable, version, build, protocol, requests, error, lastAsked } = vcenter
  const state = reachable ? 'pass' : lastAsked === 'never' ? 'skip' : 'fail'
  const asked = lastAsked === undefined || state === 'skip' ? '' : `last asked ${when(lastAsked)}`
  return html`<article class="vcenter ${state}"><h3>${name}</h3>
<p>${reachable ? `${version ?? ''} build ${build ?? ''} · ${protocol ?? ''} · ${asked || `${requests} requests`}` : (error ?? 'Could not be read.')}</p></article>`
}

/** How many objects of which the same is said are named at once. */
const namedAtMost = 10

function card(group: Alike, outcome: Outcome): Html {
  const [result] = group
  const { findings, unknowns } = saidBy(group)
  const names = group.map(({ subject }) => keyOf(subject))
  const more = names.slice(namedAtMost)
  return html`<article class="result ${outcome}">
<h3>${names.slice(0, namedAtMost).join(', ')} <span class="check">${result.check}</span></h3>
${more.length > 0 && html`<details class="more"><summary>and ${more.length} more, all of them:</summary><p>${more.join(', ')}</p></details>`}
<p class="title">Wanted: ${result.title}${place(result)}</p>
${findings.map((finding) => html`<p class="finding"><span class="reason">${finding.reason}</span> ${finding.message}</p>${finding.remedy !== undefined && html`<p class="remedy">${finding.remedy}</p>`}`)}
${unknowns.map((text) => html`<p class="finding">${text}</p>`)}
${result.suppressed !== undefined && html`<p class="remedy">Suppressed${result.suppressed.until !== undefined && ` until ${when(result.suppressed.until)}`}: ${result.suppressed.reason}</p>`}
</article>`
}

function place({ vcenter, failureDomain, subject }: Result): string {
  const parts = [
    ...(vcenter !== undefined && subject.kind !== 'vcenter' ? [`vCenter ${vcenter}`] : []),
    ...(failureDomain !== undefined && subject.kind !== 'failureDomain' ? [`failure domain ${failureDomain}`] : []),
  ]
  return parts.length === 0 ? '' : ` · ${parts.join(', ')}`
}

function fold(heading: string, rows: readonly Result[]): Html | false {
  return (
    rows.length > 0 &&
    html`<details><summary>${heading} <span class="count">${rows.length}</span></summary><table>${rows.map(
      (row) =>
        html`<tr><td>${row.check}</td><td>${keyOf(row.subject)}</td><td>${row.skippedBecause ?? row.title}${row.findings.map(({ message }) => html`<br>${message}`)}</td></tr>`,
    )}</table></details>`
  )
}

function when(iso: string): string {
  return `${iso.slice(0, 10)} ${iso.slice(11, 19)} UTC`
}
