import type { ConversationId } from '@hither/contract/ids.ts'
import { muteConversation } from '@hither/contract/notifications.ts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../test/harness.ts'
import { type Cast, noConversation, startCast, unknownId } from '../harness.ts'

let cast: Cast
let ann: Person
let bob: Person
let cat: Person
let eve: Person
let id: ConversationId

beforeAll(async () => {
  cast = await startCast()
  ;({ ann, bob, cat, eve } = cast)
})

beforeEach(async () => {
  id = (await cast.group(ann, [bob, cat])).id
})

afterEach(() => cast.clear())
afterAll(() => cast.server.close())

const placementOf = async (who: Person, conversation = id) => {
  const found = (await cast.list(who)).find((one) => one.id === conversation)
  return found && { pinned_at: found.pinned_at, archived_at: found.archived_at }
}
const nowhere = { pinned_at: null, archived_at: null }
const mute = (who: Person, muted_until: string | null) =>
  cast.server.call(muteConversation, { params: { conversationId: id }, body: { muted_until } }, who)

describe('a pinned conversation', () => {
  it('has its time in the list, the summaries and the details of the caller alone', async () => {
    const pinned_at = cast.server.clock.now().toISOString()
    expect((await cast.pin(id, ann)).status).toBe(204)
    cast.server.clock.advance(1000)
    expect((await cast.pin(id, ann)).status).toBe(204)
    expect(await placementOf(ann)).toEqual({ pinned_at, archived_at: null })
    expect((await cast.summaries(ann))[0]).toMatchObject({ pinned_at })
    expect((await cast.open(id, ann)).body).toMatchObject({ pinned_at })
    expect(await placementOf(bob)).toEqual(nowhere)
    await cast.unpin(id, ann)
    expect((await cast.unpin(id, ann)).status).toBe(204)
    expect(await placementOf(ann)).toEqual(nowhere)
  })

  it('keeps its place in the list of the server', async () => {
    cast.server.clock.advance(1000)
    const later = await cast.group(ann, [bob, cat])
    await cast.pin(id, ann)
    expect((await cast.list(ann)).map((one) => one.id)).toEqual([later.id, id])
  })

  it('is one of at most five', async () => {
    const others = await Promise.all([1, 2, 3, 4, 5].map(() => cast.group(ann, [bob, cat])))
    for (const other of others) expect((await cast.pin(other.id, ann)).status).toBe(204)
    const detail = 'You can pin up to 5 chats. Unpin one first.'
    expect(await cast.pin(id, ann)).toMatchObject({ status: 409, body: { detail } })
    expect((await cast.pin(others[0]?.id ?? id, ann)).status).toBe(204)
    await cast.unpin(others[0]?.id ?? id, ann)
    expect((await cast.pin(id, ann)).status).toBe(204)
  })

  it('is unpinned while a block hides it, so that it does not count', async () => {
    const direct = await cast.make(ann, [bob])
    await cast.pin(direct.id, ann)
    await cast.block(bob, ann)
    await cast.unblock(bob, ann)
    await cast.server.befriend(ann, bob)
    expect(await placementOf(ann, direct.id)).toEqual(nowhere)
  })
})

describe('an archived conversation', () => {
  it('is unpinned by archiving and unarchived by pinning', async () => {
    await cast.pin(id, ann)
    const archived_at = cast.server.clock.now().toISOString()
    expect((await cast.archive(id, ann)).status).toBe(204)
    expect(await placementOf(ann)).toEqual({ pinned_at: null, archived_at })
    await cast.pin(id, ann)
    expect(await placementOf(ann)).toEqual({ pinned_at: archived_at, archived_at: null })
    await cast.archive(id, ann)
    await cast.unarchive(id, ann)
    expect((await cast.unarchive(id, ann)).status).toBe(204)
    expect(await placementOf(ann)).toEqual(nowhere)
  })

  it('returns with the next message, also an own one', async () => {
    for (const sender of [bob, ann]) {
      await cast.archive(id, ann)
      await cast.say(id, sender)
      expect(await placementOf(ann)).toEqual(nowhere)
    }
    expect((await cast.summaries(ann)).find((one) => one.id === id)?.unread_count).toBe(1)
  })

  it('stays archived with reactions, edits and deletions', async () => {
    const { id: message } = await cast.say(id, bob, 'one')
    await cast.archive(id, ann)
    const archived = await placementOf(ann)
    await cast.react(message, cat)
    await cast.edit(message, bob, 'two')
    await cast.erase(message, bob)
    expect(await placementOf(ann)).toEqual(archived)
    expect(archived?.archived_at).not.toBeNull()
  })

  it('stays archived while it is muted', async () => {
    await cast.archive(id, ann)
    await cast.archive(id, cat)
    await mute(ann, null)
    const soon = new Date(cast.server.clock.now().getTime() + 600_000).toISOString()
    await mute(cat, soon)
    await cast.say(id, bob)
    expect([(await placementOf(ann))?.archived_at, (await placementOf(cat))?.archived_at]).not.toContain(null)
    cast.server.clock.advance(600_001)
    await cast.say(id, bob)
    expect((await placementOf(ann))?.archived_at).not.toBeNull()
    expect(await placementOf(cat)).toEqual(nowhere)
  })
})

describe('pinning and archiving', () => {
  it('is refused for conversations that the caller does not see, and removing succeeds without effect', async () => {
    await cast.leave(id, cat)
    for (const [who, conversation] of [
      [eve, id],
      [cat, id],
      [ann, unknownId as ConversationId],
    ] as const) {
      expect(await cast.pin(conversation, who)).toMatchObject(noConversation)
      expect(await cast.archive(conversation, who)).toMatchObject(noConversation)
      expect((await cast.unpin(conversation, who)).status).toBe(204)
      expect((await cast.unarchive(conversation, who)).status).toBe(204)
    }
    await cast.pin(id, ann)
    await cast.unpin(id, eve)
    expect((await placementOf(ann))?.pinned_at).not.toBeNull()
  })
})
