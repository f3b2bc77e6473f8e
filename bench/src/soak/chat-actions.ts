import type { ConversationId } from '@hither/contract/ids.ts'
import {
  addParticipant,
  createConversation,
  deleteMessage,
  getConversation,
  joinConversation,
  leaveConversation,
  listConversationSummaries,
  markConversationRead,
  removeParticipant,
  renameConversation,
  sendMessage,
} from '@hither/contract/messages/messages.ts'
import {
  areFriends,
  audienceOf,
  canSeeChat,
  canSeePing,
  canSend,
  enter,
  exit,
  type ModelChat,
  pairOf,
  unreadOf,
} from './model.ts'
import type { Person } from './person.ts'
import {
  chance,
  chatKey,
  heraldOf,
  indexOf,
  livelyFriends,
  oneOf,
  peopleOf,
  pingKey,
  random,
  relationsOf,
  someOf,
  type World,
} from './world.ts'

const groupsMax = 24
const groupMembersMin = 3

const personAt = ({ cast }: World, index: number) => cast[index] as Person
const chatsOf = ({ model }: World, who: number) =>
  [...model.chats.values()].filter((chat) => canSeeChat(model, chat, who))
const groups = ({ model }: World) =>
  [...model.chats.values()].filter((chat) => chat.type === 'group' && !chat.isDeleted)
const groupsOf = (world: World, who: number) => groups(world).filter((chat) => chat.members.has(who))
const ledBy = (world: World, who: number) => groups(world).filter((chat) => chat.members.get(who)?.isAdmin)

/** Sends a message to a friend, in a new conversation if there is none. */
export async function writeToFriend(world: World, who: number): Promise<void> {
  const { model, locks } = world
  const friend = oneOf(livelyFriends(world, who))
  if (friend === undefined) return
  const isPair = ({ pair }: ModelChat) => pair !== null && pairOf(...pair) === pairOf(who, friend)
  let chat = [...model.chats.values()].find(isPair)
  if (!chat) {
    const claim = { alone: [`direct ${pairOf(who, friend)}`], shared: [relationsOf(who), relationsOf(friend)] }
    await locks.withLock(claim, async () => {
      chat = [...model.chats.values()].find(isPair)
      if (chat || !areFriends(model, who, friend)) return
      const body = { participant_ids: [personAt(world, friend).id] }
      const answer = await personAt(world, who).call(createConversation, { body }, [201])
      if (answer) chat = addChat(world, answer.body, [Math.min(who, friend), Math.max(who, friend)])
    })
  }
  if (chat) await send(world, who, chat)
}

/** Sends a message to any conversation, also one that refuses it. */
export async function writeAnywhere(world: World, who: number): Promise<void> {
  const mine = [...world.model.chats.values()].filter((chat) => !chat.isDeleted && chat.members.has(who))
  const chat = oneOf(chance(0.7) ? mine.filter(({ type }) => type === 'group') : mine)
  if (chat) await send(world, who, chat)
}

async function send(world: World, who: number, chat: ModelChat): Promise<void> {
  const { model, locks, report } = world
  await locks.withLock({ shared: [chatKey(chat.id), ...peopleOf(chat)] }, async () => {
    const expected = canSend(model, chat, who) ? 201 : canSeeChat(model, chat, who) ? 403 : 404
    const content = `${chance(0.1) ? 'A long one. '.repeat(random(200)) : ''}Number ${random(1e9)} ✓`
    const body = { conversation_id: chat.id, content, client_id: crypto.randomUUID() }
    const answer = await personAt(world, who).call(sendMessage, { body }, [expected])
    if (answer?.status !== 201) return
    const { id, seq } = answer.body.message
    if (chat.messages.has(seq)) report.violation('seq', `${seq} of ${chat.id} was given twice`)
    chat.messages.set(seq, { id, sender: who, content, isDeleted: false })
    chat.lastSeq = Math.max(chat.lastSeq, seq)
    if (!chance(0.08)) return
    const again = await personAt(world, who).call(sendMessage, { body }, [200])
    if (again && again.body.message.id !== id) report.violation('repeat', `Message ${id} was sent again as another one`)
  })
}

export async function readChat(world: World, who: number): Promise<void> {
  const { model, locks } = world
  await personAt(world, who).call(listConversationSummaries, {})
  const chat = oneOf(chatsOf(world, who))
  if (!chat) return
  await locks.withLock({ alone: [chatKey(chat.id)], shared: peopleOf(chat) }, async () => {
    const member = chat.members.get(who)
    if (!member || !canSeeChat(model, chat, who)) return
    const params = { id: chat.id }
    await personAt(world, who).call(getConversation, { params, query: { limit: 20 } }, [200])
    // The read position does not change if there are no unread messages.
    const hasUnread = unreadOf(chat, who) > 0
    const answer = await personAt(world, who).call(markConversationRead, { params }, [200])
    if (answer && hasUnread) member.lastRead = chat.lastSeq
  })
}

/** Tries to read a conversation of other users. */
export async function peek(world: World, who: number): Promise<void> {
  const { locks, model } = world
  const chat = oneOf([...model.chats.values()].filter(({ members }) => !members.has(who)))
  if (!chat) return
  await locks.withLock({ shared: [chatKey(chat.id)] }, async () => {
    if (!chat.members.has(who))
      await personAt(world, who).call(getConversation, { params: { id: chat.id }, query: {} }, [404])
  })
}

