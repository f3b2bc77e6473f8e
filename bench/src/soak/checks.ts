import { listBlocked, listFriends, listReceivedRequests, listSentRequests } from '@hither/contract/friends.ts'
import type { ConversationId, MessageId } from '@hither/contract/ids.ts'
import { type Conversation, getConversation, listConversations } from '@hither/contract/messages/messages.ts'
import { listMyPings, listPings, type Ping } from '@hither/contract/pings.ts'
import { updateUser } from '@hither/contract/users.ts'
import type { Device } from './device.ts'
import {
  answersShownTo,
  canSeeChat,
  canSeePing,
  friendsOf,
  historyOf,
  type ModelPing,
  statusOf,
  unreadOf,
} from './model.ts'
import type { Person } from './person.ts'
import { heraldOf, indexOf, type World } from './world.ts'

/** The time for the server to announce activations and expiries, and to show disconnected users as offline. */
const lateMs = 8000
const patienceMs = 90_000

/** Compares the model with the API and with the state of each device. No actions may run meanwhile. */
export async function checkAll(world: World, round: number): Promise<void> {
  await untilAllHeard(world, `herald-${round}`)
  for (const who of world.devices.keys()) await checkPerson(world, who)
}

/** Waits until all devices have reconnected and received a rename of the herald, and with it all earlier changes. */
async function untilAllHeard(world: World, username: string): Promise<void> {
  const { cast, devices, report } = world
  const wait = async (what: string, isDone: (device: Device) => boolean) => {
    const startedAt = Date.now()
    while (![...devices.values()].every(isDone)) {
      if (Date.now() - startedAt > patienceMs) {
        const late = [...devices].filter(([, device]) => !isDone(device)).map(([who]) => cast[who]?.username)
        report.violation('late', `${late} ${what} within ${patienceMs / 1000} s`)
        return
      }
      await pause(200)
    }
  }
  await wait('did not connect again', (device) => device.isLive())
  await pause(lateMs)
  const herald = cast[heraldOf(world)] as Person
  await herald.call(updateUser, { params: { id: herald.id }, body: { username } })
  await wait(`did not receive ${username}`, (device) => device.received(username))
  await Promise.all([...devices.values()].map((device) => device.settled()))
}

async function checkPerson(world: World, who: number): Promise<void> {
  const { cast, model, devices, report } = world
  const [me, device] = [cast[who] as Person, devices.get(who) as Device]
  const idOf = (index: number) => cast[index]?.id
  const same = (what: string, said: unknown, expected: unknown) => {
    report.count('comparisons')
    const [a, b] = [JSON.stringify(said), JSON.stringify(expected)]
    if (a !== b) report.violation('mismatch', `${me.username}: ${what} is ${difference(a, b)}`)
  }

  const friends = friendsOf(model, who).map((index) => `${idOf(index)} ${devices.has(index)}`)
  const listed = (await me.call(listFriends, {}))?.body ?? []
  same('friends', listed.map((one) => `${one.user_id} ${one.is_online}`).sort(), friends.sort())
  same('friends, live', [...device.state.friends].map(([id, isOnline]) => `${id} ${isOnline}`).sort(), friends)
  const pictured = listed.filter(({ has_image }) => has_image).map(({ user_id }) => indexOf(world, user_id))
  same(
    'pictures',
    pictured.sort(byNumber),
    friendsOf(model, who)
      .filter((one) => model.pictured.has(one))
      .sort(byNumber),
  )

  const requests = [...model.requests.values()].filter(({ from, to }) => from === who || to === who)
  const waiting = [
    ...((await me.call(listReceivedRequests, {}))?.body ?? []),
    ...((await me.call(listSentRequests, {}))?.body ?? []),
  ]
  same('requests', waiting.map(({ id }) => id).sort(), requests.map(({ id }) => id).sort())
  same('requests, live', [...device.state.requests].sort(), requests.map(({ id }) => id).sort())
  const blocked = ((await me.call(listBlocked, {}))?.body ?? []).map(
    ({ user_id }) => `${who}>${indexOf(world, user_id)}`,
  )
  same('blocks', blocked.sort(), [...model.blocks].filter((one) => one.startsWith(`${who}>`)).sort())

  await checkPings(world, who, same)
  const own = [...model.pings.values()].filter(({ owner }) => owner === who).map(({ id }) => id)
  same('own pings', ((await me.call(listMyPings, { query: {} }))?.body ?? []).map(({ id }) => id).sort(), own.sort())
  await checkChats(world, who, same)
}

type Same = (what: string, said: unknown, expected: unknown) => void

async function checkPings(world: World, who: number, same: Same): Promise<void> {
  const { cast, model, devices } = world
  const device = devices.get(who) as Device
  const listed = new Map(
    ((await (cast[who] as Person).call(listPings, { query: {} }))?.body ?? []).map((ping) => [ping.id, ping]),
  )
  const now = Date.now()
  for (const ping of model.pings.values()) {
    if (isOnTheEdge(ping, now)) {
      listed.delete(ping.id)
      continue
    }
    const status = statusOf(ping, now)
    const said = listed.get(ping.id)
    listed.delete(ping.id)
    const isShown = canSeePing(model, ping, who) && status !== 'expired'
    same(`ping ${ping.id}`, said && shownOf(world, said), isShown ? expectedOf(world, ping, who, status) : undefined)
    if (!isShown) continue
    const received = device.state.pings.get(ping.id)
    const live = { status, hasImage: ping.hasImage, expiresAt: new Date(ping.expiresAt).toISOString() }
    same(`ping ${ping.id}, live`, received, live)
    const answers = device.state.answers.get(ping.id)
    if (answers) {
      const received = [...answers].map(([id, type]) => `${indexOf(world, id)} ${type}`).sort()
      same(`answers to ${ping.id}, live`, received, answersShownTo(model, ping, who))
    }
  }
  same('further pings', [...listed.keys()], [])
  const unseen = [...device.state.pings].flatMap(([id]) => {
    const ping = model.pings.get(id)
    return ping && canSeePing(model, ping, who) ? [] : [id]
  })
  same('pings known but not shown', unseen, [])
}

