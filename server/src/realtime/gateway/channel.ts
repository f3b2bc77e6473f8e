import { type FeedName, positionExtension, resyncExtension } from '@hither/contract/feeds.ts'
import type { ConversationId } from '@hither/contract/ids.ts'
import type { Caller, TokenCheck } from '../../platform/http/caller.ts'
import type { Broadcasts, Listener } from '../broadcasts/broadcasts.ts'
import { encodeFrame, type Payload, type Ref, type Vsn } from '../protocol/protocol.ts'
import type { BindingSet } from '../subscriptions/binding-sets.ts'
import type { Frames } from '../subscriptions/frames.ts'
import type { Hub, Subscriber } from '../subscriptions/hub.ts'
import type { JoinConfig } from '../subscriptions/join-config.ts'
import { type ReplayDeps, replay } from '../subscriptions/replay.ts'
import type { PositionSeal } from './position-seal.ts'
import type { Shares } from './shares.ts'

export const channelLimits = {
  /** Two heartbeats of the official client, each of which sends a fresh token if the client has one. */
  tokenWaitMs: 50_000,
  /**
   * How long a client that receives no change is sent no position. With the interval of the sweeps and the time within which
   * clients can resume, this is less than the time for which rows are in memory.
   */
  positionEveryMs: 40_000,
} as const

/** The interface through which a channel uses its socket. */
export interface Outlet {
  readonly vsn: Vsn
  /** Sends a text message. */
  send(text: string): void
  /** Sends an encoded WebSocket frame, which other sockets may share. */
  sendFrame(frame: Buffer): void
  /** Reports that a replay of this size is sent next. */
  onReplay(bytes: number): void
  /** Reports that a frame could not be processed. */
  fail(error: unknown): void
}

interface Joining {
  readonly topic: string
  readonly joinRef: Ref
  readonly config: JoinConfig
  /** The token may have expired: then the channel receives nothing until the client sends a fresh one. */
  readonly caller: Caller
  /** The position up to which the client has handled everything; `null` if it has to refetch. */
  readonly resumeAfter: string | null
  /** The caller must be a member of each of these conversations while the channel exists. */
  readonly conversations: readonly ConversationId[]
}

export interface ChannelDeps extends ReplayDeps {
  readonly hub: Hub
  readonly broadcasts: Broadcasts
  readonly shares: Shares
  readonly positionSeal: PositionSeal
}

/** The connection to which a channel belongs. */
export interface ChannelOwner {
  /** Called when the channel can receive for the first time, and again after each wait for a token. */
  onLive(channel: Channel): void
  /** Called once, however the channel ends. `isFinal`: its client will not rejoin by itself. */
  onEnd(channel: Channel, isFinal: boolean): void
}

/** The number of channels of this node so far. */
let channelCount = 0

/** One generation of a topic on a socket: from an accepted join until it ends. */
export class Channel implements Listener, Subscriber {
  readonly number = channelCount++
  readonly topic: string
  readonly joinRef: Ref
  readonly config: JoinConfig
  readonly conversations: readonly ConversationId[]
  readonly #deps: ChannelDeps
  readonly #outlet: Outlet
  readonly #owner: ChannelOwner
  readonly #joinedAt: number
  #caller: Caller
  #isEnded = false
  /** Whether changes are sent. Otherwise they are replayed once the client has presented a valid token. */
  #isLive = false
  /** Up to this position the client has received everything, or was asked to refetch it. */
  #position: string
  #hasToRefetch: boolean
  #hasSentChange = false
  /** In Unix milliseconds, or up to one sweep later. */
  #positionSentAt = 0
  #signedOutAt: number | null = null

  constructor(deps: ChannelDeps, outlet: Outlet, owner: ChannelOwner, joining: Joining) {
    this.topic = joining.topic
    this.joinRef = joining.joinRef
    this.config = joining.config
    this.conversations = joining.conversations
    this.#deps = deps
    this.#outlet = outlet
    this.#owner = owner
    this.#joinedAt = deps.now().getTime()
    this.#caller = joining.caller
    const { resumeAfter } = joining
    this.#position = resumeAfter === null ? deps.recentEvents.position() : deps.positionSeal.open(resumeAfter)
    this.#hasToRefetch = resumeAfter === null
  }

  get vsn(): Vsn {
    return this.#outlet.vsn
  }

  get wantsSelf(): boolean {
    return this.config.wantsSelf
  }

  get caller(): Caller {
    return this.#caller
  }

  get bindings(): BindingSet {
    return this.config.bindings
  }

