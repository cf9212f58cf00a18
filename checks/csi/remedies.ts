import { type ConfigPlace, cloudConfigName, placeName } from '../../src/framework/check.ts'

/** What to do about the CSI driver's configuration, depending on who writes it. */
export interface CsiRemedies {
  readonly isWrittenByOperator: boolean
  readonly broken: string
  /** The name of the cloud config's place. */
  readonly cloudConfig: string
  /** What to do where a line is missing, or one too many, or wrong. */
  edit(change: string, onOpenShift: string): string
}

/** The operator of OpenShift overwrites what is edited in its secret, so there the sources of it are to be mended. */
export function csiRemedies(place: ConfigPlace | undefined, ofCloudConfig: ConfigPlace | undefined): CsiRemedies {
  const where = place === undefined ? "the CSI driver's configuration" : placeName(place)
  const cloudConfig = cloudConfigName(ofCloudConfig)
  const written = `the storage operator of OpenShift writes ${where}.`
  if (place !== undefined && 'namespace' in place && place.namespace === 'openshift-cluster-csi-drivers')
    return {
      isWrittenByOperator: true,
      cloudConfig,
      broken: `Correct what it is made from: Infrastructure/cluster, ${cloudConfig}, and Secret kube-system/vsphere-creds; ${written}`,
      edit: (_, onOpenShift) => `${onOpenShift}; ${written}`,
    }
  return {
    isWrittenByOperator: false,
    cloudConfig,
    broken: `Correct ${where}, or let "vpd config render csi" write it anew.`,
    edit: (change) => `${change} in ${where}; "vpd config render csi" prints the whole file.`,
  }
}

/** Where what the operator of OpenShift writes its secret from is right, it says itself what keeps it from writing. */
export function seeWhy(what: string): string {
  return `See with "oc describe clusteroperator storage" why ${what}`
}
