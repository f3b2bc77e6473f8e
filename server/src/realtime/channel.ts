import { randomUUID } from 'node:crypto'
import { resyncExtension } from '@hither/contract/feeds.ts'
import { type ConversationId } from '@hither/contract/ids.ts'
import { type Caller, type TokenCheck } from '../auth/tokens.ts'
import { type JoinConfig } from './bindings.ts'
import { type Broadcasts, type Listener } from './broadcasts.ts'
import { type OpenFeed } from './feeds.ts'
import { encodeFrame, type Payload, type Ref, type Vsn } from './protocol.ts'

export const channelLimits = {
  /** Two heartbeats of the official client, each of which brings a fresh token where there is one. */
  tokenWaitMs: 50_000,
} as const

/** The socket's side of a channel. */
export interface Outlet {
  readonly vsn: Vsn
  send(data: string | Buffer): void
  sendBinary(data: Buffer): void
  /** A change went out: once enough of them have, the peer is asked how far it came. */
  onChangeSent(): void
  /** The peer is asked at once. */
  askHowFar(): void
  /** What came of a frame later on could not be handled. */
  fail(error: unknown): void
}

export interface Joining {
  readonly topic: string
  readonly joinRef: Ref
  readonly config: JoinConfig
  /** Their token may have expired: then the channel is on probation and receives nothing before a fresh one. */
  readonly caller: Caller
  readonly opened: OpenFeed
  /** Where it is `false` the app may have missed something. */
  readonly isResumed: boolean
  /** Without a membership in each of these there is no channel. */
  readonly conversations: readonly ConversationId[]
  /** Whether the client named itself so as to be told what it missed, or that it did. */
  readonly wantsResumption: boolean
}

interface ChannelDeps {
  readonly broadcasts: Broadcasts
  readonly now: () => Date
  readonly outlet: Outlet
  /** The first time it may receive, and again after each wait for a token. */
  readonly onLive: (channel: Channel) => void
  /** Called once, however it ends. */
  readonly onEnd: (channel: Channel, mode: 'keep' | 'forget') => void
}

/** One generation of one topic on one socket: from an accepted join to its end. */
export interface Channel extends Listener {
  readonly topic: string
  readonly joinRef: Ref
  readonly config: JoinConfig
  readonly caller: Caller
  readonly conversations: readonly ConversationId[]
  /** Announces itself, after the join's reply, and tells what its client missed; on probation once a fresh token is there. */
  start(): void
  /** What a pushed `access_token` was found to be; `signed_out` for an explicit null. */
  renew(check: TokenCheck | { readonly state: 'signed_out' }): void
  /** To be called every few seconds: ends it where no fresh token has come in time. */
  sweep(): void
  /** What has been written of changes so far; to be called when the peer has it. */
  markWritten(): () => void
  /** Something was lost between the nodes: the app is told to read anew. */
  resync(): void
  /** For this generation alone: a client drops it where it has rejoined since. */
  tell(event: string, payload: Payload): void
  /** For whichever generation the topic is in. */
  push(event: string, payload: Payload): void
  /** `phx_close`: the client takes it as final, of this generation. */
  close(mode: 'keep' | 'forget'): void
  /** `close` for good, with the reason. */
  expel(reason: string): void
  /** `phx_error`: the client rejoins within seconds. */
  fail(reason: string): void
  /** Ends it without a word, with its socket. */
  drop(mode: 'keep' | 'forget'): void
}

