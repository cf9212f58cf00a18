import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { inject } from 'vitest'
import { parseAllDocuments } from 'yaml'
import type { Program } from './go-program.ts'

export const chart = new URL('../../../charts/vsphere-problem-detector', import.meta.url).pathname

const folder = new URL('../values/', import.meta.url)

/** The sets of values that everything is tried with. */
export const valueSets = readdirSync(folder).map((file) => file.replace('.yaml', ''))

/** Where changes are proved and it is missing, the set-up has failed already. */
export const hasHelm = !('missing' in inject('helm'))

export interface KubeObject {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: {
    readonly name: string
    readonly namespace?: string
    readonly labels?: Readonly<Record<string, string>>
    readonly annotations?: Readonly<Record<string, string>>
  }
  // Other fields are looked at with `at`.
}

export interface Outcome {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs helm on the chart with values of a set, and further ones over them. */
export function helm(command: readonly string[], set: string, over: object = {}): Outcome {
  const values = new URL(`${set}.yaml`, folder).pathname
  const args = ['--kube-version', '1.36.3', '--namespace', 'vpd-system', '--values', values, '--values', '-']
  return spawnSync(pathOf(inject('helm')), [...command, ...args], { input: JSON.stringify(over), encoding: 'utf8' })
}

/** The objects that the chart makes. */
export function rendered(set: string, over: object = {}): readonly KubeObject[] {
  const { status, stdout, stderr } = helm(['template', 'vpd', chart], set, over)
  if (status !== 0) throw new Error(stderr)
  // Kubernetes reads YAML 1.1, where a bare yes is no text.
  return parseAllDocuments(stdout, { version: '1.1' }).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0]
    const object: unknown = document.toJS()
    return object === null ? [] : [object as KubeObject] // the tests with kubeconform prove that each is one
  })
}

export function ofKind(objects: readonly KubeObject[], kind: string): readonly KubeObject[] {
  return objects.filter((object) => object.kind === kind)
}

/** The one object of a kind. */
export function only(objects: readonly KubeObject[], kind: string): KubeObject {
  const [object, ...others] = ofKind(objects, kind)
  if (object === undefined || others.length > 0) throw new Error(`${others.length + 1} or no objects of kind ${kind}`)
  return object
}

/** What is at `spec.template.spec.containers.0`, say; undefined where there is nothing. */
export function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, key) => {
    return typeof inner === 'object' && inner !== null ? Reflect.get(inner, key) : undefined
  }, value)
}

/** The settings that the daemon gets, as text. */
export function settingsText(objects: readonly KubeObject[]): string {
  const text = ofKind(objects, 'ConfigMap').map((object) => at(object, 'data'))
  const settings = text.flatMap((data) =>
    typeof data === 'object' && data !== null ? Reflect.get(data, 'vpd.yaml') : [],
  )
  return String(settings[0])
}

export function pathOf(program: Program): string {
  if ('missing' in program) throw new Error(program.missing)
  return program.path
}
