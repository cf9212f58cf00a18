import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { aFolder } from './support/files.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Runs a module in a project that has this package installed, and returns what it prints. */
function printedBy(module: string): string {
  const folder = aFolder({ 'main.mjs': module })
  mkdirSync(`${folder}/node_modules`)
  symlinkSync(root, `${folder}/node_modules/vsphere-problem-detector`)
  return execFileSync(process.execPath, ['main.mjs'], { cwd: folder, encoding: 'utf8' })
}

it('can be imported to write checks', () => {
  const module = `import { defineCheck, gauge, Inconclusive, NotApplicable, unknown } from 'vsphere-problem-detector'
console.log([defineCheck, gauge, Inconclusive, NotApplicable, unknown].map((each) => typeof each).join())`
  expect(printedBy(module)).toBe('function,function,function,function,function\n')
})

it('can be imported to read a cloud config', () => {
  const module = `import { readCloudConfig } from 'vsphere-problem-detector/cloud-config'
const config = readCloudConfig('[Global]\\nuser = u\\npassword = p\\n[VirtualCenter "vc.example.com"]\\ndatacenters = a, b\\n')
console.log(config.format, config.vcenters.get('vc.example.com').datacenters.join())`
  expect(printedBy(module)).toBe('ini a,b\n')
})
