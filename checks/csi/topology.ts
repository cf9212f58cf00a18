import type { CsiConfig, Finding, WantedCategories } from '../../src/framework/check.ts'
import { type CsiRemedies, seeWhy } from './remedies.ts'

/** Whether the CSI driver's configuration has the categories; in which order it names them means nothing here. */
export function* csiTopologyFindings(
  { labels, vcenters }: CsiConfig,
  wanted: WantedCategories | undefined,
  { edit, isWrittenByOperator, cloudConfig }: CsiRemedies,
): Iterable<Finding> {
  if (wanted === undefined) return
  const { namedBy, categories } = wanted
  const written = [...labels.topologyCategories, labels.region, labels.zone].filter((name) => name !== '')
  const missing = categories.filter((name) => !written.includes(name))
  const isSurplus = written.some((name) => !categories.includes(name))
  const { said, effect } = wordsFor[namedBy](categories.join(', '))
  const setting = `topology-categories = "${categories.join(',')}"`
  const instead = labels.region === '' && labels.zone === '' ? '' : ' instead of region and zone'
  const source = { object: 'csiConfig', path: ['labels', 'topologyCategories'] }
  if (written.length === 0) {
    // Nobody is obliged to have zones for volumes because nodes have them.
    if (missing.length === 0 || namedBy === 'cloud config') return
    yield {
      reason: 'TopologyCategoriesMissing',
      message: `${said}, but the CSI driver's configuration has no topology-categories, so volumes ignore zones${vcenters.size > 1 ? ' and the driver refuses several vCenters' : ''}.`,
      remedy: edit(`Add ${setting} to the section [Labels]`, seeWhy('they are not written')),
      source,
    }
    // Who writes the file by hand may go by more categories than those.
  } else if (missing.length > 0 || (isSurplus && isWrittenByOperator)) {
    yield {
      reason: 'TopologyCategoriesDiffer',
      severity: missing.length > 0 && namedBy !== 'cloud config' ? 'error' : 'warning',
      message: `${said}, but the CSI driver's configuration has ${written.join(', ')}${effect}.`,
      remedy: edit(
        namedBy === 'cloud config'
          ? `Correct the labels region and zone of ${cloudConfig}, or write ${setting} into the section [Labels]${instead}`
          : `Write ${setting} into the section [Labels]${instead}`,
        seeWhy('others are written'),
      ),
      source,
    }
  }
}

type Words = (categories: string) => { readonly said: string; readonly effect: string }

const wordsFor: Readonly<Record<WantedCategories['namedBy'], Words>> = {
  'Infrastructure': (categories) => ({
    said: `There are several failure domains, whose topology categories are ${categories}`,
    effect: ', so volumes do not follow the failure domains',
  }),
  'ClusterCSIDriver': (categories) => ({
    said: `ClusterCSIDriver/csi.vsphere.vmware.com names ${categories === '' ? 'no topology categories' : `the topology categories ${categories}`}`,
    effect: '',
  }),
  'cloud config': (categories) => ({
    said: `The cloud config labels nodes by the categories ${categories}`,
    effect: ', so volumes follow other tags than nodes do',
  }),
}
