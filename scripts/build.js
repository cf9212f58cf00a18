// Compiles to dist/ from scratch, so that a renamed file leaves nothing behind. With --if-stale only where it must.
import { spawnSync } from 'node:child_process'
import { chmodSync, readdirSync, rmSync, statSync } from 'node:fs'

const root = new URL('../', import.meta.url)
const main = new URL('dist/src/main.js', root)
if (!process.argv.includes('--if-stale') || isStale()) {
  rmSync(new URL('dist/', root), { recursive: true, force: true })
  const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], {
    cwd: root,
    stdio: 'inherit',
  })
  if (status === 0) chmodSync(main, 0o755)
  process.exitCode = status ?? 1
}

/** Whether anything that is compiled is younger than what it was compiled to; a folder is when a file of it is gone. */
function isStale() {
  const builtAt = statSync(main, { throwIfNoEntry: false })?.mtimeMs ?? 0
  const folders = ['src', 'checks'].flatMap((folder) => [
    folder,
    ...readdirSync(new URL(folder, root), { recursive: true }).map((file) => `${folder}/${file}`),
  ])
  return ['tsconfig.json', 'package-lock.json', ...folders].some(
    (file) => statSync(new URL(file, root)).mtimeMs > builtAt,
  )
}
