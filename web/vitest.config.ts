import { defineConfig, mergeConfig } from 'vitest/config'
import viteConfig from './vite.config.ts'

// Tests with a thousand generated inputs take some seconds on a busy machine.
export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      testTimeout: 30_000,
      setupFiles: ['../scripts/cpu.setup.ts', 'src/i18n/english.setup.ts', 'wait-for.setup.ts'],
    },
  }),
)
