import { cloudConfigName, defineCheck } from '../src/framework/check.ts'

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
          `Correct ${where} at the place named; "vpd config show" tells when the cloud provider can read it.`,
        source: { object: 'cloudConfig', path: [] },
      }
    }
    for (const { line, column, message, on } of cloudConfig.warnings ?? []) {
      if (on === 'OpenShift' && infrastructure.state !== 'read') continue
      yield {
        reason: 'WrittenInVain',
        message: `Line ${line}, column ${column}: ${message}${/[.?!]$/.test(message) ? '' : '.'}`,
        remedy: `Correct or remove it in ${where}; "vpd config show" tells what the cloud provider sees.`,
        source: { object: 'cloudConfig', path: [line, column] },
      }
    }
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
