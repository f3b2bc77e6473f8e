import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin, ResolvedConfig } from 'vite'

const compressible = /\.(js|css|html|svg|json|txt|webmanifest|xml|map|geojson|topojson)$/
/** A smaller response fits one packet without compression. */
const minBytes = 1024

/** Writes a `.br` and a `.gz` file for each text file of the build, so that the server never compresses on demand. */
export function precompress(): Plugin {
  let config: ResolvedConfig
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(resolved) {
      config = resolved
    },
    closeBundle: {
      order: 'post',
      async handler() {
        const folder = resolve(config.root, config.build.outDir)
        const names = (await readdir(folder, { recursive: true })).filter((name) => compressible.test(name))
        await Promise.all(names.map((name) => compressFile(join(folder, name))))
      },
    },
  }
}

async function compressFile(path: string) {
  const content = await readFile(path)
  if (content.length < minBytes) return
  const brotli = promisify(brotliCompress)(content, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: content.length },
  })
  const gzipped = promisify(gzip)(content, { level: 9 })
  await Promise.all([writeFile(`${path}.br`, await brotli), writeFile(`${path}.gz`, await gzipped)])
}
