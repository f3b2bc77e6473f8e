import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { chunkGroups, firstScreens, isNative } from './vite/chunks.ts'
import { precompress } from './vite/precompress.ts'
import { serviceWorker } from './vite/service-worker.ts'
import { texts } from './vite/texts.ts'

const server = { '/api': { target: process.env.API_URL ?? 'http://127.0.0.1:3000', ws: true } }

export default defineConfig({
  plugins: [react(), texts(), firstScreens(), serviceWorker(), precompress()],
  server: { proxy: server },
  preview: { proxy: server },
  worker: { format: 'es' },
  // Otherwise, an import of types alone would load its module.
  oxc: { typescript: { onlyRemoveTypeImports: false } },
  // The map engine is one chunk of this size, and loaded after everything else.
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups() },
        chunkFileNames: ({ name, moduleIds }) =>
          `assets/${folderOf([`/platform/${name}`, ...moduleIds])}[name]-[hash].js`,
      },
    },
  },
})

/** Chunks that only the packaged app runs have their own folder, which the service worker does not store in browsers. */
function folderOf(moduleIds: readonly string[]): string {
  return isNative(moduleIds) ? 'native/' : ''
}
