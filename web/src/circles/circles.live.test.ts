import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { clearStoredSession, storeTokens } from '../api/stored-session.ts'
import { circlesQuery } from './circles.api.ts'
import { applyCircleChange } from './circles.live.ts'

const { queryKey } = circlesQuery()
const asked = vi.fn()
let queryClient: QueryClient

beforeEach(() => {
  queryClient = new QueryClient()
  asked.mockReset()
  asked.mockImplementation(async () => new Response('[]', { headers: { 'content-type': 'application/json' } }))
  vi.stubGlobal('fetch', asked)
  storeTokens({ access_token: 'token', refresh_token: 'refresh', expires_at: Date.now() / 1000 + 3600 })
})

afterEach(() => {
  queryClient.clear()
  clearStoredSession()
  vi.unstubAllGlobals()
})

test('circles that are shown without being loaded are read again after a change', async () => {
  const before = [{ id: 'work' }] as never
  queryClient.setQueryData(queryKey, before)
  const shown = new QueryObserver(queryClient, { ...circlesQuery(), enabled: false })
  const unsubscribe = shown.subscribe(() => undefined)
  applyCircleChange(queryClient)
  await vi.waitFor(() => expect(shown.getCurrentResult().data).toEqual([]))
  expect(asked).toHaveBeenCalledTimes(1)
  unsubscribe()
})

test('a change is no reason to load circles that this device has never used', () => {
  applyCircleChange(queryClient)
  expect(asked).not.toHaveBeenCalled()
})
