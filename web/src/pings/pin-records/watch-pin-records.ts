import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { OwnPing, ShownPing } from '@hither/contract/pings.ts'
import { pageMax } from '@hither/contract/runtime/pages.ts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { clientConfigQuery } from '../../api/client-config.ts'
import { serverNow } from '../../api/server-time.ts'
import { isTemporary } from '../ping-changes.ts'
import { myPingsQuery, pingQuery, pingsQuery } from '../pings.api.ts'
import { isExact } from '../place/place.rules.ts'
import { recordsRemovedAt } from '../suggestions/stored-suggestions.ts'
import { withSeenPings } from './pin-records.rules.ts'
import { pinRecords } from './pin-records.ts'

const dayMs = 86_400_000

/**
 * Stores a record of each own ping that the app sees with its exact place, and deletes the record when the ping is deleted
 * before its place is erased, on any device. Works until the returned function is called.
 */
export async function watchPinRecords(queryClient: QueryClient, ownerId: UserId): Promise<() => void> {
  /** The pings that were last seen with their exact places. */
  const exact = new Map<PingId, OwnPing>()
  await pinRecords.reread()
  await pinRecords.edit(ownerId, (records) => withSeenPings(records, [], serverNow()))
  for (const { queryKey, state } of queryClient.getQueryCache().findAll({ queryKey: ['pings'] }))
    look(queryKey, state.data)
  return queryClient.getQueryCache().subscribe((event) => {
    if (event.type === 'updated' && event.action.type === 'success') look(event.query.queryKey, event.query.state.data)
  })

  function look(key: QueryKey, data: unknown) {
    const kind = data === undefined ? undefined : kinds.get(key.slice(0, 2).join('/'))
    if (kind === undefined) return
    const pings = kind === 'one' ? [data as ShownPing | null] : (data as readonly ShownPing[])
    const removedAtMs = recordsRemovedAt(ownerId)
    const seen: OwnPing[] = []
    for (const ping of pings) {
      if (ping?.access !== 'owner' || isTemporary(ping.id)) continue
      if (isExact(ping)) seen.push(ping)
      else exact.delete(ping.id)
    }
    for (const ping of seen) exact.set(ping.id, ping)
    const gone = kind === 'one' ? goneFromPage(key, data) : kind === 'mine' ? goneFrom(pings as OwnPing[]) : []
    const unremoved = seen.filter(({ created_at }) => Date.parse(created_at) > removedAtMs)
    store(unremoved, new Set(gone))
  }

  function goneFromPage(key: QueryKey, data: unknown): PingId[] {
    const id = key[2] as PingId
    return data === null && isDeleted(exact.get(id)) ? [id] : []
  }

  /** A list of several pages may lack the oldest pings. */
  function goneFrom(mine: readonly OwnPing[]): PingId[] {
    if (mine.length >= pageMax) return []
    const listed = new Set(mine.map(({ id }) => id))
    return [...exact.values()].filter((ping) => !listed.has(ping.id) && isDeleted(ping)).map(({ id }) => id)
  }

  /** After its retention time, a ping is gone that nobody has deleted. */
  function isDeleted(ping: OwnPing | undefined): boolean {
    const days = queryClient.getQueryData(clientConfigQuery().queryKey)?.erasure?.ping_days ?? 7
    return ping !== undefined && Date.parse(ping.expires_at) + days * dayMs > serverNow()
  }

  function store(seen: readonly OwnPing[], gone: ReadonlySet<PingId>) {
    for (const id of gone) exact.delete(id)
    const change = (records: Parameters<typeof withSeenPings>[0]) => {
      const rest = records.some(({ ping_id }) => gone.has(ping_id))
        ? records.filter(({ ping_id }) => !gone.has(ping_id))
        : records
      return withSeenPings(rest, seen, serverNow())
    }
    if (change(pinRecords.items()) !== pinRecords.items()) void pinRecords.edit(ownerId, change)
  }
}

const kinds = new Map(
  (
    [
      ['list', pingsQuery()],
      ['mine', myPingsQuery()],
      ['one', pingQuery('' as PingId)],
    ] as const
  ).map(([kind, { queryKey }]) => [queryKey.slice(0, 2).join('/'), kind]),
)
