import { describe, expect, it } from 'vitest'
import { builtinChecks } from '../../checks/index.ts'
import { aFolder } from '../support/files.ts'
import { vpd } from '../support/io.ts'

describe('vpd', () => {
  it.each(
    [
      ['--help'],
      ['help'],
      ['check', '--help'],
      ['serve', '-h'],
      ['checks', '--help'],
      ['help', 'checks', 'list'],
      ['checks', 'help', 'list'],
      ['checks', 'explain', 'bogus', '--help'],
    ].map((args) => [args]),
  )('%j helps', async (args) => {
    const { code, stdout } = await vpd(args)
    expect(code).toBe(0)
    expect(stdout).toMatch(/^Usage: vpd/)
  })

  it('shows the help when called with nothing', async () => {
    const { code, stderr } = await vpd([])
    expect(code).toBe(2)
    expect(stderr).toMatch(/First steps:/)
  })

  it('lists every check', async () => {
    const { stdout } = await vpd(['checks', 'list'])
    for (const { id, scope, title } of builtinChecks)
      expect(stdout).toMatch(new RegExp(`^${id} +${scope} .*${title}$`, 'm'))
  })

  it('leaves out a check that is switched off', async () => {
    const folder = aFolder({ 'vpd.yaml': 'checks: {vcenter-in-use: {enabled: false}}' })
    const { stdout } = await vpd(['checks', 'list', '-c', `${folder}/vpd.yaml`])
    expect(stdout).not.toContain('vcenter-in-use')
  })

  it('explains a check with the options in force', async () => {
    const folder = aFolder({ 'vpd.yaml': 'checks: {vm-hardware-version: {options: {minimum: 17}, severity: warning}}' })
    const { stdout } = await vpd(['checks', 'explain', 'vm-hardware-version', '-c', `${folder}/vpd.yaml`])
    expect(stdout).toContain('vm-hardware-version: VM hardware version is supported')
    expect(stdout).toContain('Upgrade VM Compatibility')
    expect(stdout).toMatch(/^Options {4}minimum: 17$/m)
    expect(stdout).toMatch(/^Severity {3}warning$/m)
  })

  it('prints the JSON Schema of its settings', async () => {
    const { stdout } = await vpd(['config', 'schema'])
    expect(JSON.parse(stdout)).toMatchObject({ properties: { schedule: { properties: { cron: {} } } } })
  })

  it('validates a file, and takes its name from the environment', async () => {
    const folder = aFolder({ 'vpd.yaml': '{}' })
    const { code, stdout } = await vpd(['config', 'validate'], { VPD_CONFIG: `${folder}/vpd.yaml` })
    expect(stdout).toContain(`vpd.yaml is in order; ${builtinChecks.length} checks would run.`)
    expect(code).toBe(0)
  })
})
