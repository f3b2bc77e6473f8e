import { type Caller, type TokenCheck } from '../auth/tokens.ts'
import { type JoinConfig } from './bindings.ts'
import { type HeldFrame, type Hub, type Subscriber } from './hub.ts'
import { encodeFrame, type Payload, type Ref, type Vsn } from './protocol.ts'

export const channelLimits = {
  /** Two heartbeats of the official client, each of which brings a fresh token where there is one. */
  tokenWaitMs: 50_000,
  /** A join with a token expired for no longer than this holds a place until the fresh one comes. */
  probationMs: 24 * 3_600_000,
  heldFrames: 256,
  heldBytes: 1024 * 1024,
} as const

/** The socket's side of a channel. */
export interface Outlet {
  readonly vsn: Vsn
  send(data: string | Buffer): void
}

export interface Joining {
  readonly topic: string
  readonly joinRef: Ref
  readonly config: JoinConfig
  /** Their token may have expired: then the channel is on probation and receives nothing before a fresh one. */
  readonly caller: Caller
}

interface ChannelDeps {
  readonly hub: Hub
  readonly now: () => Date
  readonly outlet: Outlet
  /** The first time it may receive, and again after each wait for a token. */
  readonly onLive: (channel: Channel) => void
  /** Called once, however it ends. */
  readonly onEnd: (channel: Channel) => void
}

/** One generation of one topic on one socket: from an accepted join to its end. */
export interface Channel extends Subscriber {
  readonly joinRef: Ref
  readonly config: JoinConfig
  readonly caller: Caller
  /** Starts listening; to be followed by the reply in the same turn. */
  open(): void
  /** Announces itself after the join's reply, unless it is on probation. */
  start(): void
  /** What a pushed `access_token` was found to be; `signed_out` for an explicit null. */
  renew(check: TokenCheck | { readonly state: 'signed_out' }): void
  /** To be called every few seconds: ends it where no fresh token has come in time. */
  sweep(): void
  /** For this generation alone: a client drops it where it has rejoined since. */
  tell(event: string, payload: Payload): void
  /** For whichever generation the topic is in. */
  push(event: string, payload: Payload): void
  /** `phx_close`: the client takes it as final. */
  close(): void
  /** `phx_error`: the client rejoins within seconds, and its app reads again what it may have missed. */
  fail(reason: string): void
  /** Ends it without a word, with its socket. */
  drop(): void
}

export function createChannel(deps: ChannelDeps, { topic, joinRef, config, caller: joiner }: Joining): Channel {
  const { hub, now, outlet } = deps
  let caller = joiner
  let isEnded = false
  let isLive = false
  let signedOutAt: number | null = null
  let held: HeldFrame[] = []
  const joinedAt = now().getTime()

  const channel: Channel = {
    vsn: outlet.vsn,
    topic,
    joinRef,
    config,
    bindings: config.bindings,
    get caller() {
      return caller
    },
    open: () => hub.add(caller.userId, channel),
    start() {
      if (channel.mayReceive()) goLive()
    },
    mayReceive() {
      const may = signedOutAt === null && now().getTime() < caller.expiresAt
      // Something has just been kept from it, so it is announced anew once it may receive again.
      if (!may) isLive = false
      return may
    },
    deliver(frame) {
      if (!isEnded) outlet.send(frame)
    },
    hold(frame) {
      if (isEnded) return
      held = addHeld(held, frame)
      if (isOverfull(held)) channel.fail('Too much has happened since the access token expired')
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
          notify('system', { ...systemOf(topic), status: 'error', message: 'The session has ended' })
          channel.close()
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
    tell: notify,
    push(event, payload) {
      if (!isEnded) outlet.send(encodeFrame(outlet.vsn, { joinRef: null, ref: null, topic, event, payload }))
    },
    close() {
      end('phx_close')
    },
    fail(reason) {
      notify('system', { ...systemOf(topic), status: 'error', message: reason })
      end('phx_error')
    },
    drop() {
      if (isEnded) return
      isEnded = true
      held = []
      hub.remove(caller.userId, channel)
      deps.onEnd(channel)
    },
  }
  return channel

  function goLive(): void {
    if (isLive || isEnded) return
    isLive = true
    notify('system', { ...systemOf(topic), status: 'ok', message: 'Subscribed to PostgreSQL' })
    deps.onLive(channel)
  }

  function renewWith(fresh: Caller): void {
    // Another person, or one who was away with nothing held: only a new join lets the app know that it must read anew.
    if (fresh.userId !== caller.userId || signedOutAt !== null) {
      channel.fail('Signed in anew')
      return
    }
    caller = fresh
    const frames = held
    held = []
    for (const { frame } of frames) channel.deliver(frame)
    channel.start()
  }

  function fallSilent(): void {
    if (signedOutAt !== null) return
    signedOutAt = now().getTime()
    held = []
    hub.remove(caller.userId, channel)
  }

  function end(event: 'phx_close' | 'phx_error'): void {
    if (isEnded) return
    // With its own join_ref in both places: a close without them would end whatever generation is current.
    notify(event, {}, joinRef)
    channel.drop()
  }

  function notify(event: string, payload: Payload, ref: Ref = null): void {
    if (!isEnded) outlet.send(encodeFrame(outlet.vsn, { joinRef, ref, topic, event, payload }))
  }
}

function systemOf(topic: string): Payload {
  return { extension: 'postgres_changes', channel: topic.slice(topic.indexOf(':') + 1) }
}

/**
 * A DELETE takes the place of what was held of its row: when the frames go out, the caller may no longer see the row as
 * it was.
 */
function addHeld(held: readonly HeldFrame[], added: HeldFrame): HeldFrame[] {
  return [...(added.isDelete ? held.filter(({ row }) => row !== added.row) : held), added]
}

function isOverfull(held: readonly HeldFrame[]): boolean {
  const bytes = held.reduce((sum, { frame }) => sum + frame.length, 0)
  return held.length > channelLimits.heldFrames || bytes > channelLimits.heldBytes
}
