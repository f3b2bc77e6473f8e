import type { PingId, UserId } from '@hither/contract/ids.ts'
import type { ResponseType } from '@hither/contract/pings.ts'
import { changeValue, deleteValues, openDatabase, readValue, writeValue } from '../device/database.ts'
import { englishTexts, type PushTexts } from './push.rules.ts'

/** The push data that pages and the service worker share; they have no other shared memory. Sign-out deletes it. */
const database = openDatabase('hither-push', 'push')
const ownerKey = 'owner'
const answersKey = 'answers'
const textsKey = 'texts'

/** A response to a ping that the user gave from a notification while no window was open to send it. */
interface StoredResponse {
  owner: UserId
  ping_id: PingId
  response_type: ResponseType
  /** The revision of the ping that the notification described. An earlier version of the app stored none. */
  revision?: number | null
  /** In milliseconds of this device's clock. */
  at: number
}

/** After this time, in milliseconds, the user has seen that the response was not sent. */
const responseAgeMaxMs = 30 * 60_000

/** Returns the user whose notifications this device shows. */
export async function pushOwner(): Promise<UserId | null> {
  return (await readValue<UserId>(database, ownerKey)) ?? null
}

export async function setPushOwner(userId: UserId): Promise<void> {
  await writeValue(database, ownerKey, userId)
}

/** Returns the texts that a page has stored; those in English before the first. */
export async function pushTexts(): Promise<PushTexts> {
  return { ...englishTexts, ...(await readValue<PushTexts>(database, textsKey).catch(() => undefined)) }
}

export async function setPushTexts(texts: PushTexts): Promise<void> {
  await writeValue(database, textsKey, texts)
}

/** Stores a response. The last response to a ping wins. */
export async function storeResponse(answer: StoredResponse): Promise<void> {
  await changeValue<StoredResponse[]>(database, answersKey, (answers = []) => [
    ...answers.filter(({ ping_id }) => ping_id !== answer.ping_id),
    answer,
  ])
}

/** Returns and deletes all stored responses. Leaves out those of other users and those that are too old. */
export async function takeResponses(owner: UserId, nowMs: number): Promise<StoredResponse[]> {
  const { before = [] } = await changeValue<StoredResponse[]>(database, answersKey, () => undefined)
  return before.filter((answer) => answer.owner === owner && nowMs - answer.at < responseAgeMaxMs)
}

export async function clearPushStore(): Promise<void> {
  await deleteValues(database)
}
