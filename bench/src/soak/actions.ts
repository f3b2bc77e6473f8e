import { deleteProfileImage } from '@hither/contract/files.ts'
import {
  eraseMessage,
  gather,
  gatherForPing,
  peek,
  readChat,
  tendGroup,
  writeAnywhere,
  writeToFriend,
} from './chat-actions.ts'
import { approach, block, unfriend } from './friend-actions.ts'
import type { Person } from './person.ts'
import { answerPing, dropPing, endPing, lookAtPingPicture, lookAtPings, picturePing } from './ping-actions.ts'
import { chance, livelyFriends, oneOf, pictureOf, random, relationsOf, type World } from './world.ts'

type Action = (world: World, who: number) => Promise<void>

/** The actions of users with their relative frequencies. */
const actions: readonly (readonly [weight: number, action: Action])[] = [
  [22, writeToFriend],
  [18, writeAnywhere],
  [12, readChat],
  [3, eraseMessage],
  [1, peek],
  [6, dropPing],
  [4, endPing],
  [11, answerPing],
  [6, lookAtPings],
  [1.5, picturePing],
  [2, lookAtPingPicture],
  [5, approach],
  [1, unfriend],
  [0.6, block],
  [1, gather],
  [1.5, gatherForPing],
  [2, tendGroup],
  [1, changePicture],
  [2, lookAtPicture],
  [3, type],
  [3, loseConnection],
  [1, renew],
  [0.8, signOut],
]

const total = actions.reduce((sum, [weight]) => sum + weight, 0)

/** Performs one random action of this user. A signed-out user can only sign in. */
export async function doSomething(world: World, who: number): Promise<void> {
  if (!world.devices.has(who)) {
    if (chance(0.4)) await signIn(world, who)
    return
  }
  let left = Math.random() * total
  for (const [weight, action] of actions) {
    left -= weight
    if (left > 0) continue
    world.report.count('actions')
    return action(world, who)
  }
}

export async function signIn(world: World, who: number): Promise<void> {
  const person = world.cast[who] as Person
  await person.signIn()
  world.devices.set(who, await world.openDevice(person))
}

async function signOut({ cast, devices }: World, who: number): Promise<void> {
  const device = devices.get(who)
  devices.delete(who)
  await Promise.all([device?.close(), cast[who]?.signOut()])
}

async function renew({ cast, devices }: World, who: number): Promise<void> {
  await cast[who]?.refresh()
  await devices.get(who)?.renewToken()
}

/** Disconnects a device, mostly for a short time and sometimes for a long time. */
async function loseConnection({ devices, report }: World, who: number): Promise<void> {
  report.count('connections lost')
  devices.get(who)?.cut(chance(0.7) ? 0 : 2000 + random(25_000))
}

async function type(world: World, who: number): Promise<void> {
  const chat = oneOf(
    [...world.model.chats.values()].filter(({ members, pair, isDeleted }) => !isDeleted && members.has(who) && !pair),
  )
  if (chat) await world.devices.get(who)?.typing(chat.id)
}

async function changePicture({ cast, locks, model, pictures }: World, who: number): Promise<void> {
  const [me, picture] = [cast[who], oneOf(pictures)]
  if (!me || !picture) return
  await locks.withLock({ alone: [pictureOf(who)] }, async () => {
    if (model.pictured.has(who) && chance(0.4)) {
      if (await me.call(deleteProfileImage, {}, [204])) model.pictured.delete(who)
    } else if (await me.upload('/files/profile-image', picture)) model.pictured.add(who)
  })
}

async function lookAtPicture(world: World, who: number): Promise<void> {
  const { cast, locks, model, report } = world
  const friend = oneOf(livelyFriends(world, who))
  const person = cast[friend ?? -1]
  if (friend === undefined || !person) return
  await locks.withLock({ shared: [pictureOf(friend), relationsOf(who), relationsOf(friend)] }, async () => {
    if (!livelyFriends(world, who).includes(friend)) return
    const bytes = await cast[who]?.picture(`/files/profile-image/${person.id}?size=${oneOf(['thumb', 'full'])}`)
    if ((bytes != null) !== model.pictured.has(friend)) report.violation('picture', `The picture of ${person.username}`)
  })
}
