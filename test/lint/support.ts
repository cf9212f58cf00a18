import { stringify } from 'yaml'
import { aFolder } from '../support/files.ts'
import { type Ran, type Surroundings, vpd } from '../support/io.ts'

export interface Linted extends Ran {
  /** The findings, without their remedies and without the closing line. */
  readonly findings: readonly string[]
  readonly closing: string
}

/** Runs `vpd lint` on files with these texts. Their temporary folder is cut out of what it prints. */
export async function linted(
  files: Readonly<Record<string, string>>,
  args: readonly string[] = [],
  surroundings: Surroundings = {},
): Promise<Linted> {
  const folder = aFolder(files)
  const names = Object.keys(files).map((name) => `${folder}/${name}`)
  const ran = await vpd(['lint', ...args, '--', ...names], {}, surroundings)
  const [stdout, stderr] = [ran.stdout, ran.stderr].map((text) => text.replaceAll(`${folder}/`, ''))
  const lines = (stdout ?? '').split('\n').slice(0, -1)
  return {
    code: ran.code,
    stdout: stdout ?? '',
    stderr: stderr ?? '',
    findings: lines.slice(0, -1).filter((line) => !line.startsWith('  ')),
    closing: lines.at(-1) ?? '',
  }
}

/** Findings in a few words: `infra.yaml:13:19 infra-cloud-config/PortDiffers`. */
export function gists({ findings }: Linted): readonly string[] {
  return findings.map((line) => line.replace(/: (?:error|warning|info): \[([^\]]+)\].*/, ' $1'))
}

/** The text that the position of each finding points at, up to the end of its line. */
export function pointedAt({ findings }: Linted, files: Readonly<Record<string, string>>): readonly string[] {
  return findings.map((finding) => {
    const [, file = '', line, column, what] = /^([^:]+):(\d+):(\d+): \w+: \[[^/]+\/(\w+)\]/.exec(finding) ?? []
    const text = files[file]?.split('\n')[Number(line) - 1]?.slice(Number(column) - 1)
    return `${what}: ${text}`
  })
}

type Lists = Readonly<Record<string, readonly string[]>>

/** Server → datacenters, and failure domain → server and datacenter. */
export function anInfrastructure(
  vcenters: Lists,
  domains: Readonly<Record<string, readonly [string, string]>> = {},
): string {
  return stringify({
    apiVersion: 'config.openshift.io/v1',
    kind: 'Infrastructure',
    metadata: { name: 'cluster' },
    spec: {
      cloudConfig: { name: 'cloud-provider-config', key: 'config' },
      platformSpec: {
        type: 'VSphere',
        vsphere: {
          vcenters: Object.entries(vcenters).map(([server, datacenters]) => ({ server, datacenters })),
          failureDomains: Object.entries(domains).map(([name, [server, datacenter]]) => ({
            name,
            region: name,
            zone: `${name}-1a`,
            server,
            topology: { datacenter, networks: ['VM Network'] },
          })),
        },
      },
    },
  })
}

/** A cloud config in YAML: key → datacenters. */
export function aYaml(vcenters: Lists): string {
  const entries = Object.entries(vcenters).map(([server, datacenters]) => [server, { server, datacenters }])
  return stringify({
    global: { secretName: 'vsphere-creds', secretNamespace: 'kube-system' },
    vcenter: Object.fromEntries(entries),
  })
}

/** The same in INI: section → datacenters as written. */
export function anIni(vcenters: Readonly<Record<string, string>>): string {
  const sections = Object.entries(vcenters).map(
    ([server, datacenters]) => `[VirtualCenter "${server}"]\ndatacenters = "${datacenters}"\n`,
  )
  const [first] = Object.keys(vcenters)
  const global = '[Global]\nsecret-name = "vsphere-creds"\nsecret-namespace = "kube-system"\n'
  return `${global}${sections.join('')}[Workspace]\nserver = "${first}"\ndatacenter = "DC0"\nfolder = "/DC0/vm/x"\n`
}

export function aConfigMap(text: string, key = 'config'): string {
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { namespace: 'openshift-config', name: 'cloud-provider-config' },
      data: { [key]: text },
    },
    { lineWidth: 0 },
  )
}

/** Values as given, under `stringData`; `place` is `namespace/name`. */
export function aSecret(stringData: Readonly<Record<string, string>>, place = 'kube-system/vsphere-creds'): string {
  const [namespace, name] = place.split('/')
  return stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, stringData }, { lineWidth: 0 })
}

/** Clean logins for these servers. */
export function logins(...servers: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    servers.flatMap((server) => [
      [`${server}.username`, 'svc@vsphere.local'],
      [`${server}.password`, 'pa55-&-word'],
    ]),
  )
}
