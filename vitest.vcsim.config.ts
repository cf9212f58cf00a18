import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/support/closing-line.ts'

/** The tests against vCenters that nobody here wrote; they build and start what they need. */
export default defineConfig({
  test: {
    include: ['test/vcsim/**/*.test.ts'],
    globalSetup: ['test/vcsim/setup.ts'],
    // Each file starts simulators of its own; side by side they would only wait for each other.
    fileParallelism: false,
    reporters: ['default', new ClosingLine()],
    testTimeout: 60_000,
    hookTimeout: 300_000,
  },
})
