import { randomUUID } from 'node:crypto'
import { listFriends } from '@hither/contract/friends.ts'
import { getConversation, listConversations, sendMessage } from '@hither/contract/messages/messages.ts'
import type { Operation } from '@hither/contract/operation.ts'
import { createPing, listPings, respondToPing } from '@hither/contract/pings.ts'
import type { SignedIn } from './visitors.ts'

/** The values that replayed statements may use: the inputs of a call, and ids that the response of the product contains. */
export type Inputs = Readonly<Record<string, string | readonly string[]>>

/** One call, in the forms for the product and for the bare handler. */
export interface Call {
  readonly workload: string
  readonly operation: Operation
  /** Absent for visitors. */
  readonly token?: string
  readonly params: Readonly<Record<string, string>>
  /** Only for the product. */
  readonly query?: Readonly<Record<string, string>>
  readonly body?: object
  readonly inputs: Inputs
}

export interface Workload {
  readonly id: string
  readonly name: string
  next(visitors: readonly SignedIn[]): Call
}

type Asked = Pick<Call, 'query' | 'body' | 'inputs'> & { params?: Record<string, string> }

/** The workloads in the order of the report, with their share of the mix. */
const shares = [
  share('R1', '50 friends', 10, listFriends, () => ({ inputs: {} })),
  share('R2', 'pings one sees, about 20', 30, listPings, () => ({ query: { recipients: 'own' }, inputs: {} })),
  share('R3', 'conversations with unread counts', 20, listConversations, () => ({ inputs: {} })),
  share('R4', 'page of 20 messages', 25, getConversation, ({ conversations }) => {
    const { id } = any(conversations)
    return { params: { id }, inputs: { id } }
  }),
  share('R5', 'send a message', 10, sendMessage, ({ conversations }) => {
    const { id: conversation_id, others } = any(conversations)
    const body = { conversation_id, content: 'On my way, do not wait for me.', client_id: randomUUID() }
    return { body, inputs: { ...body, others } }
  }),
  share('R6', 'ping for 10 friends', 3, createPing, ({ friends }) => {
    const first = Math.floor(Math.random() * 5)
    const recipient_ids = friends.filter((_, index) => index % 5 === first).slice(0, 10)
    const body = { name: 'Coffee', latitude: 40.7, longitude: -73.9, duration_minutes: 60, recipient_ids }
    const inputs = { recipient_ids, client_id: randomUUID() }
    return { body: { ...body, client_id: inputs.client_id }, inputs }
  }),
  share('R7', 'answer a ping', 2, respondToPing, ({ invitations }) => {
    const { id: ping_id, owner } = any(invitations)
    const body = { ping_id, response_type: any(['accepted', 'tentative', 'declined']) }
    return { body, inputs: { ...body, owner } }
  }),
]

const hundred = shares.flatMap(({ workload, part }) => Array.from({ length: part }, () => workload))

export const singleWorkloads: readonly Workload[] = shares.map(({ workload }) => workload)

export const mix: Workload = { id: 'RM', name: 'mix of all', next: (visitors) => any(hundred).next(visitors) }

function share(
  id: string,
  name: string,
  part: number,
  operation: Operation,
  ask: (visitor: SignedIn) => Asked,
): { workload: Workload; part: number } {
  const workload: Workload = {
    id,
    name,
    next(visitors) {
      const visitor = any(visitors)
      const { inputs, ...asked } = ask(visitor)
      return {
        workload: id,
        operation,
        token: visitor.token,
        params: {},
        ...asked,
        inputs: { ...inputs, viewer: visitor.id },
      }
    },
  }
  return { workload, part }
}

function any<T>(list: readonly T[]): T {
  return list[Math.floor(Math.random() * list.length)] as T
}
