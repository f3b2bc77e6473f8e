import { deletePingImage } from '@hither/contract/files.ts'
import type { PingId } from '@hither/contract/ids.ts'
import {
  changePing,
  createPing,
  deletePing,
  getPing,
  listPings,
  type ResponseType,
  removeResponse,
  respondToPing,
} from '@hither/contract/pings.ts'
import { audienceOf, canSeePing, friendsOf, type ModelPing, statusOf } from './model.ts'
import type { Person } from './person.ts'
import { chance, indexOf, oneOf, pingKey, random, relationsOf, someOf, type World } from './world.ts'

const unexpiredMax = 5
/** No action starts this close to the expiry of a ping, because its result would be undetermined. */
const marginMs = 10_000
const lifeMaxMs = 240 * 60_000

const personAt = ({ cast }: World, index: number) => cast[index] as Person
const isUnexpired = (ping: ModelPing) => statusOf(ping, Date.now() + marginMs) !== 'expired'
const ownPings = ({ model }: World, who: number) => [...model.pings.values()].filter(({ owner }) => owner === who)

export async function dropPing(world: World, who: number): Promise<void> {
  if (ownPings(world, who).filter(isUnexpired).length >= unexpiredMax) return endPing(world, who)
  await world.locks.withLock({ shared: [relationsOf(who)] }, async () => {
    const { model, report } = world
    const friends = friendsOf(model, who)
    if (friends.length === 0) return
    const chosen = chance(0.4) ? null : someOf(friends, 1 + random(friends.length))
    const [isPublic, responsesVisible] = [chance(0.3), chance(0.7)]
    const body = {
      name: `Ping ${random(1e6)}`,
      latitude: 40 + Math.random(),
      longitude: -73 - Math.random(),
      duration_minutes: 15 as const,
      message: chance(0.5) ? `See you there, ${random(1e6)} é😀` : null,
      is_public: isPublic,
      responses_visible: responsesVisible,
      client_id: crypto.randomUUID(),
      ...(chosen && { recipient_ids: chosen.map((index) => personAt(world, index).id) }),
      ...(chance(0.3) && { activates_at: new Date(Date.now() + 5000 + random(90_000)).toISOString() }),
    }
    const answer = await personAt(world, who).call(createPing, { body }, [201])
    if (!answer) return
    const { id, name, message, created_at, activates_at, expires_at, recipients } = answer.body
    const guests = recipients.map(({ recipient_id }) => indexOf(world, recipient_id)).sort((a, b) => a - b)
    const expected = [...(chosen ?? friends)].sort((a, b) => a - b)
    if (String(guests) !== String(expected)) report.violation('guests', `${id} went to ${guests}, not to ${expected}`)
    model.pings.set(id, {
      id,
      owner: who,
      name,
      message,
      guests,
      isPublic,
      responsesVisible,
      createdAt: Date.parse(created_at),
      activatesAt: activates_at === null ? null : Date.parse(activates_at),
      expiresAt: Date.parse(expires_at),
      hasImage: false,
      chat: null,
      answers: new Map(),
    })
    if (!chance(0.1)) return
    const again = await personAt(world, who).call(createPing, { body }, [200])
    if (again && again.body.id !== id)
      report.violation('repeat', `A repeated ping became another one: ${again.body.id}`)
  })
}

/** Ends, extends or deletes a ping. */
export async function endPing(world: World, who: number): Promise<void> {
  const ping = oneOf(ownPings(world, who).filter(isUnexpired))
  if (!ping) return
  await world.locks.withLock({ alone: [pingKey(ping.id)], shared: [relationsOf(who)] }, async () => {
    const { model } = world
    if (!model.pings.has(ping.id) || !isUnexpired(ping)) return
    const me = personAt(world, who)
    const params = { id: ping.id }
    const isActive = statusOf(ping, Date.now() - marginMs) === 'active' && isUnexpired(ping)
    const begun = ping.activatesAt ?? ping.createdAt
    if (isActive && chance(0.3) && ping.expiresAt + 15 * 60_000 - begun <= lifeMaxMs) {
      const answer = await me.call(changePing, { params, body: { extend_minutes: 15 } }, [200])
      if (answer) ping.expiresAt = Date.parse(answer.body.expires_at)
    } else if (isActive && chance(0.6)) {
      const answer = await me.call(changePing, { params, body: { end: true } }, [200])
      if (answer) ping.expiresAt = Date.parse(answer.body.expires_at)
    } else if (await me.call(deletePing, { params }, [204])) model.pings.delete(ping.id)
  })
}

