import type { MessageId, UserId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { dayAround } from '../../ui/format-time.ts'
import type { Outgoing } from '../outbox/message-outbox.ts'

/** The newest message of a conversation, also if it is not among the rows. */
export interface Newest {
  key: string
  /** Infinity for an unsent message. */
  seq: number
  isOwn: boolean
  isUnsent: boolean
}

interface RowLayout {
  /** Stays the same when the message is sent, so that the message keeps its position and its element. */
  key: string
  isOwn: boolean
  /** The first message of a day. A date separator is shown above it. */
  startsDay: boolean
  /** The first or last message of a run: messages of one sender within a short time. */
  startsRun: boolean
  endsRun: boolean
}

export type MessageRow =
  | (RowLayout & { kind: 'message'; message: Message })
  | (RowLayout & { kind: 'outgoing'; message: Outgoing })
  /** A collapsed run of a blocked user. `key` expands it. */
  | (RowLayout & { kind: 'collapsed'; count: number; message: Message; ids: MessageId[] })

interface View {
  messages: readonly Message[]
  outgoing: readonly Outgoing[]
  viewerId: UserId | undefined
  blocked: ReadonlySet<UserId>
  expanded: ReadonlySet<string>
}

/** A run of a blocked user. Its key is the key of its first message. */
interface CollapsedRun {
  senderId: UserId
  key: string
  row: (MessageRow & { kind: 'collapsed' }) | null
}

const runPauseMs = 5 * 60_000

/** Returns the rows of the list in order: sent messages, then unsent ones. */
export function rowsOf({ messages, outgoing, viewerId, blocked, expanded }: View): MessageRow[] {
  const rows: MessageRow[] = []
  let run = null as CollapsedRun | null
  for (const message of messages) {
    const isOwn = message.sender_id === viewerId
    const key = keyOf(message, isOwn)
    if (message.sender_id === null || !blocked.has(message.sender_id)) run = null
    else if (run?.senderId !== message.sender_id) run = { senderId: message.sender_id, key, row: null }

    if (run === null || expanded.has(run.key)) rows.push({ key, isOwn, ...noLayout, kind: 'message', message })
    else if (run.row !== null) {
      run.row.count++
      run.row.ids.push(message.id)
    } else {
      run.row = { key, isOwn, ...noLayout, kind: 'collapsed', count: 1, message, ids: [message.id] }
      rows.push(run.row)
    }
  }
  const sent = new Set(outgoing.length === 0 ? [] : rows.slice(-200).map(({ key }) => key))
  for (const message of outgoing) {
    if (sent.has(message.client_id)) continue
    rows.push({ key: message.client_id, isOwn: true, ...noLayout, kind: 'outgoing', message })
  }
  arrange(rows)
  return rows
}

/** Returns the newest message of a conversation: the last unsent one, or the last sent one. */
export function newestOfRows(
  messages: readonly Message[],
  outgoing: readonly Outgoing[],
  viewerId: UserId,
): Newest | undefined {
  const last = messages.at(-1)
  const isSent = ({ client_id }: Outgoing) => messages.slice(-200).some((message) => message.client_id === client_id)
  const unsent = outgoing.findLast((message) => !isSent(message))
  if (unsent !== undefined) return { key: unsent.client_id, seq: Number.POSITIVE_INFINITY, isOwn: true, isUnsent: true }
  if (last === undefined) return undefined
  const isOwn = last.sender_id === viewerId
  return { key: keyOf(last, isOwn), seq: last.seq, isOwn, isUnsent: false }
}

/** Another user's message may have the same client_id as an own message. */
function keyOf({ id, client_id }: Message, isOwn: boolean): string {
  return (isOwn && client_id) || id
}

/** Returns the row that shows a message, or the collapsed run that contains it. */
export function rowOfMessage(rows: readonly MessageRow[], messageId: MessageId): MessageRow | undefined {
  return rows.find((row) =>
    row.kind === 'collapsed' ? row.ids.includes(messageId) : row.kind === 'message' && row.message.id === messageId,
  )
}

/**
 * Sets days and runs for all rows. The list may have tens of thousands of rows, so a day is calculated once and not for
 * each row.
 */
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

const noLayout = { startsDay: false, startsRun: true, endsRun: true }

function isSameSender(before: MessageRow, row: MessageRow): boolean {
  if (before.kind === 'collapsed' || row.kind === 'collapsed' || before.isOwn !== row.isOwn) return false
  if (row.isOwn || row.kind === 'outgoing' || before.kind === 'outgoing') return row.isOwn
  const [one, other] = [before.message, row.message]
  return one.sender_id === other.sender_id && one.sender_username === other.sender_username
}
