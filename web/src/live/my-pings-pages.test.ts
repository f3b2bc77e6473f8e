import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { OwnPing } from '@hither/contract/pings.ts'
import { pageMax } from '@hither/contract/runtime/pages.ts'
import { QueryClient } from '@tanstack/react-query'
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { setBaseAddress } from '../api/base-address.ts'
import { storeTokens } from '../api/stored-session.ts'
import { pingRow } from '../pings/harness.ts'
import { loadMoreMyPings, myPingsQuery } from '../pings/pings.api.ts'
import { createChangeApplier } from './change-applier.ts'

const ann = 'ann' as UserId
const { queryKey } = myPingsQuery()

/** Expired pins of ann, newest first. */
const pins: OwnPing[] = Array.from({ length: pageMax + 20 }, (_, index) => ({
  ...pingRow,
  id: `p${index}` as PingId,
  user_id: ann,
  created_at: new Date(Date.UTC(2026, 10, 21) - index * 60_000).toISOString(),
  status: 'expired',
  access: 'owner',
  can_respond: false,
  invited_all: false,
  audience: { circle_ids: [], recipient_ids: [], former_friend_count: 0 },
  place_known_by: [],
  recipients: [],
  responses: [],
  guests: [],
  trips: [],
}))
const firstPage = pins.slice(0, pageMax)

let queryClient: QueryClient
/** Responds to the requests that have arrived, in the order of their arrival. */
let waiting: { before: string | null; respond: () => void }[]

beforeEach(async () => {
  queryClient = new QueryClient()
  waiting = []
  const server = createServer((request, response) => {
    const before = new URL(request.url ?? '', 'http://localhost').searchParams.get('before')
    const start = pins.findIndex(({ id }) => id === before) + 1
    const respond = () => {
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify(pins.slice(start, start + pageMax)))
    }
    waiting.push({ before, respond })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  setBaseAddress(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  storeTokens({ access_token: 'access', refresh_token: 'refresh', expires_at: 2_000_000_000 })
  queryClient.setQueryData(queryKey, firstPage)
})

async function arrivedRequest(before: string | null) {
  const request = await vi.waitFor(() => {
    const index = waiting.findIndex((one) => one.before === before)
    expect(index).not.toBe(-1)
    return waiting.splice(index, 1)[0]
  })
  return { respond: () => request?.respond() }
}

const shown = () => queryClient.getQueryData(queryKey)?.map(({ id }) => id)
const idsOf = (list: readonly OwnPing[]) => list.map(({ id }) => id)

it('a page of own pins that is loaded during a read of the list stays', async () => {
  const read = queryClient.query({ ...myPingsQuery(), staleTime: 0 })
  const first = await arrivedRequest(null)
  const more = loadMoreMyPings(queryClient)
  const next = await arrivedRequest(firstPage.at(-1)?.id ?? '')
  next.respond()
  expect(await more).toBe(false)
  expect(shown()).toEqual(idsOf(pins))

  first.respond()
  const repeated = await arrivedRequest(firstPage.at(-1)?.id ?? '')
  repeated.respond()
  await read
  expect(shown()).toEqual(idsOf(pins))
})

it('a pin that is deleted while its page is loaded is not shown', async () => {
  const changes = createChangeApplier(queryClient, ann, () => true)
  onTestFinished(() => changes.stop())
  const more = loadMoreMyPings(queryClient)
  const next = await arrivedRequest(firstPage.at(-1)?.id ?? '')
  const deleted = pins.at(-1)?.id as PingId
  changes.apply({ table: 'location_pins', eventType: 'DELETE', new: {}, old: { id: deleted } })
  next.respond()
  await more
  expect(shown()).toEqual(idsOf(pins.slice(0, -1)))
})
