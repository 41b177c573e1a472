import { defineConfig } from 'playwright/test'

// Pages are rendered by what renders them in production.
process.env.NODE_ENV ??= 'production'

/**
 * Browser tests: each worker starts the product and a browser of its own (`tests/e2e/fixture.ts`), and the tests of one file
 * go to whichever is free. None needs what another one left.
 */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  globalSetup: './tests/e2e/global-setup.ts',
  outputDir: 'test-results',
  workers: 3,
  fullyParallel: true,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  forbidOnly: true,
})
