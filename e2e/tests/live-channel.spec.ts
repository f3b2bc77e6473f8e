import { createRequire } from 'node:module'
import type { MessageId } from '@hither/contract/ids.ts'
import { createConversation, sendMessage } from '@hither/contract/messages/messages.ts'
import type { Page } from '@playwright/test'
import type { RealtimeClient as Client } from '@supabase/realtime-js'
import { build, type Rolldown } from 'vite'
import { expect, test } from '../fixtures.ts'
import { dropPing, type Person } from '../people.ts'
import { openTcpProxy } from '../tcp-proxy.ts'

declare global {
  interface Window {
    official: { RealtimeClient: typeof Client }
    received: unknown[]
    statuses: string[]
    client: Client
  }
}

/** Bundles the published official client for a page without the app. */
async function bundle(): Promise<string> {
  const entry = createRequire(import.meta.url).resolve('@supabase/realtime-js')
  const built = (await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, lib: { entry, name: 'official', formats: ['iife'] } },
  })) as Rolldown.RolldownOutput[]
  return built[0]?.output[0].code ?? ''
}

let official: string
test.beforeAll(async () => {
  official = await bundle()
})

/** Opens the client as this user on a page of the origin that is not part of the app. */
async function open(page: Page, origin: string, { session }: Person, vsn: string): Promise<void> {
  await page.goto(`${origin}/api/config`)
  await page.evaluate(`${official}\nwindow.official = official`)
  await page.evaluate(
    async ([token, version]) => {
      window.received = []
      window.statuses = []
      const endpoint = `${location.origin.replace('http', 'ws')}/api/realtime/v1`
      const params = { apikey: 'anon' }
      const options = { params, vsn: version as '2.0.0', reconnectAfterMs: () => 100 }
      window.client = new window.official.RealtimeClient(endpoint, options)
      await window.client.setAuth(token as string)
    },
    [session.access_token, vsn],
  )
}

const statuses = (page: Page) => page.evaluate(() => window.statuses)
const received = (page: Page) => page.evaluate(() => window.received)

for (const vsn of ['1.0.0', '2.0.0']) {
  test(`the official client in a browser, version ${vsn}: feeds, refusals, presence and broadcasts`, async ({
    person,
    friends,
    api,
    browserOf,
    baseURL: base,
  }) => {
    const baseURL = String(base)
    const [ann, bob, eve] = [await person('ann'), await person('bob'), await person('eve')]
    await friends(ann, bob)
    const { id } = await api(createConversation, { body: { participant_ids: [bob.session.user.id] } }, ann)
    const [annPage, bobPage, evePage] = [await browserOf(null), await browserOf(null), await browserOf(null)]
    await open(annPage, baseURL, ann, vsn)
    await open(bobPage, baseURL, bob, vsn)
    await open(evePage, baseURL, eve, vsn)

    await bobPage.evaluate((conversation) => {
      const channel = window.client.channel('everything', { config: { presence: { key: 'mine' } } })
      const on = (what: string) => (change: { eventType: string; new: Record<string, unknown> }) =>
        window.received.push(`${what} ${change.eventType} ${change.new.name ?? change.new.content}`)
      channel.on('postgres_changes', { event: '*', schema: 'public', table: 'location_pins' }, on('ping'))
      const filter = `conversation_id=eq.${conversation}`
      channel.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'messages', filter }, on('message'))
      channel.subscribe((status) => window.statuses.push(status))
    }, id)
    await expect.poll(() => statuses(bobPage)).toEqual(['SUBSCRIBED'])
    await dropPing(baseURL, ann, { name: 'Coffee' })
    await api(sendMessage, { body: { conversation_id: id, content: 'hello' } }, ann)
    await expect.poll(() => received(bobPage)).toEqual(['ping INSERT Coffee', 'message INSERT hello'])

    await evePage.evaluate((conversation) => {
      const filter = `conversation_id=eq.${conversation}`
      const channel = window.client.channel('not hers')
      channel.on('postgres_changes', { event: '*', schema: 'public', table: 'messages', filter }, () => {})
      channel.subscribe((status, error) => window.statuses.push(`${status} ${error?.message}`))
    }, id)
    await expect.poll(async () => String((await statuses(evePage))[0])).toMatch(/^CHANNEL_ERROR .*not a member/)

    for (const page of [annPage, bobPage])
      await page.evaluate(async (conversation) => {
        window.received = []
        const config = { broadcast: { ack: true, self: true } }
        const chat = window.client.channel(`conversation:${conversation}`, { config })
        chat.on('broadcast', { event: 'typing' }, ({ payload }) => window.received.push(payload))
        await new Promise<void>((resolve) => {
          chat.subscribe((status) => status === 'SUBSCRIBED' && resolve())
        })
      }, id)
    const typing = { user_id: ann.session.user.id }
    const answer = await annPage.evaluate(
      ([conversation, payload]) =>
        window.client
          .channel(`conversation:${conversation}`)
          .send({ type: 'broadcast', event: 'typing', payload: payload as object }),
      [id, { ...typing, emoji: 'é😀' }] as const,
    )
    expect(answer).toBe('ok')
    await expect.poll(() => received(annPage)).toEqual([typing])
    await expect.poll(() => received(bobPage)).toEqual([typing])

    for (const page of [annPage, bobPage, evePage])
      await page.evaluate(async () => {
        window.received = []
        const online = window.client.channel('online-users')
        online.on('presence', { event: 'sync' }, () => {
          window.received = Object.keys(online.presenceState()).sort()
        })
        await new Promise<void>((resolve) => {
          online.subscribe((status) => status === 'SUBSCRIBED' && resolve())
        })
        await online.track({ user_id: 'forged' })
      })
    const both = [ann.session.user.id, bob.session.user.id].sort()
    await expect.poll(() => received(annPage)).toEqual(both)
    await expect.poll(() => received(bobPage)).toEqual(both)
    await expect.poll(() => received(evePage)).toEqual([eve.session.user.id])
    await annPage.close()
    await expect.poll(() => received(bobPage)).toEqual([bob.session.user.id])
  })
}

