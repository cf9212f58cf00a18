import { blockText } from './block-text.ts'

/** The Secret in which OpenShift keeps the configuration of the CSI driver. */
export function csiSecret(ini: string): string {
  return `apiVersion: v1
kind: Secret
metadata:
  name: vsphere-csi-config-secret
  namespace: openshift-cluster-csi-drivers
type: Opaque
stringData:
  cloud.conf: ${blockText(ini, 4)}`
}
