import { type ConfigNeed, demand, type Needs, type Options } from './check.ts'
import type { Broken, Read } from './context.ts'
import { deepFreeze } from './freeze.ts'
import type { Look } from './subject.ts'
import type { World } from './world.ts'

/** What `run` is handed: what the check asked for, and its subject. Throws where something of it cannot be had. */
export function contextFor(needs: Needs, look: Look, world: World, options: Options): object {
  const context = {
    kube: Object.fromEntries(
      (needs.kube ?? []).map((name) => [name, demand<unknown>(world.kube[name] ?? notAsked(name))]),
    ),
    kubeIfThere: Object.fromEntries(
      (needs.kubeIfThere ?? []).map((name) => [name, world.kube[name] ?? notAsked(name)]),
    ),
    cloudConfig: demandAs(needs.cloudConfig, world.cloudConfig),
    csiConfig: demandAs(needs.csiConfig, world.csiConfig),
    credentials: demandAs(needs.credentials, world.credentials),
    places: placesOf(world),
    options: deepFreeze(options),
    now: world.takenAt,
  }
  // Not spread: a part that must not be looked at says so when it is.
  return Object.defineProperties(context, Object.getOwnPropertyDescriptors(look.context))
}

function notAsked(name: string): Read<never> {
  return { state: 'absent', why: `This source does not look for ${name}.` }
}

/** The same, if it was asked for; for a check that wants it even if broken, the account of what is wrong. */
function demandAs<T>(need: ConfigNeed | undefined, read: Read<T>): T | Broken | Read<T> | undefined {
  if (need === undefined) return undefined
  if (need === 'if-there') return read
  return need === 'even-if-broken' && read.state === 'broken' ? read : demand(read)
}

function placesOf({ cloudConfig, csiConfig }: World): object {
  const ofCloud = 'place' in cloudConfig && cloudConfig.place
  const ofCsi = 'place' in csiConfig && csiConfig.place
  return { ...(ofCloud && { cloudConfig: ofCloud }), ...(ofCsi && { csiConfig: ofCsi }) }
}