test('the official client in a browser receives every change once and in order over a connection that breaks repeatedly', async ({
  person,
  friends,
  api,
  browserOf,
  expectConsole,
  baseURL: base,
}) => {
  const baseURL = String(base)
  expectConsole(/WebSocket connection/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await api(createConversation, { body: { participant_ids: [bob.session.user.id] } }, ann)
  const line = await openTcpProxy(baseURL)
  try {
    const page = await browserOf(null)
    await open(page, line.origin, bob, '2.0.0')
    await page.evaluate(() => {
      const channel = window.client.channel('messages')
      const resume: { after?: string } = {}
      channel.updateJoinPayload({ resume })
      channel.on('system', {}, ({ extension, position }: { extension: string; position?: string }) => {
        if (extension === 'position') resume.after = position as string
      })
      channel.on('postgres_changes', { event: 'INSERT', schema: 'public', table: 'messages' }, (change) => {
        resume.after = change.commit_timestamp
        window.received.push(change.new.id)
      })
      channel.subscribe((status) => window.statuses.push(status))
    })
    await expect.poll(() => statuses(page)).toEqual(['SUBSCRIBED'])
    const sent: MessageId[] = []
    for (let index = 1; index <= 60; index++) {
      const { message } = await api(sendMessage, { body: { conversation_id: id, content: String(index) } }, ann)
      sent.push(message.id)
      if (index % 15 === 0) line.cut()
    }
    await expect.poll(() => received(page), { timeout: 20_000 }).toEqual(sent)
    expect((await statuses(page)).filter((status) => status === 'CHANNEL_ERROR').length).toBeGreaterThan(0)
  } finally {
    line.close()
  }
})

test('the app resumes after interruptions from its first position and from a later one, and loads nothing again', async ({
  person,
  friends,
  api,
  browserOf,
  expectConsole,
}) => {
  expectConsole(/WebSocket connection/)
  const [ann, bob] = [await person('ann'), await person('bob')]
  await friends(ann, bob)
  const { id } = await api(createConversation, { body: { participant_ids: [bob.session.user.id] } }, ann)
  await api(sendMessage, { body: { conversation_id: id, content: 'before' } }, ann)
  const page = await browserOf(bob)
  const joins: { after?: string }[] = []
  const positions: string[] = []
  let notices = 0
  let isDown = false
  let cut = async () => {}
  await page.routeWebSocket(/realtime/, (socket) => {
    if (isDown) return void socket.close({ code: 4002 })
    const server = socket.connectToServer()
    cut = () => socket.close({ code: 4002 })
    const read = (message: string | Buffer) => {
      const [, , topic, event, payload] = typeof message === 'string' ? JSON.parse(message) : []
      return topic === 'realtime:changes' ? { event, payload } : {}
    }
    socket.onMessage((message) => {
      const { event, payload } = read(message)
      if (event === 'phx_join') joins.push(payload.resume)
      server.send(message)
    })
    server.onMessage((message) => {
      const { event, payload } = read(message)
      socket.send(message)
      if (payload?.extension === 'resync') notices++
      const position = event === 'postgres_changes' ? payload.data.commit_timestamp : payload?.position
      // The first connection is lost before anything has changed.
      if (position && positions.push(position) === 1) void cut()
    })
  })
  await page.goto('/chat')
  await expect(page.getByText('before')).toBeVisible()
  await expect.poll(() => joins.length).toBe(2)
  expect(joins).toEqual([{}, { after: positions[0] }])
  await page.waitForLoadState('networkidle')

  const requested: string[] = []
  page.on('request', (request) => requested.push(new URL(request.url()).pathname))
  isDown = true
  await cut()
  const last = positions.at(-1)
  await api(sendMessage, { body: { conversation_id: id, content: 'missed' } }, ann)
  isDown = false
  await expect(page.getByText('missed')).toBeVisible()

  expect(joins.at(-1)).toEqual({ after: last })
  expect(notices).toBe(1)
  // After a lost connection the app checks whether its session has ended.
  expect(requested.filter((path) => path.startsWith('/api/'))).toEqual(['/api/users/me'])
})
