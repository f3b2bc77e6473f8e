import { defineConfig, mergeConfig } from 'vitest/config'
import viteConfig from './vite.config.ts'

// A busy machine may need ten times as long as an idle one.
export default mergeConfig(
  viteConfig,
  defineConfig({
    test: {
      testTimeout: 120_000,
      setupFiles: ['../scripts/cpu.setup.ts', 'src/i18n/english.setup.ts', 'wait-for.setup.ts'],
    },
  }),
)
