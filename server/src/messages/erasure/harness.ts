import type { Conversation } from '@hither/contract/messages/messages.ts'
import type { CreatePing, Ping } from '@hither/contract/pings.ts'
import type { Person } from '../../../test/harness.ts'
import { dayMs, startCast as startPings } from '../../pings/harness.ts'
import { actionsOn } from '../harness.ts'

export { dayMs, minuteMs } from '../../pings/harness.ts'

/** When the chat of a ping is erased by default. */
export const keepMs = 7 * dayMs

/** The cast of pings (ann owns; bob and cat are her friends; eve is a stranger) with the actions of conversations. */
export type Cast = Awaited<ReturnType<typeof startCast>>

export async function startCast(environment: Record<string, string> = {}) {
  const pings = await startPings(undefined, environment)
  const { server, ann, bob, cat } = pings
  const chats = actionsOn(server)

  /** The chat of this ping, with ann, bob and cat. */
  const chatOf = (ping: Pick<Ping, 'id'>): Promise<Conversation> =>
    chats.make(ann, [bob, cat], { name: 'Coffee Chat', ping_id: ping.id, system_created: true })
  return {
    server,
    ann,
    bob,
    cat,
    eve: pings.eve,
    signUp: pings.signUp,
    pings,
    chats,
    chatOf,
    /** Creates a ping of ann with its chat. */
    async pinChat(fields: Partial<CreatePing> = {}) {
      const ping = await pings.drop(ann, fields)
      return { ping, chat: await chatOf(ping) }
    },
    /** Moves the clock to this many milliseconds before the date of a chat. */
    advanceTo(chat: Conversation, beforeMs = 0) {
      server.clock.advance(Date.parse(chat.erase_at ?? '') - beforeMs - server.clock.now().getTime())
    },
    eraseDue: () => server.app.chatErasureJobs.runDue(),
    dateOf: async (chat: Conversation, who: Person = ann) => (await chats.open(chat.id, who)).body.erase_at,
    clear: () => server.db`truncate chats, location_pins, ping_recipients, ping_responses cascade`,
  }
}

/** The time this long after another one. */
export function after(time: string, ms: number): string {
  return new Date(Date.parse(time) + ms).toISOString()
}
