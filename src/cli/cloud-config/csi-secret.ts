import { csiConfigPlaces } from '../../cluster/places.ts'
import { blockText } from './block-text.ts'

/** The Secret in which OpenShift, or the driver on plain Kubernetes, keeps the configuration of the CSI driver. */
export function csiSecret(ini: string, isForOpenShift: boolean): string {
  const { namespace, name, key } = csiConfigPlaces[isForOpenShift ? 0 : 1]
  return `apiVersion: v1
kind: Secret
metadata:
  name: ${name}
  namespace: ${namespace}
type: Opaque
stringData:
  ${key}: ${blockText(ini, 4)}`
}
