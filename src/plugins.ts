import { createRequire, register } from 'node:module'
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
  if (specifiers.length > 0) offerOurselves()
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
  try {
    return pathToFileURL(createRequire(join(resolve(folder), 'config.yaml')).resolve(specifier)).href
  } catch {
    return specifier // a package beside the detector, or one that only offers ES modules
  }
}

/** A plugin outside this package imports `vsphere-problem-detector`; where that is not installed beside it, it is us. */
function offerOurselves(): void {
  const own = new URL(
    import.meta.url.endsWith('.ts') ? './framework/check.ts' : './framework/check.js',
    import.meta.url,
  )
  const hook = `export const resolve = (specifier, context, next) =>
    specifier === 'vsphere-problem-detector'
      ? next(specifier, context).catch(() => ({ url: ${JSON.stringify(own.href)}, shortCircuit: true }))
      : next(specifier, context)`
  register(`data:text/javascript,${encodeURIComponent(hook)}`)
}
