// Requests, bytes, wall time and memory of reading a vCenter, by number of nodes and protocol: all properties that checks
// can ask for, and everything, with privileges, tags, latency, storage policies and tasks.
// Needs a build (npm run build) and vcsim-json, a test vCenter on govmomi's simulator that also speaks VI JSON, which is kept
// beside the checkout as ../shared/tools/vcsim-json. Each row is a process of its own.
import { execFileSync, fork, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const build = fileURLToPath(new URL('../../../shared/tools/vcsim-json/build', import.meta.url))
const worker = fileURLToPath(new URL('rounds.js', import.meta.url))
const sizes = process.argv.slice(2).map(Number)
const out = (line) => process.stdout.write(`${line}\n`)

if (!existsSync(build)) {
  process.stderr.write(`Cannot measure: there is no ${build}.\n`)
  process.exit(1)
}
const program = execFileSync('bash', [build, 'debian'], { encoding: 'utf8' }).trim()
out('| nodes | VMs | protocol | read | round | requests | MiB | seconds | peak RSS MiB |')
out('| ---: | ---: | --- | --- | --- | ---: | ---: | ---: | ---: |')
for (const nodes of sizes.length > 0 ? sizes : [10, 100, 1_000, 5_000]) {
  for (const [protocol, args] of [
    ['VI JSON', []],
    ['SOAP', ['-releases', '7.0.3.0']],
  ]) {
    const vms = nodes * 2
    const vcenter = await start(['-standalone-host', '0', '-vm', String(vms), ...args])
    for (const read of ['properties', 'everything']) {
      for (const { round, requests, bytes, ms, peakRssKiB } of await measure(vcenter.port, nodes, read)) {
        const cost = [requests, mib(bytes), (ms / 1_000).toFixed(2), mib(peakRssKiB * 1_024)]
        out(`| ${[nodes, vms, protocol, read, round, ...cost].join(' | ')} |`)
      }
    }
    await vcenter.stop()
  }
}

async function start(args) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = new Promise((resolve) => child.once('close', resolve))
  const line = await new Promise((resolve) => createInterface({ input: child.stdout }).once('line', resolve))
  const stop = () => {
    child.kill('SIGTERM')
    return ended
  }
  return { port: Number(new URL(JSON.parse(line).url).port), stop }
}

function measure(port, nodes, read) {
  const child = fork(worker, [String(port), String(nodes), read])
  return new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => code !== 0 && reject(new Error(`The measuring process ended with ${code}.`)))
  })
}

function mib(bytes) {
  return (bytes / 1024 / 1024).toFixed(1)
}
