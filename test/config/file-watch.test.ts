import {
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { FileWatch } from '../../src/config/index.ts'
import { aFolder } from '../support/files.ts'
import { patience } from '../support/patience.ts'

/** Watches files in a new folder, and counts how often it was called back. */
function watching(files: Readonly<Record<string, string>>, everyMs = 5) {
  const folder = aFolder(files)
  return { folder, ...watchingIn(folder, everyMs) }
}

function watchingIn(folder: string, everyMs = 5) {
  let calls = 0
  const watch = new FileWatch(
    () => [join(folder, 'a'), join(folder, 'b')],
    everyMs,
    async () => {
      calls += 1
      return true
    },
  )
  onTestFinished(() => watch.stop())
  watch.start()
  return { watch, called: (times: number) => vi.waitFor(() => expect(calls).toBe(times), patience) }
}

test.each<[string, (folder: string) => void]>([
  ['is overwritten', (folder) => writeFileSync(join(folder, 'a'), 'new')],
  ['is replaced by a file of the same size and age', replaced],
  ['is gone', (folder) => rmSync(join(folder, 'a'))],
  ['is emptied', (folder) => truncateSync(join(folder, 'a'))],
  ['becomes a directory', asDirectory],
  ['appears', (folder) => writeFileSync(join(folder, 'b'), 'new')],
])('calls back when a file %s, once', async (_, change) => {
  const { folder, called } = watching({ a: 'old' })
  await called(1) // the first look
  change(folder)
  await called(2)
  writeFileSync(join(folder, 'b'), 'something else')
  await called(3)
})

function replaced(folder: string): void {
  const then = new Date(1_000_000_000_000)
  writeFileSync(join(folder, 'c'), 'dlo')
  utimesSync(join(folder, 'c'), then, then)
  utimesSync(join(folder, 'a'), then, then)
  renameSync(join(folder, 'c'), join(folder, 'a'))
}

function asDirectory(folder: string): void {
  rmSync(join(folder, 'a'))
  mkdirSync(join(folder, 'a'))
}

test('follows a symbolic link that is swapped', async () => {
  const { folder, called } = watching({ 'one/a': '1', 'two/a': '2' })
  await called(1)
  symlinkSync('one', join(folder, 'data'))
  symlinkSync('data/a', join(folder, 'a'))
  await called(2)
  symlinkSync('two', join(folder, 'next'))
  renameSync(join(folder, 'next'), join(folder, 'data'))
  await called(3)
})

test('does not call back for a file that is just being overwritten', async () => {
  const folder = aFolder({ a: 'old' })
  const file = join(folder, 'a')
  const seen: string[] = []
  // Each look finds the next of these; twice the same is what it comes to rest with.
  const writes = ['old', 'old', '', 'ne', 'new', 'new', '', 'new', 'new', 'end', 'end']
  const watch = new FileWatch(
    () => {
      writeFileSync(file, writes.shift() ?? 'end')
      return [file]
    },
    1,
    async () => seen.push(readFileSync(file, 'utf8')) > 0,
  )
  onTestFinished(() => watch.stop())
  watch.start()
  await vi.waitFor(() => expect(seen).toEqual(['old', 'new', 'end']), patience)
})

test('calls back again, after a while, where nothing could be made of what was there', async () => {
  const file = join(aFolder({ a: 'same' }), 'a')
  const answers = [false, false, true]
  let looks = 0
  const called: number[] = []
  const watch = new FileWatch(
    () => {
      looks += 1
      return [file]
    },
    1,
    async () => {
      called.push(looks)
      return answers.shift() ?? true
    },
  )
  onTestFinished(() => watch.stop())
  watch.start()
  await vi.waitFor(() => expect(looks).toBeGreaterThan(60), patience)
  expect(called).toEqual([2, 14, 26])
})

test('looks at once when it is told to, and calls back whatever it sees', async () => {
  const { watch, called } = watching({ a: 'old' }, 600_000)
  watch.poke()
  await called(1)
  watch.poke()
  await called(2)
})

test('calls nobody back after it was stopped', async () => {
  const folder = aFolder({ a: 'old' })
  const [stopped, goesOn] = [watchingIn(folder), watchingIn(folder)]
  await stopped.called(1)
  await goesOn.called(1)
  await stopped.watch.stop()
  writeFileSync(join(folder, 'a'), 'new')
  stopped.watch.poke()
  await goesOn.called(2)
  await stopped.called(1)
})

test('does not call back again before the last call has ended', async () => {
  const folder = aFolder({ a: '1' })
  const steps: string[] = []
  let finish = () => {}
  const watch = new FileWatch(
    () => [join(folder, 'a')],
    600_000,
    () => {
      steps.push('begin')
      return new Promise((resolve) => {
        finish = () => {
          steps.push('end')
          resolve(true)
        }
      })
    },
  )
  watch.start()
  watch.poke()
  await vi.waitFor(() => expect(steps).toEqual(['begin']), patience)
  watch.poke()
  finish()
  await vi.waitFor(() => expect(steps).toEqual(['begin', 'end', 'begin']), patience)
  const stopped = watch.stop()
  finish()
  await stopped
  expect(steps).toEqual(['begin', 'end', 'begin', 'end'])
})
