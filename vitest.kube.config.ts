import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/support/closing-line.ts'

/** The tests against a real API server of Kubernetes, which they build and start: `npm run test:kube`. */
export default defineConfig({
  test: {
    include: ['test/kube/**/*.test.ts'],
    exclude: ['dist/**', 'node_modules/**'],
    globalSetup: ['test/kube/setup.ts'],
    // There is one API server, and every test wants it for itself.
    fileParallelism: false,
    reporters: ['default', new ClosingLine()],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
