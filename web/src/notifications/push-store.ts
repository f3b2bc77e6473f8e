import { type PingId, type UserId } from '@hither/contract/ids.ts'
import { type ResponseType } from '@hither/contract/pings.ts'
import { clear, createStore, get, set, update } from 'idb-keyval'

/** What the page and its service worker both know of push; they share no other memory. It goes at sign-out. */
const ownerKey = 'owner'
const answersKey = 'answers'

/** An answer given from a notification with no window open to send it. */
export interface KeptAnswer {
  owner: UserId
  ping_id: PingId
  response_type: ResponseType
  /** In milliseconds of this device. */
  at: number
}

/** Whoever has waited longer for a window to open has meanwhile seen that nothing came of it. */
export const answerAgeMaxMs = 30 * 60_000

/** Whose notifications this device shows. */
export async function pushOwner(): Promise<UserId | null> {
  return (await get<UserId>(ownerKey, store())) ?? null
}

export async function setPushOwner(userId: UserId): Promise<void> {
  await set(ownerKey, userId, store())
}

/** The last one to a ping counts. */
export async function keepAnswer(answer: KeptAnswer): Promise<void> {
  await update<KeptAnswer[]>(
    answersKey,
    (answers = []) => [...answers.filter(({ ping_id }) => ping_id !== answer.ping_id), answer],
    store(),
  )
}

/** Once: what is taken is gone, also what is somebody else's or too old. */
export async function takeAnswers(owner: UserId, nowMs: number): Promise<KeptAnswer[]> {
  let kept: KeptAnswer[] = []
  await update<KeptAnswer[]>(
    answersKey,
    (answers = []) => {
      kept = answers
      return []
    },
    store(),
  )
  return kept.filter((answer) => answer.owner === owner && nowMs - answer.at < answerAgeMaxMs)
}

export async function clearPushStore(): Promise<void> {
  await clear(store())
}

function store() {
  return createStore('hither-push', 'push')
}
