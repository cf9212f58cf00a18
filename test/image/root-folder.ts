import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Puts programs of this machine into the root folder of an image, by their path there, with the libraries they need. */
export function installPrograms(root: string, programs: Readonly<Record<string, string>>): void {
  for (const [path, program] of Object.entries(programs)) {
    copy(program, join(root, path))
    for (const library of librariesOf(program)) copy(library, join(root, library))
  }
}

/** A program that is linked with none makes ldd fail, and that is none too. */
function librariesOf(program: string): readonly string[] {
  const { stdout } = spawnSync('ldd', [program], { encoding: 'utf8' })
  return [...stdout.matchAll(/(\/\S+) \(0x/g)].map(([, library = '']) => library)
}

/** Links are of no use without what they lead to. */
function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  cpSync(from, to, { dereference: true })
}
