import {
  blockUser,
  listFriends,
  removeFriend,
  respondToFriendRequest,
  sendFriendRequest,
  unblockUser,
} from '@hither/contract/friends.ts'
import type { FriendRequestId } from '@hither/contract/ids.ts'
import { areFriends, isBlocked, pairOf } from './model.ts'
import type { Person } from './person.ts'
import { chance, livelyFriends, oneOf, relationsOf, strangerTo, type World } from './world.ts'

const friendsMin = 5
const friendsMax = 11

const both = (a: number, b: number) => ({ alone: [relationsOf(a), relationsOf(b)] })
const personAt = ({ cast }: World, index: number) => cast[index] as Person

/** The next step with a user who is no friend: send, accept, decline or cancel a request, or unblock. */
export async function approach(world: World, who: number): Promise<void> {
  const { model, locks } = world
  // Received requests come first.
  const asking = [...model.requests.values()].find(({ to }) => to === who)
  const other = asking && chance(0.7) ? asking.from : strangerTo(world, who)
  if (other === undefined) return
  await locks.withLock(both(who, other), async () => {
    const [me, them] = [personAt(world, who), personAt(world, other)]
    if (areFriends(model, who, other)) return
    if (model.blocks.has(`${who}>${other}`)) {
      const answer = await me.call(unblockUser, { params: { username: them.username } }, [204])
      if (answer) model.blocks.delete(`${who}>${other}`)
      return
    }
    const pair = pairOf(who, other)
    const request = model.requests.get(pair)
    if (request) return answerRequest(world, who, request)
    const isRefused = isBlocked(model, who, other)
    const input = { body: { username: them.username } }
    const answer = await me.call(sendFriendRequest, input, isRefused ? [404] : [201])
    if (answer?.status === 201)
      model.requests.set(pair, { id: answer.body.id as FriendRequestId, from: who, to: other })
  })
}

async function answerRequest(world: World, who: number, request: { id: FriendRequestId; from: number; to: number }) {
  const { model, cast } = world
  const isMine = request.from === who
  if (isMine && chance(0.6)) return
  const hasRoom = [request.from, request.to].every((one) => livelyFriends(world, one).length < friendsMax)
  const action = !isMine && hasRoom && chance(0.8) ? 'accepted' : 'rejected'
  const answer = await cast[who]?.call(respondToFriendRequest, { params: { id: request.id }, body: { action } }, [200])
  if (!answer) return
  const pair = pairOf(request.from, request.to)
  model.requests.delete(pair)
  if (action === 'accepted') await noteFriendship(world, who, request.from)
}

/** Reads the id of the new friendship from the list of friends and adds it to the model. */
async function noteFriendship({ model, cast, report }: World, who: number, other: number): Promise<void> {
  const friends = await cast[who]?.call(listFriends, {})
  const friendship = friends?.body.find(({ user_id }) => user_id === cast[other]?.id)
  if (friendship) model.friendships.set(pairOf(who, other), friendship.id)
  else report.violation('friends', `${cast[who]?.username} and ${cast[other]?.username} are friends, but not listed`)
}

export async function befriend(world: World, from: number, to: number): Promise<void> {
  const { cast } = world
  const asked = await cast[from]?.call(sendFriendRequest, { body: { username: personAt(world, to).username } }, [201])
  if (!asked) return
  const id = asked.body.id as FriendRequestId
  await cast[to]?.call(respondToFriendRequest, { params: { id }, body: { action: 'accepted' } }, [200])
  await noteFriendship(world, to, from)
}

export async function unfriend(world: World, who: number): Promise<void> {
  const { model, locks, cast } = world
  const friends = livelyFriends(world, who)
  const other = oneOf(friends)
  if (other === undefined || friends.length < friendsMin || livelyFriends(world, other).length < friendsMin) return
  await locks.withLock(both(who, other), async () => {
    const id = model.friendships.get(pairOf(who, other))
    if (id && (await cast[who]?.call(removeFriend, { params: { id } }, [204])))
      model.friendships.delete(pairOf(who, other))
  })
}

export async function block(world: World, who: number): Promise<void> {
  const { model, locks, cast } = world
  const other = chance(0.5) ? oneOf(livelyFriends(world, who)) : strangerTo(world, who)
  if (
    other === undefined ||
    livelyFriends(world, who).length < friendsMin ||
    livelyFriends(world, other).length < friendsMin
  )
    return
  await locks.withLock(both(who, other), async () => {
    const isRefused = model.blocks.has(`${other}>${who}`)
    const input = { params: { username: personAt(world, other).username } }
    const answer = await cast[who]?.call(blockUser, input, isRefused ? [404] : [204])
    if (answer?.status !== 204) return
    model.blocks.add(`${who}>${other}`)
    model.friendships.delete(pairOf(who, other))
    model.requests.delete(pairOf(who, other))
  })
}
