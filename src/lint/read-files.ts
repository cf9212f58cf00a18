import { stat } from 'node:fs/promises'
import { type Input, readInput, type StandardInput } from '../manifest-files/input.ts'
import { UsageError } from '../usage-error.ts'
import { type Recognised, recognise } from './recognise.ts'

/** Reads and recognises every file. Whatever cannot be used is told at once, and then nothing is judged. */
export async function readFiles(names: readonly string[], io: StandardInput): Promise<readonly Recognised[]> {
  const problems: string[] = []
  const found: Recognised[] = []
  for (const name of new Set(names)) {
    try {
      found.push(recognise(await inputOf(name, io)))
    } catch (error) {
      if (!(error instanceof UsageError)) throw error
      problems.push(error.message)
    }
  }
  if (problems.length > 0) throw new UsageError(problems.join('\n'))
  return found
}

async function inputOf(name: string, io: StandardInput): Promise<Input> {
  const info = name === '-' ? undefined : await stat(name).catch(() => undefined)
  if (info?.isDirectory() === true)
    throw new UsageError(`${name}: is a folder; name the files in it, e.g. ${name.replace(/\/+$/, '')}/*.yaml`)
  return readInput(name, io)
}
