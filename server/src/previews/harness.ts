import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { LanguageTag } from '@hither/contract/runtime/locales.ts'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { readConfig } from '../config.ts'
import type { Cast } from '../pings/harness.ts'
import { createServer } from '../platform/http/server.ts'
import { addWebApp } from '../platform/http/web-app.ts'
import { translatorOf } from '../platform/languages/translator.ts'
import { createPreviews } from './previews.service.ts'

export const publicUrl = 'https://hither.example'
const source = fileURLToPath(new URL('../../../web/index.html', import.meta.url))

/** Serves the web app with link previews, as the server does, with the database of the cast. */
export async function serveWebApp(
  cast: Pick<Cast, 'server'>,
  language: LanguageTag = 'en',
): Promise<{ web: FastifyInstance; close(): Promise<void> }> {
  const folder = `${await mkdtemp(join(tmpdir(), 'hither-web-'))}/`
  await copyFile(source, `${folder}index.html`)
  const [config, log] = [readConfig({ PUBLIC_URL: publicUrl, DEFAULT_LOCALE: language }), pino({ level: 'silent' })]
  const web = await createServer(config, log)
  const { getHead } = createPreviews({
    pool: cast.server.db,
    publicUrl,
    translator: translatorOf(language),
    log,
    now: cast.server.clock.now,
  })
  await addWebApp(web, {
    config: { ...config, mapHosts: [] },
    unknown: (_request, reply) => reply.status(404).send(),
    getHead,
    folder,
  })
  return {
    web,
    async close() {
      await web.close()
      await rm(folder, { recursive: true })
    },
  }
}
