import type { QueryClient } from '@tanstack/react-query'
import { call } from '../../api/transport.ts'
import { withPlace } from '../ping-changes.ts'
import { patchPing } from '../pings.cache.ts'
import type { WaitingResponse } from './outbox.rules.ts'

type GivenResponse = Pick<WaitingResponse, 'ping_id' | 'response_type' | 'revision'>

/**
 * Sends or removes the viewer's response, and applies the place that the viewer may know from now on. Idempotent, because the
 * server stores one response per user.
 */
export async function sendResponse(
  queryClient: QueryClient,
  { ping_id, response_type, revision }: GivenResponse,
): Promise<void> {
  if (response_type === null) return void (await call('DELETE /pings/respond/:id', { params: { id: ping_id } }))
  const body = { ping_id, response_type, ...(revision !== undefined && { revision }) }
  const { place } = await call('POST /pings/respond', { body })
  if (place !== undefined) patchPing(queryClient, ping_id, (ping) => withPlace(ping, place))
}
