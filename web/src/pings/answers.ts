import { removeResponse, respondToPing } from '@hither/contract/pings.ts'
import { call } from '../api/transport.ts'
import { type WaitingAnswer } from './waiting.rules.ts'

/** Twice is as good as once: the server keeps one answer a person. */
export async function sendAnswer({ ping_id, response_type }: Pick<WaitingAnswer, 'ping_id' | 'response_type'>) {
  if (response_type === null) await call(removeResponse, { params: { id: ping_id } })
  else await call(respondToPing, { body: { ping_id, response_type } })
}
