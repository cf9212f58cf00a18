import { register } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isCheck } from './framework/check.ts'
import type { CheckOrigin } from './framework/registry.ts'

export class PluginError extends Error {
  override readonly name = 'PluginError'
  /** Which of the plugins it was. */
  readonly index: number

  constructor(index: number, message: string, options?: ErrorOptions) {
    super(message, options)
    this.index = index
  }
}

/**
 * Loads plugins: packages by name, files by a path that starts with `.` or `/`, relative to `folder`.
 * Returns the checks each exports; throws a {@link PluginError} that names the plugin.
 */
export async function loadPlugins(specifiers: readonly string[], folder: string): Promise<CheckOrigin[]> {
  if (specifiers.length > 0) teachLoader()
  return Promise.all(specifiers.map((specifier, index) => loadPlugin(specifier, folder, index)))
}

async function loadPlugin(specifier: string, folder: string, index: number): Promise<CheckOrigin> {
  const module: object = await import(locate(specifier, folder)).catch((cause: unknown) => {
    const why = cause instanceof Error ? cause.message.split(/\n| imported from /)[0] : String(cause)
    throw new PluginError(index, `Cannot load plugin ${specifier}: ${why}`, { cause })
  })
  const checks = Object.values(module).filter(isCheck)
  if (checks.length === 0) {
    throw new PluginError(index, `Plugin ${specifier} exports no check. Export what defineCheck returns, by a name.`)
  }
  return { from: `plugin ${specifier}`, checks }
}

function locate(specifier: string, folder: string): string {
  if (specifier.startsWith('file:')) return specifier
  if (/^(\.{0,2}[/\\]|[a-z]:[/\\])/i.test(specifier)) return pathToFileURL(resolve(folder, specifier)).href
  const from = pathToFileURL(join(resolve(folder), 'package.json')).href
  return `${scheme}${encodeURIComponent(JSON.stringify([specifier, from]))}`
}

/** Marks a package to be looked for from another place than this file, which `import()` itself cannot do. */
const scheme = 'vpd-plugin:'

/** Hooks are those of the whole process and cannot be taken back, so it is taught once. */
let isTaught = false

/**
 * Teaches the module loader two things: to find a package from the folder of the configuration, or else beside us; and
 * that a plugin which imports `vsphere-problem-detector` means us, where it has no copy of its own.
 */
function teachLoader(): void {
  if (isTaught) return
  isTaught = true
  const own = new URL('./framework/check.js', import.meta.url).href
  const hooks = `export const resolve = async (specifier, context, next) => {
    if (specifier.startsWith(${JSON.stringify(scheme)})) {
      const [name, parentURL] = JSON.parse(decodeURIComponent(specifier.slice(${scheme.length})))
      return next(name, { ...context, parentURL }).catch(() => next(name, context))
    }
    if (specifier !== 'vsphere-problem-detector') return next(specifier, context)
    return next(specifier, context).catch(() => ({ url: ${JSON.stringify(own)}, shortCircuit: true }))
  }`
  register(`data:text/javascript,${encodeURIComponent(hooks)}`)
}