export async function answerPing(world: World, who: number): Promise<void> {
  const { model, locks } = world
  const invited = [...model.pings.values()].filter(
    (one) => one.owner !== who && isUnexpired(one) && canSeePing(model, one, who),
  )
  const ping = oneOf(invited)
  if (!ping) return
  await locks.withLock({ shared: [pingKey(ping.id), relationsOf(who), relationsOf(ping.owner)] }, async () => {
    if (!model.pings.has(ping.id) || !isUnexpired(ping) || !canSeePing(model, ping, who)) return
    if (chance(0.15)) {
      const answer = await personAt(world, who).call(removeResponse, { params: { id: ping.id } }, [204])
      if (answer) ping.answers.delete(who)
      return
    }
    const response_type = oneOf<ResponseType>(['accepted', 'tentative', 'declined']) ?? 'accepted'
    const answer = await personAt(world, who).call(respondToPing, { body: { ping_id: ping.id, response_type } }, [200])
    if (answer) ping.answers.set(who, response_type)
  })
}

/** Reads the lists and any ping, with or without an invitation. */
export async function lookAtPings(world: World, who: number): Promise<void> {
  const { model, locks } = world
  await personAt(world, who).call(listPings, { query: {} })
  const ping = oneOf([...model.pings.values()])
  if (!ping) return
  const shared = [pingKey(ping.id), relationsOf(who), relationsOf(ping.owner)]
  await locks.withLock({ shared }, async () => {
    if (!model.pings.has(ping.id)) return
    const isHidden = model.blocks.has(`${who}>${ping.owner}`) || model.blocks.has(`${ping.owner}>${who}`)
    const mayLook = canSeePing(model, ping, who) || (ping.isPublic && !isHidden)
    await personAt(world, who).call(getPing, { params: { id: ping.id } }, [mayLook ? 200 : 404])
  })
}

export async function picturePing(world: World, who: number): Promise<void> {
  const ping = oneOf(ownPings(world, who).filter(isUnexpired))
  const picture = oneOf(world.pictures)
  if (!ping || !picture) return
  await world.locks.withLock({ alone: [pingKey(ping.id)] }, async () => {
    if (!world.model.pings.has(ping.id)) return
    const me = personAt(world, who)
    if (ping.hasImage && chance(0.3)) {
      if (await me.call(deletePingImage, { params: { pingId: ping.id } }, [204])) ping.hasImage = false
    } else if (await me.upload(`/files/pin-image/${ping.id}`, picture)) ping.hasImage = true
  })
}

export async function lookAtPingPicture(world: World, who: number): Promise<void> {
  const { model, locks, report } = world
  const ping = oneOf([...model.pings.values()].filter((one) => one.hasImage && audienceOf(model, one).includes(who)))
  if (!ping) return
  await locks.withLock({ shared: [pingKey(ping.id), relationsOf(who), relationsOf(ping.owner)] }, async () => {
    if (!model.pings.has(ping.id) || !canSeePing(model, ping, who)) return
    const nobody = '00000000-0000-7000-8000-000000000000' as PingId
    const size = oneOf(['thumb', 'full'])
    const bytes = await personAt(world, who).picture(`/files/pin-image/${ping.id}/${nobody}?size=${size}`)
    if ((bytes !== null) !== ping.hasImage) report.violation('picture', `The picture of ping ${ping.id}`)
  })
}
