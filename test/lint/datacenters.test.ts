import { expect, it } from 'vitest'
import { aFolder } from '../support/files.ts'
import { vpd } from '../support/io.ts'
import { aConfigMap, anInfrastructure, aSecret, aYaml, logins } from './support.ts'

it.each([
  ['DC0', 'DC0', true],
  ['DC0', '/folder/DC0', true],
  ['/folder/DC0', 'DC0', true],
  ['/a/DC0', '/b/DC0', false],
  ['DC0', 'DC1', false],
])('lint and render agree on whether %j is in the list %j: %j', async (datacenter, listed, isThere) => {
  const folder = aFolder({
    'infra.yaml': `${anInfrastructure({ vc1: [datacenter] }, { east: ['vc1', datacenter] })}status: {infrastructureName: c}\n`,
    'cm.yaml': aConfigMap(aYaml({ vc1: [listed] })),
    'creds.yaml': aSecret(logins('vc1')),
  })
  const { stdout: csi, stderr } = await vpd([
    ...['config', 'render', 'csi', '--format', 'ini', '--cloud-config', `${folder}/cm.yaml`],
    ...['--infrastructure', `${folder}/infra.yaml`, '--credentials', `${folder}/creds.yaml`],
  ])
  expect(!stderr.includes('failure domain east is in datacenter')).toBe(isThere)

  const files = ['infra.yaml', 'cm.yaml'].map((name) => `${folder}/${name}`)
  const { stdout } = await vpd(['lint', '-', ...files], {}, { stdin: csi })
  expect(!stdout.includes('[datacenter-consistency/DatacenterMissingFromCloudConfig]')).toBe(isThere)
  expect(!stdout.includes('[csi-config/DatacenterMissingFromCsiConfig]')).toBe(isThere)
})