export async function eraseMessage(world: World, who: number): Promise<void> {
  const { locks, model } = world
  const chat = oneOf(chatsOf(world, who))
  if (!chat) return
  await locks.withLock({ alone: [chatKey(chat.id)], shared: peopleOf(chat) }, async () => {
    const own = [...chat.messages.values()].filter(({ sender, isDeleted }) => sender === who && !isDeleted)
    const message = oneOf(own)
    if (!message || !canSeeChat(model, chat, who)) return
    if (await personAt(world, who).call(deleteMessage, { params: { id: message.id } }, [204])) message.isDeleted = true
  })
}

export async function gather(world: World, who: number): Promise<void> {
  if (groups(world).length >= groupsMax) return tendGroup(world, who)
  await world.locks.withLock({ shared: [relationsOf(who)] }, async () => {
    const others = someOf(livelyFriends(world, who), 2 + random(5))
    if (others.length < 2) return
    const participant_ids = others.map((index) => personAt(world, index).id)
    const body = { name: `Group ${random(1e6)}`, participant_ids }
    const answer = await personAt(world, who).call(createConversation, { body }, [201])
    if (answer) addChat(world, answer.body, null)
  })
}

/** Starts the chat of a ping of the user, or joins that of another ping. */
export async function gatherForPing(world: World, who: number): Promise<void> {
  const { model, locks } = world
  const visible = [...model.pings.values()].filter((ping) => canSeePing(model, ping, who))
  const ping = oneOf(visible)
  if (!ping) return
  const chat = ping.chat === null ? undefined : model.chats.get(ping.chat)
  const claim = {
    alone: [pingKey(ping.id), ...(chat ? [chatKey(chat.id)] : [])],
    shared: [relationsOf(who), relationsOf(ping.owner)],
  }
  await locks.withLock(claim, async () => {
    if (!model.pings.has(ping.id) || !canSeePing(model, ping, who)) return
    if (chat) {
      if (chat.isDeleted || chat.members.has(who)) return
      const isRefused = chat.removed.has(who)
      const answer = await personAt(world, who).call(joinConversation, { params: { id: chat.id } }, [
        isRefused ? 404 : 200,
      ])
      if (answer?.status === 200) enter(chat, who)
      return
    }
    if (ping.owner !== who || ping.chat !== null) return
    const others = someOf(
      audienceOf(model, ping).filter((one) => one !== heraldOf(world)),
      2 + random(4),
    )
    if (others.length < 2) return
    const participant_ids = others.map((index) => personAt(world, index).id)
    const body = { name: `${ping.name} Chat`, participant_ids, ping_id: ping.id }
    const answer = await personAt(world, who).call(createConversation, { body }, [201])
    if (!answer) return
    addChat(world, answer.body, null)
    ping.chat = answer.body.id
  })
}

/** Adds or removes a participant, leaves the group, or renames it. */
export async function tendGroup(world: World, who: number): Promise<void> {
  const { locks } = world
  const led = oneOf(ledBy(world, who))
  const chat = led && chance(0.7) ? led : oneOf(groupsOf(world, who))
  if (!chat) return
  await locks.withLock({ alone: [chatKey(chat.id)], shared: [relationsOf(who)] }, async () => {
    const member = chat.members.get(who)
    if (!member) return
    const [me, params] = [personAt(world, who), { id: chat.id }]
    if (!member.isAdmin) {
      if (chat.members.size > groupMembersMin || chance(0.2))
        if (await me.call(leaveConversation, { params }, [204])) exit(chat, who)
      return
    }
    const [kind, others] = [random(3), [...chat.members.keys()].filter((one) => one !== who)]
    if (kind === 0) {
      const name = `Group ${random(1e6)}`
      if (await me.call(renameConversation, { params, body: { name } }, [200])) chat.name = name
    } else if (kind === 1 && others.length >= groupMembersMin) {
      const whom = oneOf(others) as number
      const answer = await me.call(removeParticipant, { params, body: { user_id: personAt(world, whom).id } }, [200])
      if (!answer) return
      exit(chat, whom)
      chat.removed.add(whom)
    } else {
      const whom = oneOf(livelyFriends(world, who).filter((one) => !chat.members.has(one)))
      if (whom === undefined) return
      const answer = await me.call(addParticipant, { params, body: { user_id: personAt(world, whom).id } }, [200])
      if (answer) enter(chat, whom)
    }
  })
}

function addChat(
  world: World,
  made: { id: ConversationId; name: string | null; participants: { user_id: string; role: string }[] },
  pair: readonly [number, number] | null,
): ModelChat {
  const members = made.participants.map(
    ({ user_id, role }) => [indexOf(world, user_id), { isAdmin: role === 'admin', lastRead: 0 }] as const,
  )
  const chat: ModelChat = {
    id: made.id,
    type: pair ? 'direct' : 'group',
    pair,
    name: made.name,
    isDeleted: false,
    members: new Map(members),
    removed: new Set(),
    messages: new Map(),
    lastSeq: 0,
  }
  world.model.chats.set(chat.id, chat)
  return chat
}
