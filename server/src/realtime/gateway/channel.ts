import { resyncExtension } from '@hither/contract/feeds.ts'
import type { ConversationId } from '@hither/contract/ids.ts'
import type { Caller, TokenCheck } from '../../platform/http/caller.ts'
import type { Broadcasts, Listener } from '../broadcasts/broadcasts.ts'
import { encodeFrame, type Payload, type Ref, type Vsn } from '../protocol/protocol.ts'
import type { JoinConfig } from '../subscriptions/join-config.ts'
import type { Sink } from '../subscriptions/subscription.ts'
import type { OpenSubscription } from '../subscriptions/subscriptions.ts'

const channelLimits = {
  /** Two heartbeats of the official client, each of which sends a fresh token if the client has one. */
  tokenWaitMs: 50_000,
} as const

/** The interface through which a channel uses its socket. */
export interface Outlet {
  readonly vsn: Vsn
  /** Sends a text message. */
  send(text: string): void
  /** Sends an encoded WebSocket frame, which other sockets may share. */
  sendFrame(frame: Buffer): void
  /** Reports that stored changes of this size are sent next. */
  onReplay(bytes: number): void
  /** Reports that a change was sent. After a number of changes, the server requests an acknowledgement from the peer. */
  onChangeSent(): void
  /** Asks the peer for an acknowledgement at once. */
  requestAck(): void
  /** Reports that a frame could not be processed. */
  fail(error: unknown): void
}

interface Joining {
  readonly topic: string
  readonly joinRef: Ref
  readonly config: JoinConfig
  /** The token may have expired: then the channel receives nothing until the client sends a fresh one. */
  readonly caller: Caller
  /** `null` if the channel has no bindings. */
  readonly opened: OpenSubscription | null
  /** `false` if the client may have missed changes. */
  readonly isResumed: boolean
  /** The caller must be a member of each of these conversations while the channel exists. */
  readonly conversations: readonly ConversationId[]
  /** Whether the client identified itself, so that it receives missed changes or a resync notice. */
  readonly wantsResumption: boolean
}

interface ChannelDeps {
  readonly broadcasts: Broadcasts
  readonly now: () => Date
}

/** The connection to which a channel belongs. */
export interface ChannelOwner {
  /** Called when the channel can receive for the first time, and again after each wait for a token. */
  onLive(channel: Channel): void
  /** Called once, however the channel ends. */
  onEnd(channel: Channel, mode: 'keep' | 'forget'): void
}

/** The number of channels of this node so far. */
let channelCount = 0

/** One generation of a topic on a socket: from an accepted join until it ends. */
export class Channel implements Listener, Sink {
  readonly number = channelCount++
  readonly topic: string
  readonly joinRef: Ref
  readonly config: JoinConfig
  readonly conversations: readonly ConversationId[]
  readonly #deps: ChannelDeps
  readonly #outlet: Outlet
  readonly #owner: ChannelOwner
  readonly #opened: OpenSubscription | null
  readonly #wantsResumption: boolean
  readonly #joinedAt: number
  #caller: Caller
  #isEnded = false
  #isLive = false
  #hasDeferredChanges = false
  #isComplete: boolean
  #signedOutAt: number | null = null

