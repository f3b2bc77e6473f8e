import { type UserId } from '@hither/contract/ids.ts'
import { type Message } from '@hither/contract/messages.ts'
import { type Outgoing } from './outbox.ts'
import { dayAround } from './times.ts'

interface RowLook {
  /** The same before and after the server has it, so that a message keeps its place and its element. */
  key: string
  isOwn: boolean
  /** The first of its day: a separator stands above it. */
  startsDay: boolean
  /** First and last of a run of one person's messages in short order. */
  startsRun: boolean
  endsRun: boolean
}

export type MessageRow =
  | (RowLook & { kind: 'message'; message: Message })
  | (RowLook & { kind: 'outgoing'; message: Outgoing })
  /** A run of someone whom the viewer blocked, folded away; `key` opens it. */
  | (RowLook & { kind: 'folded'; count: number; message: Message })

interface View {
  messages: readonly Message[]
  outgoing: readonly Outgoing[]
  viewerId: UserId | undefined
  blocked: ReadonlySet<UserId>
  unfolded: ReadonlySet<string>
}

/** A run of someone blocked, under the key of its first message. */
interface Fold {
  senderId: UserId
  key: string
  row: (MessageRow & { kind: 'folded' }) | null
}

const runPauseMs = 5 * 60_000

/** What stands in the list, in order: what the server has, then what is on its way to it. */
export function rowsOf({ messages, outgoing, viewerId, blocked, unfolded }: View): MessageRow[] {
  const rows: MessageRow[] = []
  let fold = null as Fold | null
  for (const message of messages) {
    const isOwn = message.sender_id === viewerId
    // Someone else may have chosen the very client_id that we did.
    const key = (isOwn && message.client_id) || message.id
    if (message.sender_id === null || !blocked.has(message.sender_id)) fold = null
    else if (fold?.senderId !== message.sender_id) fold = { senderId: message.sender_id, key, row: null }

    if (fold === null || unfolded.has(fold.key)) rows.push({ key, isOwn, ...noLook, kind: 'message', message })
    else if (fold.row !== null) fold.row.count++
    else {
      fold.row = { key, isOwn, ...noLook, kind: 'folded', count: 1, message }
      rows.push(fold.row)
    }
  }
  const sent = new Set(outgoing.length === 0 ? [] : rows.slice(-200).map(({ key }) => key))
  for (const message of outgoing) {
    if (sent.has(message.client_id)) continue
    rows.push({ key: message.client_id, isOwn: true, ...noLook, kind: 'outgoing', message })
  }
  arrange(rows)
  return rows
}

/** Days and runs. Of tens of thousands of rows at once: a day is worked out once and not for each row. */
function arrange(rows: readonly MessageRow[]) {
  let before: MessageRow | undefined
  let beforeMs = 0
  let day = { startMs: 0, endMs: 0 }
  for (const row of rows) {
    const atMs = Date.parse(row.message.created_at)
    row.startsDay = atMs < day.startMs || atMs >= day.endMs
    if (row.startsDay) day = dayAround(atMs)
    row.startsRun = before === undefined || row.startsDay || atMs - beforeMs >= runPauseMs || !isSameSender(before, row)
    row.endsRun = true
    if (before !== undefined) before.endsRun = row.startsRun
    before = row
    beforeMs = atMs
  }
}

const noLook = { startsDay: false, startsRun: true, endsRun: true }

function isSameSender(before: MessageRow, row: MessageRow): boolean {
  if (before.kind === 'folded' || row.kind === 'folded' || before.isOwn !== row.isOwn) return false
  if (row.isOwn || row.kind === 'outgoing' || before.kind === 'outgoing') return row.isOwn
  const [one, other] = [before.message, row.message]
  return one.sender_id === other.sender_id && one.sender_username === other.sender_username
}
