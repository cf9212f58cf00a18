import {
  atLine,
  type CloudConfigWarning,
  cloudConfigName,
  defineCheck,
  type Finding,
  type Infrastructure,
  type Read,
} from '../src/framework/check.ts'

export const cloudConfigFormat = defineCheck({
  id: 'cloud-config-format',
  title: 'Cloud config can be read and says what was meant',
  help: `The cloud provider ignores keys that it does not know, so a slip of the pen has no effect and makes no noise. It reads YAML
and, if that fails, INI, and then only shows the error of the second attempt. This check shows both, and every key that is
written in vain, with its line.

\`vpd config show FILE\` prints what the cloud provider sees; \`vpd config migrate FILE\` turns INI into YAML. Option
\`adviseMigration: false\` is silent about INI.`,
  scope: 'cluster',
  severity: 'warning',
  needs: { cloudConfig: 'even-if-broken', kubeIfThere: ['infrastructure'] },
  options: { adviseMigration: true },

  *run({ cloudConfig, kubeIfThere: { infrastructure }, places, options }) {
    const where = cloudConfigName(places.cloudConfig)
    if ('state' in cloudConfig) {
      yield {
        reason: 'CloudConfigBroken',
        severity: 'error',
        message: cloudConfig.why,
        remedy:
          cloudConfig.remedy ??
          `Correct ${where}${cloudConfig.line === undefined ? '' : ' at the place named'}; "vpd config show" tells when the cloud provider can read it.`,
        source: { object: 'cloudConfig', path: [] },
      }
    }
    for (const warning of cloudConfig.warnings ?? [])
      if (isToldHere(warning, infrastructure, 'state' in cloudConfig)) yield findingOf(warning, where)
    if ('state' in cloudConfig) return
    if (cloudConfig.format === 'ini' && options.adviseMigration) {
      yield {
        reason: 'IniDeprecated',
        severity: 'info',
        message: 'The cloud config is INI, which cannot hold several vCenters for every component.',
        remedy: `"vpd config migrate FILE" prints ${where} as YAML.`,
        source: { object: 'cloudConfig', path: [] },
      }
    }
  },
})

function isToldHere(
  { on, entry, hides }: CloudConfigWarning,
  infrastructure: Read<Infrastructure>,
  isBroken: boolean,
): boolean {
  if (infrastructure.state !== 'read') return on !== 'OpenShift'
  const { vcenters, failureDomains } = infrastructure.value
  // OpenShift looks into [Workspace] for the failure domain that Infrastructure does not declare.
  if (hides === 'workspace') return failureDomains.length === 0
  // Of an entry that Infrastructure does not list, infra-cloud-config says how it is to be called.
  const isListed = vcenters.length === 0 || vcenters.some(({ server }) => server === entry)
  return entry === undefined || isListed || isBroken
}

function findingOf(warning: CloudConfigWarning, where: string): Finding {
  const { line, column, repeats, hides } = warning
  const seen = { message: atLine(warning), source: { object: 'cloudConfig', path: [line, column] } }
  if (hides === 'workspace')
    return {
      ...seen,
      reason: 'WorkspaceNotSeen',
      remedy: `Add vcenters and failureDomains to spec.platformSpec.vsphere of Infrastructure/cluster; "vpd config migrate" prints those that the [Workspace] of ${where} stands for.`,
    }
  if (repeats === 'server')
    return {
      ...seen,
      reason: 'VCenterGivenTwice',
      remedy: `Keep one of the two entries in ${where}; "vpd config show" tells what the cloud provider sees.`,
    }
  return {
    ...seen,
    reason: 'WrittenInVain',
    remedy: `Correct or remove it in ${where}; "vpd config show" tells what the cloud provider sees.`,
  }
}
