import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { type SimulatedWorld, startSimulator } from '../../src/simulator/index.ts'
import { ask, callVim, logIn, type Target } from '../simulator/client.ts'
import { alike, contained, login, type Ref, type Setting, settingOf, vimLogin } from '../simulator/wire-calls.ts'
import { shapeOf } from '../simulator/wire-shape.ts'

/**
 * The embedded simulator writes its answers as a simulator does that others wrote: the same calls to both, in equal
 * inventories, and the same statuses, fields, type names and boxing come back. Values differ and are not compared.
 */
const build = fileURLToPath(new URL('../../../shared/tools/vcsim-json/build', import.meta.url))
const binary = builtBinary()

const world: SimulatedWorld = {
  name: 'localhost',
  datacenters: [
    {
      name: 'DC0',
      clusters: [
        {
          name: 'DC0_C0',
          hosts: [{ name: 'DC0_C0_H0' }, { name: 'DC0_C0_H1' }],
          vms: [
            { name: 'DC0_C0_RP0_VM0', uuid: '422e4956-ad22-1139-6d72-000000000000' },
            { name: 'DC0_C0_RP0_VM1', uuid: '422e4956-ad22-1139-6d72-000000000001' },
            {
              name: 'DC0_C0_RP0_VM2',
              uuid: '422e4956-ad22-1139-6d72-000000000002',
              unreadable: { 'config.nonsense': 'InvalidProperty' },
            },
          ],
        },
      ],
    },
  ],
  pageCap: 2,
  tags: [{ name: 'zone', associableTypes: ['Datacenter'], tags: [{ name: 'a', description: 'A', on: ['/DC0'] }] }],
}
const sameSize = '-dc 1 -cluster 1 -host 2 -standalone-host 0 -vm 3 -page-cap 2'.split(' ')

describe.skipIf(binary === undefined)('the embedded simulator answers like vcsim-json from ../shared', () => {
  const stops: (() => Promise<void>)[] = []
  let settings: readonly Setting[]

  beforeAll(async () => {
    const theirs = await startVcsimJson(sameSize)
    stops.push(theirs.stop)
    const ours = await startSimulator(world)
    stops.push(() => ours.close())
    await makeTags(theirs.target)
    settings = [await settingOf(ours), await settingOf(theirs.target)]
  })
  afterAll(() => Promise.all(stops.map((stop) => stop())))

  it.each(Object.entries(alike))('%s', async (_, step) => {
    const [mine, theirs] = await Promise.all(settings.map(step))
    expect(shapeOf(mine)).toEqual(shapeOf(theirs))
  })

  it.each(Object.entries(contained))('%s, as far as ours goes', async (_, step) => {
    const [mine, theirs] = await Promise.all(settings.map(step))
    expect(shapeOf(theirs)).toMatchObject(shapeOf(mine))
  })

  it.each([
    ['REST', login],
    ['VI JSON', vimLogin],
  ])('%s login past the limit of sessions', async (_, step) => {
    const theirs = await startVcsimJson(['-vm', '0', '-max-sessions', '1'])
    onTestFinished(theirs.stop)
    const ours = await startSimulator({ ...world, maxSessions: 1 })
    onTestFinished(() => ours.close())
    const refused = async (target: Target) => {
      await logIn(target)
      return shapeOf(await step(target, 'u', 'p'))
    }
    expect(await refused(ours)).toEqual(await refused(theirs.target))
  })
})

async function startVcsimJson(flags: readonly string[]): Promise<{ target: Target; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'simulator-wire-'))
  const ca = join(folder, 'ca.pem')
  const child = spawn(binary ?? '', [...flags, '-ca-out', ca], { stdio: ['ignore', 'pipe', 'ignore'] })
  const { port } = new URL(await firstUrl(child.stdout))
  return {
    // Its certificate is good for this name.
    target: { host: '127.0.0.1', port: Number(port), name: 'example.com', ca: await readFile(ca, 'utf8') },
    stop: async () => {
      child.kill('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Gives the other simulator the tags that our world has. */
async function makeTags(target: Target): Promise<void> {
  const token = await logIn(target)
  const post = (path: string, body: unknown) => ask(target, 'POST', `/api/cis/tagging/${path}`, { token, body })
  const category = { name: 'zone', description: '', cardinality: 'SINGLE', associable_types: ['Datacenter'] }
  const { json: category_id } = await post('category', category)
  const { json: tag_id } = await post('tag', { name: 'a', description: 'A', category_id })
  const datacenter = await callVim(target, token, 'SearchIndex/SearchIndex/FindByInventoryPath', {
    inventoryPath: '/DC0',
  })
  const { type, value } = datacenter.json as Ref // fails the start of the tests otherwise
  await post(`tag-association/${tag_id}?action=attach`, { object_id: { type, id: value } })
}

async function firstUrl(output: Readable): Promise<string> {
  for await (const line of createInterface({ input: output })) return (JSON.parse(line) as { url: string }).url
  throw new Error('vcsim-json ended before it listened')
}

/** Undefined where there is no such tool or it cannot be built here; the tests then show as skipped. */
function builtBinary(): string | undefined {
  if (!existsSync(build)) return undefined
  try {
    return execFileSync('bash', [build, 'debian'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return undefined
  }
}
