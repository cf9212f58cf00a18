import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/support/closing-line.ts'

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/vcsim/**',
      'test/promtool/**',
      'test/chart/with-tools/**',
      'test/kube/**',
      'test/image/**',
      'dist/**',
      'node_modules/**',
    ],
    reporters: ['default', new ClosingLine()],
    // Much of it waits for servers and processes, so every core is put to work, and more.
    maxWorkers: '150%',
    // Loading the same modules for every file would take longer than the tests; none of them keeps anything.
    isolate: false,
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
