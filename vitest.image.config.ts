import { defineConfig } from 'vitest/config'
import { ClosingLine } from './test/support/closing-line.ts'

/** The tests of the image that the Dockerfile makes, which they build and run: `npm run test:image`. */
export default defineConfig({
  test: {
    include: ['test/image/**/*.test.ts'],
    exclude: ['dist/**', 'node_modules/**'],
    globalSetup: ['test/image/setup.ts'],
    reporters: ['default', new ClosingLine()],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
})
