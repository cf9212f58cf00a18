import type { MoRef, ServiceContent, UserSession } from './model.ts'

/** An answer that is none of what the API promises. The message completes "vCenter X sent …". */
export class Malformed extends Error {
  override readonly name = 'Malformed'
}

export type Fields = Readonly<Record<string, unknown>>

export function fieldsOf(value: unknown, what: string): Fields {
  if (isFields(value)) return value
  throw new Malformed(`${what} that is not an object`)
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function textOf(value: unknown, what: string): string {
  if (typeof value === 'string') return value
  throw new Malformed(`${what} that is not text`)
}

/** SOAP writes a list of one like a single value and an empty one like nothing. */
export function listOf(value: unknown): readonly unknown[] {
  return value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
}

export function isMoRef(value: unknown): value is MoRef {
  return isFields(value) && typeof value['type'] === 'string' && typeof value['value'] === 'string'
}

export function moRefOf(value: unknown, what: string): MoRef {
  if (isMoRef(value)) return { type: value.type, value: value.value }
  throw new Malformed(`${what} that is not a reference`)
}

export function serviceContentOf(value: unknown): ServiceContent {
  const content = fieldsOf(value, 'a service content')
  const about = fieldsOf(content['about'], 'a service content with an "about"')
  const text = (name: string) => textOf(about[name], `an about.${name}`)
  const manager = (name: string) => moRefOf(content[name], `a service content with a ${name}`)
  const maybe = (name: string) => (isMoRef(content[name]) ? manager(name) : undefined)
  return {
    about: {
      version: text('version'),
      apiVersion: text('apiVersion'),
      build: text('build'),
      // An ESXi host has none.
      instanceUuid: typeof about['instanceUuid'] === 'string' ? about['instanceUuid'] : '',
    },
    isVCenter: about['apiType'] !== 'HostAgent',
    rootFolder: manager('rootFolder'),
    propertyCollector: manager('propertyCollector'),
    viewManager: manager('viewManager'),
    sessionManager: manager('sessionManager'),
    authorizationManager: maybe('authorizationManager'),
    perfManager: maybe('perfManager'),
    searchIndex: maybe('searchIndex'),
    taskManager: maybe('taskManager'),
  }
}

export function userSessionOf(value: unknown): UserSession {
  return { userName: textOf(fieldsOf(value, 'a user session')['userName'], 'a user session with a name') }
}
