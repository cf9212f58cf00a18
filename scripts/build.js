// Compiles to dist/ from scratch, so that a renamed file leaves nothing behind, and makes `npx vpd` work in the checkout.
import { spawnSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'

const root = new URL('../', import.meta.url)
rmSync(new URL('dist/', root), { recursive: true, force: true })
const { status } = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], {
  cwd: root,
  stdio: 'inherit',
})
if (status === 0) linkCommand()
process.exitCode = status ?? 1

/** npm links the commands of dependencies, not those of the package it is in. */
function linkCommand() {
  chmodSync(new URL('dist/src/main.js', root), 0o755)
  const bin = new URL('node_modules/.bin/', root)
  const link = new URL('vpd', bin)
  if (process.platform === 'win32' || existsSync(link)) return
  mkdirSync(bin, { recursive: true })
  rmSync(link, { force: true })
  symlinkSync('../../dist/src/main.js', link)
}
