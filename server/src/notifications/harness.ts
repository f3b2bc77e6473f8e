import { login } from '@hither/contract/auth/auth.ts'
import type { ConversationId, PingId } from '@hither/contract/ids.ts'
import {
  muteConversation,
  type NotificationPreferencesPatch,
  subscribeToPush,
  updateNotificationPreferences,
} from '@hither/contract/notifications.ts'
import { changePing, type ResponseType, respondToPing } from '@hither/contract/pings.ts'
import { pino } from 'pino'
import { expect } from 'vitest'
import { type Person, password, startServer, type TestServer } from '../../test/harness.ts'
import { openPushService } from '../../test/push-service.ts'
import { createApp } from '../app.ts'
import { createTokens } from '../auth/tokens.ts'
import { readConfig } from '../config.ts'
import { actionsOn } from '../messages/harness.ts'

// The secret that `startServer` signs access tokens with.
const authSecret = 'a secret for tests, long enough to sign'

export const secondMs = 1000
export const minuteMs = 60_000

/**
 * ann; bob and cat, her friends; dan, a friend of bob; eve, a stranger to all of them. Each has one device with push.
 */
export type Cast = Awaited<ReturnType<typeof startCast>>

export async function startCast(
  portFor?: (port: number) => Promise<number>,
  environment: Readonly<Record<string, string>> = {},
) {
  const service = await openPushService(undefined, portFor)
  const server = await startServer({ PUSH_HOSTS: service.origin, ...environment })
  const people = (await Promise.all(['ann', 'bob', 'cat', 'dan', 'eve'].map((name) => server.signUp(name)))).map(
    (person) => withLastingToken(server, person),
  )
  const [ann, bob, cat, dan, eve] = people as [Person, Person, Person, Person, Person]
  const subscribe = async (who: Person, device: string) => {
    const body = service.subscribe(device)
    const { status } = await server.call(subscribeToPush, { body }, who)
    if (status !== 204) throw new Error(`${device} was refused with ${status}`)
    return body
  }
  const cast = {
    service,
    server,
    ann,
    bob,
    cat,
    dan,
    eve,
    ...actionsOn(server),
    respond: (ping: { id: PingId }, who: Person, response_type: ResponseType) =>
      server.call(respondToPing, { body: { ping_id: ping.id, response_type } }, who),
    endPing: (ping: { id: PingId }, who: Person) =>
      server.call(changePing, { params: { id: ping.id }, body: { end: true } }, who),
    subscribe,
    async signInAgain(who: Person): Promise<Person> {
      const { body } = await server.call(login, { body: { email: who.email, password } })
      return withLastingToken(server, { ...who, session: body })
    },
    prefer: (who: Person, body: NotificationPreferencesPatch) =>
      server.call(updateNotificationPreferences, { body }, who),
    mute: (who: Person, conversationId: ConversationId, muted_until: string | null) =>
      server.call(muteConversation, { params: { conversationId }, body: { muted_until } }, who),
    /** Sends everything that is due, including messages, and returns the pushes that arrived. */
    async arrivals() {
      const before = service.received.length
      await server.app.pushJobs.runDue()
      server.clock.advance(3 * secondMs)
      await server.app.pushJobs.runDue()
      return service.received.slice(before).sort((a, b) => (a.device < b.device ? -1 : 1))
    },
    /** Like `arrivals`, as short texts: who was notified, and how. */
    async notified() {
      return (await cast.arrivals())
        .map(({ device, payload }) => `${device}: ${payload.title} | ${payload.body}`)
        .sort()
    },
    /** Sends what is due, and calls `act` while the push service takes five seconds for its responses. */
    async whileSending(act: () => Promise<unknown>): Promise<void> {
      const response = Promise.withResolvers<void>()
      const before = service.attempts
      service.answer = { status: 201, until: response.promise }
      const sent = server.app.pushJobs.runDue()
      await expect.poll(() => service.attempts).toBeGreaterThan(before)
      server.clock.advance(secondMs)
      await act()
      server.clock.advance(4 * secondMs)
      response.resolve()
      await sent
      service.answer = { status: 201 }
    },
    waiting: async () =>
      (await server.db`select attempts from push_deliveries order by id`).map((row) => Number(row['attempts'])),
    /** Restores the initial state: no messages, default preferences, one device each. */
    async reset() {
      await cast.clear()
      await server.db`
        truncate push_subscriptions, notification_preferences, chats, friend_requests, friendships, blocks cascade`
      await server.befriend(ann, bob)
      await server.befriend(ann, cat)
      await server.befriend(bob, dan)
      await server.db`delete from push_deliveries`
      Object.assign(service, { answer: { status: 201 }, attempts: 0 })
      for (const who of people) await subscribe(who, who.username)
    },
    /** Starts another node on the same database and records its log lines. */
    async startNode() {
      const lines: string[] = []
      const app = await createApp({
        config: { ...readConfig({ RATE_LIMITS: 'off', PUSH_HOSTS: service.origin }), port: 0 },
        pool: server.db,
        authSecret,
        log: pino({ level: 'trace' }, { write: (line) => lines.push(line) }),
        now: server.clock.now,
      })
      return { app, lines }
    },
    async close() {
      await server.close()
      await service.close()
    },
  }
  return cast
}

/** Gives a user a token that outlives every push: the clock of these tests runs for days. */
function withLastingToken(server: TestServer, person: Person): Person {
  const { sid } = JSON.parse(String(Buffer.from(person.session.access_token.split('.')[1] ?? '', 'base64url')))
  const later = () => new Date(server.clock.now().getTime() + 365 * 24 * 60 * minuteMs)
  const { token } = createTokens(authSecret, later).issue(person.id, sid)
  return { ...person, session: { ...person.session, access_token: token } }
}