  constructor(deps: ChannelDeps, outlet: Outlet, owner: ChannelOwner, joining: Joining) {
    this.topic = joining.topic
    this.joinRef = joining.joinRef
    this.config = joining.config
    this.conversations = joining.conversations
    this.#deps = deps
    this.#outlet = outlet
    this.#owner = owner
    this.#opened = joining.opened
    this.#wantsResumption = joining.wantsResumption
    this.#joinedAt = deps.now().getTime()
    this.#caller = joining.caller
    this.#isComplete = joining.isResumed
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

  /**
   * Announces the channel and sends the changes that its client missed. Called after the reply to the join. A channel
   * with an expired token waits for a fresh one first.
   */
  start(): void {
    this.#opened?.subscription.attach(this)
    this.#deps.broadcasts.add(this)
    if (this.mayReceive()) this.#goLive()
  }

  mayReceive(): boolean {
    const may = this.#signedOutAt === null && this.#deps.now().getTime() < this.#caller.expiresAt
    // Changes were deferred, so the channel is announced again once it may receive.
    if (!may) {
      this.#isLive = false
      this.#hasDeferredChanges = true
    }
    // The clock was set back, so the token is valid again. The deferred changes are sent first.
    if (may && this.#hasDeferredChanges) this.#goLive()
    return may
  }

  sendBroadcast(frame: Buffer): void {
    if (!this.#isEnded) this.#outlet.sendFrame(frame)
  }

  sendChange(frame: Buffer): void {
    if (this.#isEnded) return
    this.#outlet.sendFrame(frame)
    this.#outlet.onChangeSent()
  }

  onBroken(): void {
    this.fail('Too much has happened since the access token expired')
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

  /** Ends the channel if no fresh token has arrived in time. The caller calls it every few seconds. */
  sweep(): void {
    const waitsSince = this.#signedOutAt ?? Math.max(this.#joinedAt, this.#caller.expiresAt)
    if (!this.mayReceive() && this.#deps.now().getTime() - waitsSince >= channelLimits.tokenWaitMs)
      this.fail('The access token has expired')
  }

  /**
   * Marks the position up to which changes have been written. The caller calls the returned function when the peer has
   * received them. That proves nothing once this generation has ended: the client ignores what arrives for it after it
   * has sent a newer join.
   */
  markWritten(): () => void {
    const log = this.#opened?.subscription.log
    const seq = log?.sentSeq ?? 0
    return () => {
      if (!this.#isEnded) log?.ack(seq)
    }
  }

  /** Asks the client to resync, because events between the nodes were lost. */
  resync(): void {
    if (!this.#opened) return
    // A client without an id does not know the notice. It refetches when it rejoins, as after any interruption.
    if (!this.#wantsResumption) {
      this.fail('Changes may have been missed')
      return
    }
    const { log } = this.#opened.subscription
    log.cut()
    log.requireResync()
    this.#isComplete = false
    if (this.#isLive) this.#continueDelivery()
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

  /** Sends `phx_close`, which the client treats as final for this generation. */
  close(mode: 'keep' | 'forget'): void {
    this.#end('phx_close', mode)
  }

  /** Closes the channel permanently, with the reason. */
  expel(reason: string): void {
    this.notify('system', systemOf(this.topic, 'error', reason))
    this.#end('phx_close', 'forget')
  }

  /** Sends `phx_error`, after which the client rejoins within seconds. */
  fail(reason: string): void {
    this.notify('system', systemOf(this.topic, 'error', reason))
    this.#end('phx_error', 'keep')
  }

  /** Ends the channel without a message, when its socket is closed. */
  drop(mode: 'keep' | 'forget'): void {
    if (this.#isEnded) return
    this.#isEnded = true
    this.#opened?.subscription.detach(this)
    this.#deps.broadcasts.remove(this)
    this.#opened?.release(this.#signedOutAt === null ? mode : 'forget')
    this.#owner.onEnd(this, mode)
  }

  #goLive(): void {
    if (this.#isLive || this.#isEnded) return
    this.#isLive = true
    this.#hasDeferredChanges = false
    this.notify('system', systemOf(this.topic, 'ok', 'Subscribed to PostgreSQL'))
    this.#owner.onLive(this)
    this.#continueDelivery()
  }

  #continueDelivery(): void {
    if (!this.#opened) return
    const { subscription } = this.#opened
    const hasSentNotice = this.#sendResyncNotice()
    this.#outlet.onReplay(subscription.log.bytes)
    if (!subscription.flush()) this.onBroken()
    // The notice counts as delivered only after an acknowledgement.
    else if (hasSentNotice) this.#outlet.requestAck()
  }

  #sendResyncNotice(): boolean {
    if (this.#isComplete) return false
    this.#isComplete = true
    if (!this.#wantsResumption) return false
    this.notify('system', {
      ...systemOf(this.topic, 'ok', 'Changes may have been missed: refetch all data'),
      extension: resyncExtension,
    })
    return true
  }

  #renewWith(fresh: Caller): void {
    // This is another user, or one who was signed out while nothing was stored: only a new join makes the client
    // refetch.
    if (fresh.userId !== this.#caller.userId || this.#signedOutAt !== null) {
      this.fail('Signed in again')
      return
    }
    this.#caller = fresh
    this.#goLive()
  }

  #signOut(): void {
    if (this.#signedOutAt !== null) return
    this.#signedOutAt = this.#deps.now().getTime()
    this.#opened?.subscription.detach(this)
    this.#opened?.release('forget')
  }

  #end(event: 'phx_close' | 'phx_error', mode: 'keep' | 'forget'): void {
    if (this.#isEnded) return
    // Both fields have the channel's join_ref: a close without it would end the current generation, whichever that is.
    this.#notify(event, {}, this.joinRef)
    this.drop(mode)
  }

  #notify(event: string, payload: Payload, ref: Ref): void {
    const { joinRef, topic, vsn } = this
    if (!this.#isEnded) this.#outlet.send(encodeFrame(vsn, { joinRef, ref, topic, event, payload }))
  }
}

function systemOf(topic: string, status: 'ok' | 'error', message: string): Payload {
  return { extension: 'postgres_changes', channel: topic.slice(topic.indexOf(':') + 1), status, message }
}
