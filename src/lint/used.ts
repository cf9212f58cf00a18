import { driver } from '../cluster/further-manifests.ts'
import { type ManifestObject, titleOf } from '../manifest-files/manifest-objects.ts'
import { isEncrypted, isLookedAt, keyOf } from './gather.ts'
import type { Recognised } from './recognise.ts'
import type { LintWorld } from './world.ts'

/** Whether anything in a file was judged. */
export function isUsed({ objects, installConfigs, config }: Recognised, world: LintWorld): boolean {
  return config !== undefined || installConfigs.length > 0 || objects.some((object) => isJudged(object, world))
}

/** What a file was taken for, in words. */
export function takenFor({ objects, installConfigs, config }: Recognised, world: LintWorld): string {
  const parts = [
    ...(config === undefined ? [] : [config === 'csi' ? "the CSI driver's configuration" : 'the cloud config']),
    ...installConfigs.map(() => 'an install-config'),
    ...objects.map((object) => `${titleOf(object)}${isJudged(object, world) ? '' : ` (${whyNot(object, world)})`}`),
  ]
  return parts.join(', ') || 'nothing that is known here'
}

function isJudged(object: ManifestObject, world: LintWorld): boolean {
  const { kind, namespace, name } = object
  if (!isLookedAt(object) || isEncrypted(object) || world.objects.get(keyOf(object)) !== object) return false
  const isConfig = world.cloudConfig.place?.object === object || world.csiConfig.place?.object === object
  if (kind === 'ConfigMap') return isConfig
  if (kind === 'Secret') return isConfig || world.secretPlaces.has(`${namespace}/${name}`)
  const only = Object.hasOwn(names, kind) ? names[kind] : undefined
  return only === undefined || only === name
}

/** Of some kinds only one object matters. */
const names: Readonly<Record<string, string>> = {
  Infrastructure: 'cluster',
  FeatureGate: 'cluster',
  CSIDriver: driver,
  ClusterCSIDriver: driver,
}

function whyNot(object: ManifestObject, { objects }: LintWorld): string {
  if (!isLookedAt(object)) return 'no check looks at it'
  if (isEncrypted(object)) return 'encrypted'
  const other = objects.get(keyOf(object))
  return other === object || other === undefined ? 'no check looks at it' : `${other.file.name} has it too`
}
