/** A Dockerfile, as far as ours goes. */
export interface Dockerfile {
  readonly stages: readonly Stage[]
  readonly args: ReadonlyMap<string, string>
}

export interface Stage {
  /** The last has none. */
  readonly name: string | undefined
  readonly image: string
  readonly steps: readonly Step[]
}

export interface Step {
  readonly instruction: string
  readonly text: string
}

/** Reads a Dockerfile: comments and continued lines, and `ARG` before the first `FROM`. */
export function readDockerfile(text: string): Dockerfile {
  const args = new Map<string, string>()
  const stages: { name: string | undefined; image: string; steps: Step[] }[] = []
  const lines = text.replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, '')
  for (const line of lines.split('\n').filter((line) => line.trim() !== '')) {
    const [, instruction = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? []
    const stage = stages.at(-1)
    if (instruction === 'FROM') {
      const [, image = '', name] = /^(?:--\S+ )?(\S+)(?: AS (\S+))?$/.exec(rest) ?? []
      stages.push({ name, image: image.replaceAll(/\$\{(\w+)\}/g, (_all, arg) => args.get(arg) ?? ''), steps: [] })
    } else if (stage !== undefined) {
      stage.steps.push({ instruction, text: rest })
    } else if (instruction === 'ARG') {
      const [name = '', value = ''] = rest.split('=')
      args.set(name, value)
    }
  }
  return { stages, args }
}

/** What an instruction says for the last time. */
export function lastOf(stage: Stage | undefined, instruction: string): string {
  return stage?.steps.findLast((step) => step.instruction === instruction)?.text ?? ''
}
