import { spawnSync } from 'node:child_process'
import { describe, expect, inject, it } from 'vitest'
import { chart, hasHelm, helm, type KubeObject, pathOf, rendered, valueSets } from './render.ts'

const itWithHelm = it.skipIf(!hasHelm)

const schemas = inject('kubeSchemas')
const folders = 'folders' in schemas ? schemas.folders : {}
const itWithKubeconform = it.skipIf(!hasHelm || 'missing' in inject('kubeconform') || 'missing' in schemas)

describe.each(valueSets)('with the values %s', (set) => {
  itWithHelm('helm lint has nothing to complain of', () => {
    const { status, stdout, stderr } = helm(['lint', '--strict', chart], set)
    expect(stdout + stderr).not.toMatch(/\[(WARNING|ERROR)\]/)
    expect(status).toBe(0)
  })

  itWithKubeconform('every object is what the oldest and the newest Kubernetes take', () => {
    const objects = rendered(set)
    expect(Object.keys(folders)).toHaveLength(2)
    for (const release of Object.keys(folders)) {
      expect(verdictOn(objects, release)).toEqual({ valid: objects.length, complaints: [] })
    }
  })
})

itWithKubeconform(
  'kubeconform would complain of a field that does not exist, a wrong type and a kind nobody knows',
  () => {
    const object = (kind: string, more: object) => ({ apiVersion: 'v1', kind, metadata: { name: 'a' }, ...more })
    const bad = [
      object('Service', { spec: { portz: [] } }),
      object('ConfigMap', { data: { a: 1 } }),
      object('Gadget', {}),
      {
        ...object('ServiceMonitor', { spec: { selector: {}, endpoints: [{ intervall: '1m' }] } }),
        apiVersion: 'monitoring.coreos.com/v1',
      },
    ]
    for (const release of Object.keys(folders)) {
      const { valid, complaints } = verdictOn(bad, release)
      expect(valid).toBe(0)
      expect(complaints.map((complaint) => complaint.split(':')[0]).sort()).toEqual([
        'ConfigMap a',
        'Gadget a',
        'Service a',
        'ServiceMonitor a',
      ])
    }
  },
)

function verdictOn(objects: readonly KubeObject[], release: string) {
  const location = `${folders[release]}/{{.ResourceKind}}{{.KindSuffix}}.json`
  const { stdout, stderr } = spawnSync(
    pathOf(inject('kubeconform')),
    ['-strict', '-summary', '-output', 'json', '-schema-location', location],
    { input: objects.map((object) => `---\n${JSON.stringify(object)}\n`).join(''), encoding: 'utf8' },
  )
  expect(stderr).toBe('')
  const { resources, summary } = JSON.parse(stdout) as Verdict // the format of -output json
  return { valid: summary.valid, complaints: resources.map(({ kind, name, msg }) => `${kind} ${name}: ${msg}`) }
}

interface Verdict {
  readonly resources: readonly { readonly kind: string; readonly name: string; readonly msg: string }[]
  readonly summary: { readonly valid: number }
}
