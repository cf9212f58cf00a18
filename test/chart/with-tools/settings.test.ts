import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parse } from 'yaml'
import { loadSettings, servingProblems } from '../../../src/config/index.ts'
import { yamlExamples } from '../examples.ts'
import { hasHelm, rendered, settingsText, valueSets } from './render.ts'

const itWithHelm = it.skipIf(!hasHelm)

const withSettings = valueSets.filter((set) => set !== 'existing-config')

itWithHelm.each(withSettings)('the daemon accepts the settings that come of the values %s', (set) => {
  const loaded = loadSettings({ file: fileOf(settingsText(rendered(set))), env: {} })
  expect(servingProblems(loaded)).toEqual([])
  expect(loaded.settings).toMatchObject({ leaderElection: { enabled: true }, events: { enabled: true } })
})

itWithHelm('the daemon accepts what docs/deploy.md shows', () => {
  const examples = yamlExamples(readFileSync(new URL('../../../docs/deploy.md', import.meta.url), 'utf8'))
  for (const example of examples) {
    const text = settingsText(rendered('kubernetes', parse(example)))
    expect(() => loadSettings({ file: fileOf(text), env: {} }), example).not.toThrow()
  }
})

itWithHelm('without values they say how the daemon lives in a cluster', () => {
  expect(parse(settingsText(rendered('kubernetes')))).toEqual({
    source: 'kubernetes',
    http: { host: '0.0.0.0', port: 8080, auth: 'kubernetes' },
    leaderElection: { enabled: true, name: 'vpd-vsphere-problem-detector' },
    events: { enabled: true, memory: 'vpd-vsphere-problem-detector-events' },
    log: { format: 'json' },
  })
})

itWithHelm.each([
  ['config', { config: null }],
  ['config.http', { config: { http: null } }],
  ['config.http.auth and .host', { config: { http: { auth: null, host: null } } }],
  ['config.leaderElection', { replicaCount: 2, config: { leaderElection: null } }],
  ['config.events', { config: { events: null } }],
])('an emptied %s leaves the daemon what a pod needs', (_what, values) => {
  const { log: _, ...settings } = parse(settingsText(rendered('kubernetes', values)))
  const { log: __, ...usual } = parse(settingsText(rendered('kubernetes')))
  expect(settings).toEqual(usual)
})

itWithHelm('what is switched off stays so', () => {
  const off = { leaderElection: { enabled: false }, events: { enabled: false }, http: { auth: 'none' } }
  expect(parse(settingsText(rendered('kubernetes', { config: off })))).toMatchObject(off)
})

itWithHelm('with TLS and a CA bundle they name the mounted files', () => {
  const settings = parse(settingsText(rendered('everything')))
  expect(settings.http.tls).toEqual({ certFile: '/etc/vpd/tls/tls.crt', keyFile: '/etc/vpd/tls/tls.key' })
  expect(settings.vsphere).toEqual({ caFile: '/etc/vpd/ca/ca-bundle.crt' })
  expect(settings.leaderElection).toEqual({ enabled: true, name: 'storage-detector' })
})

function fileOf(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'vpd-chart-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'vpd.yaml')
  writeFileSync(file, text)
  return file
}
