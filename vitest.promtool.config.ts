import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/support/closing-line.ts'

/** The tests that need Prometheus' promtool: `npm run test:promtool`. */
export default defineConfig({
  test: {
    include: ['test/promtool/**/*.test.ts'],
    exclude: ['dist/**', 'node_modules/**'],
    globalSetup: ['test/promtool/setup.ts'],
    reporters: ['default', new ClosingLine()],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