function isOnTheEdge({ activatesAt, expiresAt }: ModelPing, now: number): boolean {
  return [activatesAt, expiresAt].some((at) => at !== null && now > at - 5000 && now < at + lateMs)
}

function shownOf(world: World, ping: Ping) {
  return {
    name: ping.name,
    message: ping.message,
    status: ping.status,
    hasImage: ping.has_image,
    expiresAt: Date.parse(ping.expires_at),
    guests: ping.recipients.map(({ recipient_id }) => indexOf(world, recipient_id)).sort(byNumber),
    answers: ping.responses.map((one) => `${indexOf(world, one.user_id)} ${one.response_type}`).sort(),
  }
}

function expectedOf({ model }: World, ping: ModelPing, who: number, status: string) {
  return {
    name: ping.name,
    message: ping.message,
    status,
    hasImage: ping.hasImage,
    expiresAt: ping.expiresAt,
    guests: ping.guests
      .filter((one) => model.friendships.has(`${Math.min(one, ping.owner)}+${Math.max(one, ping.owner)}`))
      .sort(byNumber),
    answers: answersShownTo(model, ping, who),
  }
}

async function checkChats(world: World, who: number, same: Same): Promise<void> {
  const { cast, model, devices } = world
  const [me, device] = [cast[who] as Person, devices.get(who) as Device]
  const chats = [...model.chats.values()].filter((chat) => canSeeChat(model, chat, who))
  const listed: Conversation[] = (await me.call(listConversations, {}))?.body ?? []
  same('conversations', listed.map(({ id }) => id).sort(), chats.map(({ id }) => id).sort())
  same('conversations, live', [...device.state.chats.keys()].sort(), chats.map(({ id }) => id).sort())
  const times = listed.map(({ updated_at }) => updated_at)
  same('the order of conversations', times, [...times].sort().reverse())
  for (const chat of chats) {
    const said = listed.find(({ id }) => id === chat.id)
    const members = [...chat.members].map(([index, one]) => `${index} ${one.isAdmin} ${one.lastRead}`).sort()
    // A sender has read their own messages.
    const readBy = (index: number, upTo: number) => {
      const lastRead = chat.members.get(index)?.lastRead ?? 0
      const between = [...chat.messages].filter(([seq]) => seq > lastRead && seq <= upTo)
      const isOwn =
        between.length === upTo - lastRead && between.every(([, one]) => one.sender === index || one.isDeleted)
      return isOwn ? lastRead : upTo
    }
    const participants = said?.participants.map((one) => {
      const index = indexOf(world, one.user_id)
      return `${index} ${one.role === 'admin'} ${readBy(index, one.last_read_seq)}`
    })
    const history = historyOf(chat)
    same(`name of ${chat.id}`, said?.name, chat.name)
    same(`members of ${chat.id}`, participants?.sort(), members)
    same(`unread of ${chat.id}`, said?.unread_count, unreadOf(chat, who))
    same(`latest of ${chat.id}`, said?.last_message ? lineOf(world, said.last_message) : undefined, history.at(-1))
    same(`messages of ${chat.id}`, await readHistory(world, me, chat.id), history)
    const received = [...(device.state.chats.get(chat.id)?.values() ?? [])].map((line) => {
      const [seq, sender, ...content] = line.split(' ')
      return `${seq} ${indexOf(world, sender ?? null)} ${content.join(' ')}`
    })
    same(`messages of ${chat.id}, live`, received.sort(bySeq), history)
  }
}

async function readHistory(world: World, me: Person, id: ConversationId): Promise<string[]> {
  const lines: string[] = []
  for (let before: MessageId | undefined; ; ) {
    const answer = await me.call(getConversation, {
      params: { id },
      query: { limit: 100, ...(before !== undefined && { before }) },
    })
    if (!answer) return lines
    const { messages, has_more } = answer.body.message_details
    lines.unshift(...messages.map((one) => lineOf(world, one)))
    before = messages[0]?.id
    if (!has_more || before === undefined) return lines
  }
}

const lineOf = (
  world: World,
  { seq, sender_id, content }: { seq: number; sender_id: string | null; content: string },
) => `${seq} ${indexOf(world, sender_id)} ${content}`

const bySeq = (a: string, b: string) => Number.parseInt(a, 10) - Number.parseInt(b, 10)
const byNumber = (a: number, b: number) => a - b

/** The parts of two long texts around their first difference. */
function difference(said = 'nothing', expected = 'nothing'): string {
  let at = 0
  while (at < said.length && said[at] === expected[at]) at++
  const from = Math.max(0, at - 60)
  return `…${said.slice(from, at + 160)}… where it should be …${expected.slice(from, at + 160)}…`
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
