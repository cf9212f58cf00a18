import { isDeepStrictEqual } from 'node:util'
import {
  CloudConfigError,
  type CloudConfigReason,
  type CsiConfig,
  type CsiIniInput,
  type CsiIniVCenter,
  readCsiConfig,
  writeCsiIni,
} from '../../cloud-config/index.ts'
import { UsageError } from '../../usage-error.ts'

/** The INI, read back as the driver reads it before anybody else gets to see it. */
export function csiIniOf(wanted: CsiIniInput, isOpenShift: boolean): string {
  const advice = isOpenShift ? onOpenShift : elsewhere
  for (const [server, vcenter] of wanted.vcenters)
    understood(() => writeCsiIni({ ...wanted, vcenters: new Map([[server, vcenter]]) }), advice, `vCenter ${server}: `)
  const ini = understood(() => writeCsiIni(wanted), advice)
  const different = differenceBetween(
    wanted,
    understood(() => readCsiConfig(ini), advice),
  )
  if (different !== undefined)
    throw new UsageError(`The CSI driver would not read ${different} as it is; nothing is printed.`)
  return ini
}

function understood<T>(run: () => T, advice: Advice, who = ''): T {
  try {
    return run()
  } catch (error) {
    // Its position is one in a text that nobody has seen.
    if (error instanceof CloudConfigError)
      throw new UsageError(
        `The CSI driver would refuse the result: ${who}${error.message}${advice[error.reason] ?? ''}.`,
      )
    throw error
  }
}

type Advice = Partial<Record<CloudConfigReason, string>>

const elsewhere: Advice = {
  'topology-required':
    '; they come from the labels region and zone of the cloud config: set both to the names of their tag categories',
  'cluster-id-too-long': '; give another with --cluster-id',
  'username-invalid': '; correct it where its login is kept',
}

const onOpenShift: Advice = {
  ...elsewhere,
  'topology-required':
    '; with more than one failure domain in Infrastructure they are set, otherwise they come from --cluster-csi-driver',
}

/** What was lost on the way, in words without its value. */
function differenceBetween(wanted: CsiIniInput, read: CsiConfig): string | undefined {
  if (wanted.clusterId !== read.clusterId) return 'the cluster id'
  const categories = wanted.labels?.topologyCategories ?? []
  if (!isDeepStrictEqual(categories, read.labels.topologyCategories)) return 'the topology categories'
  const { globalMax, vsan = 0, vvol = 0 } = wanted.snapshot ?? {}
  if (!isDeepStrictEqual({ globalMax: globalMax || 3, vsan, vvol }, read.snapshot)) return 'the snapshot limits'
  if (!isDeepStrictEqual([...wanted.vcenters.keys()].sort(), [...read.vcenters.keys()].sort())) return 'the vCenters'
  for (const [server, vcenter] of wanted.vcenters) {
    const back: CsiIniVCenter | undefined = read.vcenters.get(server)
    // An entry of a CsiIniVCenter is named by one of its keys.
    for (const [name, value] of Object.entries(vcenter))
      if (!isDeepStrictEqual(value, back?.[name as keyof CsiIniVCenter])) return `${name} of vCenter ${server}`
  }
  return undefined
}
