import type { Reporter, TestModule } from 'vitest/node'

/** Ends a run with one plain line, for readers that do not know vitest. */
export class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    // A file that fails without a failed test did not get as far as its tests.
    const broken = modules.filter(
      (module) =>
        module.state() === 'failed' &&
        ![...module.children.allTests()].some((test) => test.result().state === 'failed'),
    )
    process.stdout.write(
      `\n${count('passed')} passed, ${count('failed') + broken.length} failed, ${count('skipped')} skipped\n`,
    )
  }
}
