import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Report } from '../../src/framework/report.ts'
import type { Outcome } from '../../src/framework/result.ts'
import { statusPage } from '../../src/http/page.ts'
import { nodeResult, roundOf, runOf, vcenterState } from '../outputs/rounds.ts'
import { report, serverOf } from './support.ts'

/** What a browser would show: the page without its tags, with what was escaped. */
function textOf(page: string): string {
  return page
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, ' ')
}

describe('the page', () => {
  it('has a section for each outcome, the worst first', async () => {
    const { body } = await serverOf().inject('/')
    const text = textOf(body)
    const order = [
      'Something is wrong',
      '1 fail 1 warn 1 unknown 2 pass 1 skip 1 suppressed',
      'Checked 2025-03-01 12:00:02 UTC · next 2025-03-01 12:15:00 UTC',
      'vCenters 2',
      'east.example 8.0.3 build 24022515 · vi-json · 7 requests',
      'west.example Nobody answers at west.example.',
      'Failing 1',
      'node/three tidy',
      'Nodes are tidy · vCenter west.example, failure domain fd-west TooOld It is too old. Renew it.',
      'Warnings 1',
      'node/two tidy',
      'Could not be seen 1',
      'node/four tidy',
      'Its disk could not be seen.',
      'Suppressed 1',
      'node/six tidy',
      'Suppressed until 2025-04-01 00:00:00 UTC: is being replaced',
      'Passing 2',
      'shiny node/one Nodes shine',
      'Skipped 1',
      'tidy node/five It runs elsewhere.',
    ]
    const places = order.map((words) => text.indexOf(words))
    expect(order.filter((_, index) => places[index] === -1)).toEqual([])
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  it.each<[Outcome, string]>([
    ['fail', 'Something is wrong'],
    ['warn', 'Something needs attention'],
    ['unknown', 'Not everything could be seen'],
    ['pass', 'All is well'],
    ['skip', 'Nothing was checked'],
  ])('says of %s: %s', (outcome, headline) => {
    const page = statusPage(reportWith('worker-1', outcome), false)
    expect(page).toContain(`<title>${headline} · vSphere problem detector</title>`)
    expect(page).toContain(`<header class="${outcome}">`)
  })

  it('has no section for what there is none of', () => {
    const text = textOf(statusPage(reportWith('worker-1', 'pass'), false))
    for (const heading of ['Failing', 'Warnings', 'Could not be seen', 'Suppressed', 'Skipped']) {
      expect(text).not.toContain(heading)
    }
    expect(text).toContain('Passing 1')
  })

  it('says once what is so of many objects, and names them', () => {
    const results = Array.from({ length: 12 }, (_, i) =>
      nodeResult(`n${i}`, { outcome: 'unknown', unknowns: ['The vCenter is gone.'] }),
    )
    const text = textOf(statusPage(roundOf({ runs: [runOf('tidy', { results })] }).report, false))
    expect(text.split('The vCenter is gone.')).toHaveLength(2)
    expect(text).toMatch(
      /Could not be seen 12 node\/n0, node\/n1, .*node\/n9 tidy and 2 more, all of them: node\/n10, node\/n11/,
    )
  })

  it('says once what differs by the name of the object alone', () => {
    const results = ['n1', 'n2'].map((name) =>
      nodeResult(name, { outcome: 'unknown', unknowns: [`The VM of node ${name} was not found.`] }),
    )
    const page = statusPage(roundOf({ runs: [runOf('tidy', { results })] }).report, false)
    expect(page).toContain('<p class="finding">The VM of node &#60;name&#62; was not found.</p>')
    expect(textOf(page)).toContain('Could not be seen 2 node/n1, node/n2 tidy')
  })

  it('shows a note about what passes', () => {
    const result = nodeResult('n1', { findings: [{ reason: 'Note', severity: 'info', message: 'It is so.' }] })
    expect(textOf(statusPage(roundOf({ runs: [runOf('tidy', { results: [result] })] }).report, false))).toContain(
      'It is so.',
    )
  })

  it('says when it last asked a vCenter that nobody needed, and calls none down that it never asked', () => {
    const about = { version: '8.0.3', apiVersion: '8.0.3.0', build: '24022515', instanceUuid: 'e1' }
    const lastAsked = new Date('2025-03-01T11:45:00.000Z')
    const why = 'Not looked at: no check that ran needs a vCenter.'
    const vcenters = [
      vcenterState('east.example', { about, protocol: 'soap', requests: 0, lastAsked }),
      vcenterState('west.example', { lastAsked: 'never', problem: { kind: 'access-unreadable', message: why } }),
    ]
    const page = statusPage(roundOf({ vcenters }).report, false)
    expect(textOf(page)).toContain('east.example 8.0.3 build 24022515 · soap · last asked 2025-03-01 11:45:00 UTC')
    expect(page).toContain(`<article class="vcenter skip"><h3>west.example</h3>\n<p>${why}</p>`)
  })

  it('says that a round is running instead of when the next one comes', () => {
    expect(textOf(statusPage(report, true))).toContain('UTC · a round is running · JSON')
  })

  it('needs no script, and nothing from elsewhere', () => {
    const page = statusPage(report, false)
    expect(page).not.toMatch(/<script|<style| on\w+=| style=|https?:/)
  })
})

describe('names that somebody else has chosen', () => {
  it.each([
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    '&lt;b&gt;',
    '</title>',
  ])('are shown as they are: %s', (name) => {
    for (const outcome of ['fail', 'warn', 'unknown', 'pass', 'skip'] as const) {
      const page = statusPage(reportWith(name, outcome), false)
      expect(tagsOf(page)).toEqual(tagsOf(statusPage(reportWith('harmless', outcome), false)))
      expect(textOf(page)).toContain(`node/${name}`)
    }
  })

  it('never become part of the page, whatever they are', () => {
    const name = fc.string({
      unit: fc.oneof(fc.constantFrom('<', '>', '"', "'", '&', '/', '`'), fc.string({ minLength: 1, maxLength: 1 })),
    })
    fc.assert(
      fc.property(name, fc.constantFrom<Outcome>('fail', 'warn', 'unknown', 'pass', 'skip'), (hostile, outcome) => {
        const harmless = tagsOf(statusPage(reportWith('harmless', outcome), false))
        expect(tagsOf(statusPage(reportWith(hostile, outcome), false))).toEqual(harmless)
      }),
    )
  })
})

function tagsOf(page: string): string[] {
  return page.match(/<[^>]*>/g) ?? []
}

/** Everything in it that comes from outside bears the name. */
function reportWith(name: string, outcome: Outcome): Report {
  const result = nodeResult(name, {
    title: name,
    vcenter: name,
    failureDomain: name,
    outcome,
    ...(outcome === 'fail' || outcome === 'warn'
      ? { findings: [{ reason: 'TooOld', severity: 'error', message: name, remedy: name }] }
      : {}),
    ...(outcome === 'unknown' ? { unknowns: [name] } : {}),
    ...(outcome === 'skip' ? { skippedBecause: name } : {}),
  })
  const about = { version: name, apiVersion: name, build: name, instanceUuid: name }
  const vcenters = [
    vcenterState(name, { about, protocol: 'vi-json' }),
    vcenterState(name, { problem: { kind: 'unreachable', message: name } }),
  ]
  return roundOf({ runs: [runOf('tidy', { results: [result] })], vcenters }).report
}
