import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { vpd } from './support/io.ts'

const read = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
const docs = readdirSync(new URL('../docs', import.meta.url), { recursive: true, encoding: 'utf8' })
const pages = ['README.md', ...docs.filter((page) => page.endsWith('.md')).map((page) => `docs/${page}`)]
const calls = [...new Set(pages.map(read).flatMap(codeIn).flatMap(callsIn))]

it.each(calls)('"vpd %s", which a page shows, calls a command that exists', async (call) => {
  const command = await commandOf(call)
  expect(await usageOf(command)).toMatch(new RegExp(`^Usage: ${nameOf(command)} \\[options\\]`))
})

it('pages show commands of every depth', async () => {
  const shown = (await Promise.all(calls.map(commandOf))).map(nameOf)
  for (const command of ['check', 'lint', 'checks list', 'config show', 'config render csi'])
    expect(shown).toContain(`vpd ${command}`)
})

type Command = readonly string[]

const nameOf = (command: Command) => ['vpd', ...command].join(' ')

/** Blocks of code, and code in a sentence. */
function codeIn(markdown: string): readonly string[] {
  const blocks = [...markdown.matchAll(/^ *```\w*\n(.*?)^ *```$/gms)].map(([, block]) => block ?? '')
  const spans = [...markdown.matchAll(/`([^`\n]+)`/g)].map(([, span]) => span ?? '')
  return [...blocks, ...spans]
}

/** What follows `vpd` where that is the program that is called. */
function callsIn(code: string): readonly string[] {
  return [...code.matchAll(/(?:^|[|&;("$]) *(?:npx )?vpd +([a-z][^"\n]*)/gm)].map(([, call]) => call ?? '')
}

/** The words of a call that choose the command; what comes after them is arguments. */
async function commandOf(call: string): Promise<Command> {
  const command: string[] = []
  for (const word of call.split(/\s+/)) {
    if (!/^[a-z-]+$/.test(word) || !(await isGroup(command))) break
    command.push(word)
  }
  return command
}

/** The first line of its help; where there is no such command, that of the group it would be in. */
async function usageOf(command: Command): Promise<string> {
  return (await vpd([...command, '--help'])).stdout.split('\n')[0] ?? ''
}

async function isGroup(command: Command): Promise<boolean> {
  return (await usageOf(command)) === `Usage: ${nameOf(command)} [options] [command]`
}
