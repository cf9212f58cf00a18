import { register } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { isCheck } from './framework/check.ts'
import { messageOf } from './framework/message-of.ts'
import type { CheckOrigin } from './framework/registry.ts'

/** What plugins gave, and everything that is wrong with those that gave nothing. */
export interface LoadedPlugins {
  readonly origins: readonly PluginOrigin[]
  readonly problems: readonly PluginProblem[]
}

export interface PluginOrigin extends CheckOrigin {
  /** Which of the plugins it is. */
  readonly index: number
}

export interface PluginProblem {
  readonly index: number
  readonly message: string
}

/**
 * Loads plugins: packages by name, files by a path that starts with `.` or `/`, relative to `folder`. Returns the checks
 * each exports, and why a plugin does not load in time. One that is given twice is taken once.
 */
export async function loadPlugins(
  specifiers: readonly string[],
  folder: string,
  withinMs = 10_000,
): Promise<LoadedPlugins> {
  if (specifiers.length > 0) teachLoader()
  const loaded = await Promise.all(
    specifiers.map((specifier, index) =>
      loadPlugin(specifier, folder, withinMs).then(
        (plugin) => ({ index, ...plugin }),
        (error: Error) => ({ index, message: error.message }),
      ),
    ),
  )
  const origins = loaded.filter((each) => 'checks' in each)
  // However it was named, a module is loaded once.
  const isFirst = ({ module, index }: (typeof origins)[number]) =>
    origins.find((other) => other.module === module)?.index === index
  return {
    origins: origins.filter(isFirst).map(({ index, from, checks }) => ({ index, from, checks })),
    problems: loaded.filter((each) => 'message' in each),
  }
}

async function loadPlugin(
  specifier: string,
  folder: string,
  withinMs: number,
): Promise<CheckOrigin & { readonly module: object }> {
  const module = await within(withinMs, import(locate(specifier, folder))).catch((cause: unknown) => {
    const [why] = messageOf(cause).split(/\n| imported from /)
    throw new Error(`Cannot load plugin ${specifier}: ${why}`, { cause })
  })
  // One check may be exported by two names.
  const checks = [...new Set(Object.values(module).filter(isCheck))]
  if (checks.length === 0) {
    throw new Error(`Plugin ${specifier} exports no check. Export what defineCheck returns, by a name.`)
  }
  return { from: `plugin ${specifier}`, checks, module }
}

/** A module may wait for ever at its top level, and then nothing would keep the process from ending without a word. */
function within(ms: number, loading: Promise<object>): Promise<object> {
  return new Promise((resolve, reject) => {
    const late = () =>
      reject(new Error(`it did not end loading within ${ms / 1000} s. Wait for nothing at its top level.`))
    const timer = setTimeout(late, ms)
    loading.then(resolve, reject).finally(() => clearTimeout(timer))
  })
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
