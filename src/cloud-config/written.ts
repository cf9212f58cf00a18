import type { Position } from './model.ts'

/** One level of settings as written, with nothing inherited. Empty, zero and absent are the same thing to the loaders. */
export interface Settings {
  user: string
  password: string
  server: string
  port: string
  insecure: boolean
  /** One element per list item of YAML; the whole comma text of INI is one element. */
  datacenters: readonly string[]
  roundTripCount: number
  caFile: string
  thumbprint: string
  secretName: string
  secretNamespace: string
  secretsDirectory: string
  apiDisable: boolean
  apiBinding: string
  ipFamily: readonly string[]
  secretRef: string
}

/** What a text says, before defaults, inheritance and validation. */
export interface WrittenConfig {
  readonly format: 'ini' | 'yaml'
  readonly global: Settings
  /** `null` is an entry that is present and empty; the map itself is `null` where YAML says `vcenter:` and no more. */
  readonly vcenters: Map<string, Settings | null> | null
  readonly labels: { readonly zone: string; readonly region: string }
  readonly nodes: Readonly<Record<string, string>>
  readonly places: Places
}

/** Where each part is written, by path. */
export type Places = Map<string, Position>

export const placeKey = (path: readonly string[]): string => JSON.stringify(path)

export const emptySettings = (): Settings => ({
  user: '',
  password: '',
  server: '',
  port: '',
  insecure: false,
  datacenters: [],
  roundTripCount: 0,
  caFile: '',
  thumbprint: '',
  secretName: '',
  secretNamespace: '',
  secretsDirectory: '',
  apiDisable: false,
  apiBinding: '',
  ipFamily: [],
  secretRef: '',
})

export type SettingName = keyof Settings

export const textSettings = [
  'user',
  'password',
  'server',
  'caFile',
  'thumbprint',
  'secretName',
  'secretNamespace',
  'secretsDirectory',
  'apiBinding',
  'secretRef',
] as const satisfies readonly SettingName[]
