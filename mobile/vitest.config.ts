import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: { environment: 'node', include: ['checks/**/*.test.ts'], testTimeout: 60_000 },
})