  /**
   * Announces the channel and sends the changes that its client missed. Called after the reply to the join. A channel
   * with an expired token waits for a fresh one first.
   */
  start(): void {
    if (this.#hasBindings()) this.#deps.hub.add(this.#caller.userId, this)
    this.#deps.broadcasts.add(this)
    this.mayReceive()
  }

  /** A channel whose token is valid again, because it was renewed or the clock was set back, sends what it has missed first. */
  mayReceive(): boolean {
    const may = this.#signedOutAt === null && this.#deps.now().getTime() < this.#caller.expiresAt
    if (!may) this.#isLive = false
    else if (!this.#isLive) this.#goLive()
    return may
  }

  wants(table: FeedName): boolean {
    return this.bindings.tables.has(table)
  }

  deliver(frames: Frames): void {
    if (!this.mayReceive()) return
    for (const { position, frame } of frames.of(this)) {
      // The replay of `mayReceive` has sent it.
      if (position < this.#position) continue
      this.#sendFrame(frame())
      this.#position = position
      this.#hasSentChange = true
    }
  }

  sendBroadcast(frame: Buffer): void {
    this.#sendFrame(frame)
  }

  /** Applies the check of a pushed `access_token`; `signed_out` means an explicit null. */
  renew(check: TokenCheck | { readonly state: 'signed_out' }): void {
    switch (check.state) {
      case 'valid':
        this.#renewWith(check.caller)
        break
      case 'expired':
        // The client has not refreshed its token yet. The channel continues until the known token expires.
        break
      case 'signed_out':
        this.#signOut()
        break
      case 'revoked':
        this.expel('The session has ended')
        break
      case 'invalid':
        this.fail('The access token is not valid')
        break
    }
  }

  /**
   * Ends the channel if no fresh token has arrived in time, and sends its client the position if it has received nothing for a
   * while. The caller calls it every few seconds.
   */
  sweep(): void {
    const at = this.#deps.now().getTime()
    const waitsSince = this.#signedOutAt ?? Math.max(this.#joinedAt, this.#caller.expiresAt)
    if (!this.mayReceive()) {
      if (at - waitsSince >= channelLimits.tokenWaitMs) this.fail('The access token has expired')
    } else if (this.#hasSentChange) {
      this.#hasSentChange = false
      this.#positionSentAt = at
    } else if (at - this.#positionSentAt >= channelLimits.positionEveryMs) this.#sendPosition()
  }

  /** Asks the client to refetch everything, because events were lost. */
  resync(): void {
    this.#position = this.#deps.recentEvents.position()
    this.#hasToRefetch = true
    if (this.#isLive) this.#catchUp()
  }

  /** Sends to this generation only: a client that has rejoined ignores the message. */
  notify(event: string, payload: Payload): void {
    this.#notify(event, payload, null)
  }

  /** Sends to the topic, whatever its current generation. */
  push(event: string, payload: Payload): void {
    const { topic, vsn } = this
    if (!this.#isEnded) this.#outlet.send(encodeFrame(vsn, { joinRef: null, ref: null, topic, event, payload }))
  }

  /** Sends `phx_close`, which the client treats as final for this generation. `isFinal`: no newer generation follows. */
  close(isFinal: boolean): void {
    this.#end('phx_close', isFinal)
  }

  /** Closes the channel permanently, with the reason. */
  expel(reason: string): void {
    this.notify('system', systemOf(this.topic, 'error', reason))
    this.#end('phx_close', true)
  }

  /** Sends `phx_error`, after which the client rejoins within seconds. */
  fail(reason: string): void {
    this.notify('system', systemOf(this.topic, 'error', reason))
    this.#end('phx_error', false)
  }

  /** Ends the channel without a message, when its socket is closed. */
  drop(isFinal: boolean): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#deps.hub.remove(this.#caller.userId, this)
    this.#deps.broadcasts.remove(this)
    this.#owner.onEnd(this, isFinal)
  }

  #goLive(): void {
    if (this.#isEnded) return
    this.#isLive = true
    this.notify('system', systemOf(this.topic, 'ok', 'Subscribed to PostgreSQL'))
    this.#owner.onLive(this)
    this.#catchUp()
  }

  /** Sends what the client lacks, or the notice that it has to refetch, and the position up to which it is complete then. */
  #catchUp(): void {
    if (!this.#hasBindings()) return
    const frames = this.#missedFrames()
    if (this.#hasToRefetch || !frames)
      this.notify('system', {
        ...systemOf(this.topic, 'ok', 'Changes may have been missed: refetch all data'),
        extension: resyncExtension,
      })
    this.#hasToRefetch = false
    this.#outlet.onReplay((frames ?? []).reduce((sum, { length }) => sum + length, 0))
    for (const frame of frames ?? []) this.#sendFrame(frame)
    this.#sendPosition()
  }

  /** Returns `null` if they are not known. */
  #missedFrames(): readonly Buffer[] | null {
    const { topic, bindings } = this
    const { userId } = this.#caller
    if (!this.#hasToRefetch && !this.#deps.shares.mayReplay(userId)) return null
    return replay(this.#deps, { topic, bindings, userId, after: this.#position })
  }

  #sendPosition(): void {
    if (!this.#hasBindings()) return
    this.#position = this.#deps.recentEvents.position()
    this.#positionSentAt = this.#deps.now().getTime()
    this.notify('system', {
      ...systemOf(this.topic, 'ok', 'All changes up to this position were sent'),
      extension: positionExtension,
      position: this.#deps.positionSeal.seal(this.#position),
    })
  }

  /** Broadcasts and presence need no bindings. */
  #hasBindings(): boolean {
    return this.bindings.all.length > 0
  }

  #sendFrame(frame: Buffer): void {
    if (!this.#isEnded) this.#outlet.sendFrame(frame)
  }

  #renewWith(fresh: Caller): void {
    // This is another user, or one who was signed out: only a new join makes the client refetch.
    if (fresh.userId !== this.#caller.userId || this.#signedOutAt !== null) {
      this.fail('Signed in again')
      return
    }
    this.#caller = fresh
    this.mayReceive()
  }

  #signOut(): void {
    this.#signedOutAt ??= this.#deps.now().getTime()
  }

  #end(event: 'phx_close' | 'phx_error', isFinal: boolean): void {
    if (this.#isEnded) return
    // Both fields have the channel's join_ref: a close without it would end the current generation, whichever that is.
    this.#notify(event, {}, this.joinRef)
    this.drop(isFinal)
  }

  #notify(event: string, payload: Payload, ref: Ref): void {
    const { joinRef, topic, vsn } = this
    if (!this.#isEnded) this.#outlet.send(encodeFrame(vsn, { joinRef, ref, topic, event, payload }))
  }
}

function systemOf(topic: string, status: 'ok' | 'error', message: string): Payload {
  return { extension: 'postgres_changes', channel: topic.slice(topic.indexOf(':') + 1), status, message }
}
