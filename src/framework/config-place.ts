/** Where a configuration is kept: a key of an object in the cluster, or a file of its own. */
export type ConfigPlace =
  | { readonly kind: 'ConfigMap' | 'Secret'; readonly namespace: string; readonly name: string; readonly key: string }
  | { readonly file: string }

/** `ConfigMap openshift-config/cloud-provider-config, key config`, or the name of the file. */
export function placeName(place: ConfigPlace): string {
  if ('file' in place) return place.file
  const { kind, namespace, name, key } = place
  return `${kind} ${namespace === '' ? name : `${namespace}/${name}`}, key ${key}`
}
