// Reads one vCenter for a few rounds and sends what each has cost to the parent process.
import { isSource, schema } from '../../dist/src/framework/vsphere-schema.js'
import { createVCenterClient, defaultVSphereSettings } from '../../dist/src/vsphere/index.js'

const [port, nodes] = process.argv.slice(2, 4).map(Number)
const everything = process.argv[4] === 'everything'
const endpoint = { name: '127.0.0.1', port, insecure: true }
const client = createVCenterClient(endpoint, { user: 'bench', password: 'bench' }, defaultVSphereSettings)
const plan = planOf((path) => everything || !isSource(path))
const nodeUuids = await someUuids()

const measured = []
for (const round of ['first', 'later']) {
  const before = { requests: client.requests, bytes: client.bytes, at: performance.now() }
  const beside = everything ? { policies: true, tasks: true } : {}
  const { inventory } = await client.read({ plan: { ...plan, ...beside }, nodeUuids }, new AbortController().signal)
  if (inventory.objects.vm.size !== nodes) throw new Error(`${inventory.objects.vm.size} VMs were found.`)
  measured.push({
    round,
    requests: client.requests - before.requests,
    bytes: client.bytes - before.bytes,
    ms: performance.now() - before.at,
    peakRssKiB: process.resourceUsage().maxRSS,
  })
}
await client.close()
process.send(measured)
process.disconnect()

function planOf(isWanted) {
  const kinds = Object.entries(schema)
  return Object.fromEntries(kinds.map(([kind, row]) => [kind, new Set(Object.keys(row).filter(isWanted))]))
}

/** The simulator derives the UUIDs of its VMs from their paths, and so can we. */
async function someUuids() {
  const { createHash } = await import('node:crypto')
  const namespace = Buffer.from('6ba7b8129dad11d180b400c04fd430c8', 'hex')
  const uuidOf = (name) => {
    const hash = createHash('sha1').update(namespace).update(name).digest().subarray(0, 16)
    hash[6] = (hash[6] & 0x0f) | 0x50
    hash[8] = (hash[8] & 0x3f) | 0x80
    return hash.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
  }
  return new Set(Array.from({ length: nodes }, (_, n) => uuidOf(`[LocalDS_0] DC0_C0_RP0_VM${n}/DC0_C0_RP0_VM${n}.vmx`)))
}
