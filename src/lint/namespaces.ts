/** The namespace of an object that leaves it out, as the parts of a kustomization do, where its name tells. */
export function usualNamespace(kind: string, name: string): string {
  const names = Object.hasOwn(usual, kind) ? usual[kind] : undefined
  return names !== undefined && Object.hasOwn(names, name) ? (names[name] ?? '') : ''
}

const usual: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ConfigMap: {
    'cloud-provider-config': 'openshift-config',
    'vsphere-cloud-config': 'kube-system',
  },
  Secret: {
    'vsphere-creds': 'kube-system',
    'vsphere-cloud-secret': 'kube-system',
    'vmware-vsphere-cloud-credentials': 'openshift-cluster-csi-drivers',
    'vsphere-csi-config-secret': 'openshift-cluster-csi-drivers',
    'vsphere-config-secret': 'vmware-system-csi',
  },
}
