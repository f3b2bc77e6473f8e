import { type CreatePing, type Ping, respondToPing } from '@hither/contract/pings.ts'
import { shareTrip, type Trip } from '@hither/contract/trips.ts'
import type { Page } from '@playwright/test'
import { befriend, call, dropPing, type Person, signUp } from './people.ts'

/** A pin of ann to which bob is going. */
export interface Meeting {
  readonly ann: Person
  readonly bob: Person
  readonly ping: Ping
}

export async function startMeeting(base: string, fields: Partial<CreatePing> = {}): Promise<Meeting> {
  const [ann, bob] = [await signUp(base, 'ann'), await signUp(base, 'bob')]
  await befriend(base, ann, bob)
  return { ann, bob, ping: await dropPingFor(base, ann, bob, fields) }
}

/** Drops a pin of ann to which bob is going. */
export async function dropPingFor(
  base: string,
  ann: Person,
  bob: Person,
  fields: Partial<CreatePing> = {},
): Promise<Ping> {
  const ping = await dropPing(base, ann, fields)
  await call(base, respondToPing, { body: { ping_id: ping.id, response_type: 'accepted' } }, bob)
  return ping
}

export function share(base: string, who: Pick<Person, 'session'>, ping: Ping, eta_minutes = 12): Promise<Trip> {
  return call(base, shareTrip, { params: { id: ping.id }, body: { eta_minutes } }, who)
}

/** The trip of bob as ann sees it. */
export async function tripAt(base: string, { ann, ping }: Pick<Meeting, 'ann' | 'ping'>): Promise<Trip | undefined> {
  const response = await fetch(`${base}/api/pings/${ping.id}`, {
    headers: { authorization: `Bearer ${ann.session.access_token}` },
  })
  return ((await response.json()) as Ping).trips[0]
}

export const barOf = (page: Page) => page.getByRole('region', { name: 'On my way', exact: true })
