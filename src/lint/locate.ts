import type { Source } from '../framework/check.ts'
import type { ReportedFinding } from '../framework/result.ts'
import { pathText } from '../path-text.ts'
import { positionInConfig } from './config-place.ts'
import { type FilePosition, positionAt } from './flaw.ts'
import type { LintWorld } from './world.ts'

/** The finding with its place in a file, where it has one, and a remedy that names the file to edit. */
export function located(finding: ReportedFinding, world: LintWorld): ReportedFinding {
  const { source } = finding
  if (source === undefined) return finding
  const written = installPlace(source, world)
  if (written !== undefined) return { ...finding, position: written.position, ...remedyIn(finding, written) }
  const position = positionOf(source, world)
  return { ...finding, ...(position && { position }), ...remedyBeside(finding, world) }
}

function positionOf(
  { object, path }: Source,
  { objects, cloudConfig, csiConfig }: LintWorld,
): FilePosition | undefined {
  if (object === 'cloudConfig') return positionInConfig(cloudConfig, path)
  if (object === 'csiConfig') return positionInConfig(csiConfig, path)
  const found = objects.get(object)
  if (found === undefined) return undefined
  const [field, key] = path
  const isPlain = found.kind === 'Secret' && field === 'data' && found.map.hasIn(['stringData', key])
  const fields = isPlain || (field === 'data' && !found.map.has('data')) ? ['stringData', ...path.slice(1)] : path
  return positionAt(found, fields)
}

interface InstallPlace {
  readonly position: FilePosition
  readonly path: string
  readonly isLogin: boolean
}

/** Where an install-config says what the installer will write into an object. */
function installPlace({ object, path }: Source, { objects, installConfig }: LintWorld): InstallPlace | undefined {
  const isLogin = object === 'Secret/kube-system/vsphere-creds'
  if (installConfig === undefined || objects.has(object)) return undefined
  if (!isLogin && object !== 'Infrastructure/cluster') return undefined
  const inside = installConfig.pathOf(object, path)
  return { position: positionAt(installConfig.source, inside), path: pathText(inside), isLogin }
}

/** The object does not exist yet, so that the file is the place to mend it; unless the remedy is about another one. */
function remedyIn({ remedy }: ReportedFinding, { path, isLogin, position: { file } }: InstallPlace): Remedy {
  if (isLogin || remedy === undefined)
    return { remedy: `Correct ${path} of ${file}, which the installer takes it from.` }
  return isAbout(remedy) ? { remedy: `${remedy} Before the installation that is ${path} of ${file}.` } : {}
}

type Remedy = Pick<ReportedFinding, 'remedy'>

/** A finding in another file may be mended in Infrastructure too, which does not exist yet. */
function remedyBeside({ remedy }: ReportedFinding, { objects, installConfig }: LintWorld): Remedy {
  if (remedy === undefined || !isAbout(remedy) || installConfig === undefined || objects.has(object)) return {}
  const { file } = installConfig.source
  return { remedy: `${remedy} Before the installation, Infrastructure/cluster is platform.vsphere of ${file.name}.` }
}

const object = 'Infrastructure/cluster'

const isAbout = (remedy: string): boolean => remedy.includes(object)
