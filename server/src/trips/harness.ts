import type { FeedName } from '@hither/contract/feeds.ts'
import type { PingId } from '@hither/contract/ids.ts'
import type { CreatePing, Ping } from '@hither/contract/pings.ts'
import { arriveAtPing, shareTrip, stopTrip, type Trip } from '@hither/contract/trips.ts'
import { type Person, receivedBy } from '../../test/harness.ts'
import { startCast as startPings } from '../pings/harness.ts'

/** The cast of pings: ann owns; bob and cat are her friends; eve is a stranger to all of them. With the actions of trips. */
export type Cast = Awaited<ReturnType<typeof startCast>>

const feeds: FeedName[] = ['ping_trips', 'ping_responses', 'location_pins', 'users']

export async function startCast() {
  const cast = await startPings()
  const { server } = cast
  const withStart = (started_at: string | undefined) => (started_at === undefined ? {} : { started_at })
  const share = (id: PingId, eta_minutes: number, who: Person, started_at?: string) =>
    server.call(shareTrip, { params: { id }, body: { eta_minutes, ...withStart(started_at) } }, who)
  return {
    ...cast,
    share,
    /** Starts or changes a trip and fails the test if the server refuses it. */
    async go(id: PingId, who: Person, minutes = 10): Promise<Trip> {
      const { status, body } = await share(id, minutes, who)
      if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
      return body
    },
    arrive: (id: PingId, who: Person, started_at?: string) =>
      server.call(arriveAtPing, { params: { id }, body: withStart(started_at) }, who),
    stop: (id: PingId, who: Person) => server.call(stopTrip, { params: { id } }, who),
    /** Creates a ping of ann for bob and cat, to which these people are going. */
    async dropFor(going: readonly Person[], fields: Partial<CreatePing> = {}): Promise<Ping> {
      const ping = await cast.drop(cast.ann, { duration_minutes: 120, ...fields })
      for (const person of going) await cast.respond(ping.id, 'accepted', person)
      return ping
    },
    /** The usernames of the travelers whose trips a person sees on the page of a ping, which the list must confirm. */
    async seenBy(id: PingId, who: Person): Promise<string[]> {
      const page = (await cast.read(id, who)).body as Partial<Ping>
      const listed = (await cast.list(who)).body.find((ping) => ping.id === id)
      const names = namesOf(page.trips)
      if (listed && namesOf(listed.trips).join() !== names.join()) throw new Error('The list and the page differ')
      return names
    },
    rows: () => server.db<{ user_id: string; state: string }[]>`select user_id, state from ping_trips order by user_id`,
    /** Runs an action and returns the changes that each person receives by it, such as "ping_trips INSERT bob". */
    async watch(people: readonly Person[], action: () => Promise<unknown>, tables = feeds): Promise<string[][]> {
      const listeners = await Promise.all(people.map((person) => server.listen(person, tables)))
      await action()
      const received: string[][] = []
      for (const [index, person] of people.entries()) {
        const listener = listeners[index]
        if (!listener) continue
        const changes = await receivedBy(server, person, listener)
        received.push(
          changes.map(({ table, eventType, new: row, old }) => nameOf(table, eventType, { ...old, ...row })),
        )
        await listener.close()
      }
      return received
    },
  }

  function nameOf(table: string, eventType: string, row: Record<string, unknown>): string {
    if (table === 'location_pins') return `${table} ${eventType}`
    const people = [cast.ann, cast.bob, cast.cat, cast.eve]
    const person = people.find(({ id }) => id === row['user_id'])
    return `${table} ${eventType} ${person?.username ?? 'unknown'}`
  }
}

function namesOf(trips: readonly Trip[] | undefined): string[] {
  return (trips ?? []).map(({ username }) => username)
}
