import { defineConfig } from 'playwright/test'

/** Browser tests: each worker starts the product and a browser of its own (`tests/e2e/fixture.ts`). */
export default defineConfig({
  testDir: 'tests/e2e',
  testMatch: '**/*.spec.ts',
  outputDir: 'test-results',
  workers: 2,
  timeout: 60_000,
  expect: { timeout: 10_000 },
  reporter: [['list']],
  forbidOnly: true,
})
