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

/** The cloud config in a remedy: where it was found, else where Infrastructure says that it is. */
export function cloudConfigName(
  place: ConfigPlace | undefined,
  told?: { readonly name: string; readonly key: string },
): string {
  if (place !== undefined) return placeName(place)
  return told ? placeName({ kind: 'ConfigMap', namespace: 'openshift-config', ...told }) : 'the cloud config'
}
