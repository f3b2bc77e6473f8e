import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { build, type Plugin, type ResolvedConfig } from 'vite'

/**
 * The files of the build that the service worker stores. Files for app stores, other programs and crawlers are left
 * out.
 */
const precached = /\.(js|css|html|json|svg|woff2|webmanifest)$|^icons\/.*\.png$/
const ignored = /^(sw\.js|screenshots\/.*|assets\/(native|texts)\/.*)$/
/** Vite adds a content hash to the names of these files. */
const hashed = /^assets\//

/** Builds `sw.js` next to the app, with the list of the app's files. */
export function serviceWorker(): Plugin {
  let config: ResolvedConfig
  return {
    name: 'service-worker',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    closeBundle: {
      // Runs before the files are compressed, so that this one is compressed too.
      order: 'pre',
      sequential: true,
      async handler(error) {
        // Vite reports the error of the build.
        if (error) return
        const folder = resolve(config.root, config.build.outDir)
        await build({
          configFile: false,
          root: config.root,
          logLevel: 'warn',
          publicDir: false,
          define: {
            __PRECACHE__: JSON.stringify(await listFiles(folder)),
            __TEXTS__: JSON.stringify(await listTexts(folder)),
            'process.env.NODE_ENV': JSON.stringify('production'),
          },
          build: {
            outDir: folder,
            emptyOutDir: false,
            target: 'es2022',
            rolldownOptions: {
              input: join(config.root, 'src/service-worker/service-worker.ts'),
              output: { entryFileNames: 'sw.js', format: 'iife' },
            },
          },
        })
      },
    },
  }
}

async function listTexts(folder: string): Promise<{ tag: string; url: string }[]> {
  const names = await readdir(join(folder, 'assets/texts'))
  return names.sort().flatMap((name) => {
    const tag = /^([a-z]+)-[a-z]+-[\w-]{8}\.json$/.exec(name)?.[1]
    return tag === undefined ? [] : [{ tag, url: `/assets/texts/${name}` }]
  })
}

async function listFiles(folder: string): Promise<{ url: string; revision: string | null }[]> {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => precached.test(name) && !ignored.test(name),
  )
  return Promise.all(
    names.sort().map(async (name) => ({
      url: `/${name}`,
      revision: hashed.test(name)
        ? null
        : createHash('sha256')
            .update(await readFile(join(folder, name)))
            .digest('hex')
            .slice(0, 16),
    })),
  )
}