export function createChannel(deps: ChannelDeps, joining: Joining): Channel {
  const { broadcasts, now, outlet } = deps
  const { topic, joinRef, config, opened, wantsResumption } = joining
  const { feed } = opened
  let caller = joining.caller
  let isEnded = false
  let isLive = false
  let isKeptBack = false
  let isComplete = joining.isResumed
  let signedOutAt: number | null = null
  const joinedAt = now().getTime()

  const channel: Channel = {
    id: randomUUID(),
    vsn: outlet.vsn,
    topic,
    joinRef,
    config,
    conversations: joining.conversations,
    wantsSelf: config.wantsSelf,
    get caller() {
      return caller
    },
    start() {
      feed.attach(sink)
      broadcasts.add(channel)
      if (channel.mayReceive()) goLive()
    },
    mayReceive() {
      const may = signedOutAt === null && now().getTime() < caller.expiresAt
      // Something has just been kept from it, so it is announced anew once it may receive again.
      if (!may) {
        isLive = false
        isKeptBack = true
      }
      // Without a fresh token: the clock was set back. What it was kept from comes first.
      if (may && isKeptBack) goLive()
      return may
    },
    sendBroadcast(data) {
      if (isEnded) return
      if (typeof data === 'string') outlet.send(data)
      else outlet.sendBinary(data)
    },
    renew(check) {
      switch (check.state) {
        case 'valid':
          renewWith(check.caller)
          break
        case 'expired':
          // The client has not refreshed yet. Ours goes on for as long as its own expiry allows.
          break
        case 'signed_out':
          fallSilent()
          break
        case 'revoked':
          channel.expel('The session has ended')
          break
        case 'invalid':
          channel.fail('The access token is not valid')
          break
      }
    },
    sweep() {
      const waitsSince = signedOutAt ?? Math.max(joinedAt, caller.expiresAt)
      if (!channel.mayReceive() && now().getTime() - waitsSince >= channelLimits.tokenWaitMs)
        channel.fail('The access token has expired')
    },
    markWritten() {
      const seq = feed.log.sentSeq
      return () => feed.log.ack(seq)
    },
    resync() {
      feed.log.cut()
      feed.log.owe()
      isComplete = false
      if (isLive) goOn()
    },
    tell: notify,
    push(event, payload) {
      if (!isEnded) outlet.send(encodeFrame(outlet.vsn, { joinRef: null, ref: null, topic, event, payload }))
    },
    close(mode) {
      end('phx_close', mode)
    },
    expel(reason) {
      notify('system', systemOf(topic, 'error', reason))
      end('phx_close', 'forget')
    },
    fail(reason) {
      notify('system', systemOf(topic, 'error', reason))
      end('phx_error', 'keep')
    },
    drop(mode) {
      if (isEnded) return
      isEnded = true
      feed.detach(sink)
      broadcasts.remove(channel)
      opened.release(signedOutAt === null ? mode : 'forget')
      deps.onEnd(channel, mode)
    },
  }

  const sink = {
    mayReceive: channel.mayReceive,
    send(frame: Buffer) {
      if (isEnded) return
      outlet.send(frame)
      outlet.onChangeSent()
    },
    onBroken: () => channel.fail('Too much has happened since the access token expired'),
  }
  return channel

  function goLive(): void {
    if (isLive || isEnded) return
    isLive = true
    isKeptBack = false
    notify('system', systemOf(topic, 'ok', 'Subscribed to PostgreSQL'))
    deps.onLive(channel)
    goOn()
  }

  function goOn(): void {
    const hasAdmitted = admitLoss()
    if (!feed.flush()) sink.onBroken()
    // The notice is owed until it is known to have arrived.
    else if (hasAdmitted) outlet.askHowFar()
  }

  function admitLoss(): boolean {
    if (isComplete) return false
    isComplete = true
    if (!wantsResumption || config.bindings.length === 0) return false
    notify('system', {
      ...systemOf(topic, 'ok', 'Changes may have been missed: read anew'),
      extension: resyncExtension,
    })
    return true
  }

  function renewWith(fresh: Caller): void {
    // Another person, or one who was away with nothing held: only a new join lets the app know that it must read anew.
    if (fresh.userId !== caller.userId || signedOutAt !== null) {
      channel.fail('Signed in anew')
      return
    }
    caller = fresh
    goLive()
  }

  function fallSilent(): void {
    if (signedOutAt !== null) return
    signedOutAt = now().getTime()
    feed.detach(sink)
    opened.release('forget')
  }

  function end(event: 'phx_close' | 'phx_error', mode: 'keep' | 'forget'): void {
    if (isEnded) return
    // With its own join_ref in both places: a close without them would end whatever generation is current.
    notify(event, {}, joinRef)
    channel.drop(mode)
  }

  function notify(event: string, payload: Payload, ref: Ref = null): void {
    if (!isEnded) outlet.send(encodeFrame(outlet.vsn, { joinRef, ref, topic, event, payload }))
  }
}

function systemOf(topic: string, status: 'ok' | 'error', message: string): Payload {
  return { extension: 'postgres_changes', channel: topic.slice(topic.indexOf(':') + 1), status, message }
}
