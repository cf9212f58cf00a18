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
    // Much of it waits for servers and processes, so every core is put to work.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
