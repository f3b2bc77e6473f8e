import { type AuthSession, login } from '@hither/contract/auth/auth.ts'
import { splitAddress } from '@hither/contract/runtime/address.ts'
import type { Pool } from '../../../server/src/platform/db/database.ts'
import { emailOf, password } from '../data-set.ts'

/** A user of the measurement, with the ids that their calls use. */
interface Visitor {
  readonly id: string
  readonly email: string
  readonly friends: readonly string[]
  readonly conversations: readonly { readonly id: string; readonly others: readonly string[] }[]
  readonly invitations: readonly { readonly id: string; readonly owner: string }[]
}

export type SignedIn = Visitor & { readonly token: string }

/** Lists the first users of the data set, who have the most data. */
export async function listVisitors(pool: Pool, count: number): Promise<Visitor[]> {
  const emails = Array.from({ length: count }, (_, n) => emailOf(n))
  return pool<Visitor[]>`
    select u.id, u.email, (
        select json_agg(case when f.requester_id = u.id then f.requested_id else f.requester_id end order by f.id)
        from friendships f where u.id in (f.requester_id, f.requested_id)
      ) as friends, (
        select json_agg(json_build_object('id', m.chat_id, 'others', (
          select json_agg(o.user_id) from chat_members o where o.chat_id = m.chat_id and o.user_id <> u.id
        )) order by m.chat_id)
        from chat_members m where m.user_id = u.id
      ) as conversations, (
        select json_agg(json_build_object('id', p.id, 'owner', p.user_id) order by p.id)
        from ping_recipients r join location_pins p on p.id = r.ping_id
        where r.recipient_id = u.id and r.expires_at > now()
      ) as invitations
    from users u where u.email = any(${emails}::text[]) order by u.created_at`
}

/** Signs in the users over HTTP, a few at a time. */
export async function signIn(url: string, visitors: readonly Visitor[]): Promise<SignedIn[]> {
  const signedIn: SignedIn[] = []
  const waiting = [...visitors]
  const work = async () => {
    for (let next = waiting.shift(); next; next = waiting.shift())
      signedIn.push({ ...next, token: (await openSession(url, next)).access_token })
  }
  await Promise.all([work(), work(), work()])
  return signedIn
}

async function openSession(url: string, { email }: Visitor): Promise<AuthSession> {
  const response = await fetch(`${url}/api${splitAddress(login.address).path}`, {
    method: splitAddress(login.address).method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  if (!response.ok) throw new Error(`Sign-in answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as AuthSession
}
