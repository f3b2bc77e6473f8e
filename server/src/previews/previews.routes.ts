import { getPingPreview } from '@hither/contract/pings.ts'
import type { FastifyInstance } from 'fastify'
import { sendContent } from '../platform/http/content.ts'
import type { Routes } from '../platform/http/routes.ts'
import type { Previews } from './previews.service.ts'

export function addPreviewRoutes(http: FastifyInstance, routes: Routes, previews: Previews): void {
  routes.add(getPingPreview, ({ params }) => previews.getPicture(params.id))
  http.get('/preview.png', { schema: { hide: true } }, async (request, reply) =>
    sendContent(request, reply, 'image/png', await previews.getPicture(null)),
  )
}
