import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/support/closing-line.ts'

/** The tests of the chart and of the image that need helm, kubeconform and npm: `npm run test:chart`. */
export default defineConfig({
  test: {
    include: ['test/chart/**/*.test.ts'],
    exclude: ['dist/**', 'node_modules/**'],
    globalSetup: ['test/chart/with-tools/setup.ts'],
    reporters: ['default', new ClosingLine()],
    testTimeout: 120_000,
    hookTimeout: 300_000,
  },
})
