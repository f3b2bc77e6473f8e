import type { ConversationId, SessionId, UserId } from '@hither/contract/ids.ts'
import type { TokenVerifier } from '../../platform/http/caller.ts'
import { broadcastRefusal, tooManyBroadcasts } from '../broadcasts/broadcasts.ts'
import type { Presence } from '../presence/presence.ts'
import {
  type Broadcast,
  decodeBinary,
  decodeText,
  encodeFrame,
  type Frame,
  type Payload,
  type Ref,
} from '../protocol/protocol.ts'
import { JoinRefusal } from '../subscriptions/bindings.ts'
import { readJoinConfig } from '../subscriptions/join-config.ts'
import { callerOf, isUserToken, type Refused } from './callers.ts'
import { Channel, type ChannelDeps, type ChannelOwner, type Outlet } from './channel.ts'
import type { AcceptedJoin, JoinAuthorizer, JoinRequest } from './join-authorizer.ts'
import { TokenBucket } from './token-bucket.ts'

export const connectionLimits = {
  channelsMax: 100,
  topicBytesMax: 255,
  /** The limit for the whole frame of a join, as sent. */
  joinBytesMax: 16 * 1024,
  /** The number of frames that wait while the join of their topic is being decided. */
  queuedFramesMax: 20,
  joins: { burst: 300, perSecond: 20 },
} as const

export interface ConnectionDeps extends ChannelDeps {
  readonly tokens: TokenVerifier
  readonly joinAuthorizer: JoinAuthorizer
  readonly presence: Presence
}

type Outcome =
  | { readonly status: 'ok'; readonly response: Payload }
  | { readonly status: 'error'; readonly response: Payload }

/** A frame, or a broadcast in its binary form. */
interface Incoming extends Frame {
  readonly binary?: Broadcast
}

/** A join that is being decided. */
interface Pending {
  readonly frame: Frame
  readonly joinRequest: JoinRequest
  readonly queued: Incoming[]
  isUncertain: boolean
}

/** The protocol state of one socket, from its first frame until it ends. Independent of the WebSocket. */
export class Connection implements ChannelOwner {
  readonly #deps: ConnectionDeps
  readonly #outlet: Outlet
  readonly #channels = new Map<string, Channel>()
  readonly #pendings = new Map<string, Pending>()
  readonly #joins = new TokenBucket(connectionLimits.joins)
  /** The users as whom this socket has joined. */
  readonly #people = new Set<UserId>()
  /** How the socket ended; `null` while it is open. */
  #ended: 'lost' | 'left' | 'ended' | null = null

  constructor(deps: ConnectionDeps, outlet: Outlet) {
    this.#deps = deps
    this.#outlet = outlet
  }

  get channels(): ReadonlyMap<string, Channel> {
    return this.#channels
  }

  /** Handles one message of the client. A malformed message is ignored. */
  receive(data: Buffer, isBinary: boolean): void {
    const frame = isBinary ? this.#binaryFrame(data) : decodeText(this.#outlet.vsn, data.toString('utf8'))
    if (frame?.event === 'phx_join' && data.byteLength > connectionLimits.joinBytesMax) this.#refuseLargeJoin(frame)
    else if (frame) this.#dispatch(frame)
  }

  belongsTo(sessionIds: ReadonlySet<SessionId>): boolean {
    const joinRequests = [...this.#pendings.values()].map(({ joinRequest }) => joinRequest)
    return [...this.#channels.values(), ...joinRequests].some(({ caller }) => sessionIds.has(caller.sessionId))
  }

  endMembership(conversationId: ConversationId, userId: UserId): void {
    for (const pending of this.#pendings.values()) {
      const { caller, conversations } = pending.joinRequest
      if (caller.userId === userId && conversations.includes(conversationId)) pending.isUncertain = true
    }
    for (const channel of [...this.#channels.values()]) {
      if (channel.caller.userId !== userId || !channel.conversations.includes(conversationId)) continue
      channel.expel('Unauthorized: you are no longer a member of this conversation')
    }
  }

  sweep(): void {
    for (const channel of [...this.#channels.values()]) channel.sweep()
  }

  /**
   * Ends the connection: `lost` if the client may reconnect, `left` if it disconnected on purpose, `ended` if its
   * session ended.
   */
  end(how: 'lost' | 'left' | 'ended'): void {
    this.#ended ??= how
    this.#pendings.clear()
    for (const userId of this.#people) this.#deps.shares.removeSocket(userId)
    this.#people.clear()
    for (const channel of [...this.#channels.values()]) channel.drop(how !== 'lost')
  }

  onLive(channel: Channel): void {
    this.#deps.presence.enter(channel)
  }

  onEnd(channel: Channel, isFinal: boolean): void {
    this.#channels.delete(channel.topic)
    this.#deps.shares.removeBindings(channel.caller.userId, channel.bindings.all.length)
    this.#deps.presence.leave(channel, isFinal)
  }

  #refuseLargeJoin(frame: Frame): void {
    const reason = `A join takes at most ${connectionLimits.joinBytesMax / 1024} KB`
    this.#refuseJoin(frame, { reason, isPermanent: true })
  }

  #binaryFrame(data: Buffer): Incoming | null {
    const push = this.#outlet.vsn === '2.0.0' ? decodeBinary(data) : null
    if (!push) return null
    const { joinRef, ref, topic, event, isJson, body } = push
    const binary = { topic, event, isJson, body }
    return { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload: {}, binary }
  }

  #dispatch(frame: Incoming): void {
    const { topic, event, joinRef } = frame
    if (topic === 'phoenix') {
      if (event === 'heartbeat') this.#reply(frame, ok())
      return
    }
    if (event === 'phx_join') {
      this.#join(frame)
      return
    }
    const pending = this.#pendings.get(topic)
    const channel = this.#channels.get(topic)
    const generation = pending ? generationOf(pending.frame) : channel?.joinRef
    // A frame of an older generation is not meant for the newest one, whether that has joined or is being decided.
    if (generation !== undefined && joinRef !== null && joinRef !== generation) {
      if (event === 'phx_leave') this.#reply(frame, ok())
      return
    }
    if (event === 'phx_leave') {
      if (pending) this.#abandon(pending, 'The channel was left')
      this.#reply(frame, ok())
      channel?.close(true)
    } else if (pending && pending.queued.length < connectionLimits.queuedFramesMax) pending.queued.push(frame)
    else if (channel) this.#handle(frame, channel)
    else if (event !== 'access_token') this.#reply(frame, refused('unmatched topic'))
  }

  #handle(frame: Incoming, channel: Channel): void {
    switch (frame.event) {
      case 'access_token':
        // The client expects no reply to it.
        this.#renew(channel, frame.payload.access_token)
        break
      case 'presence':
        this.#reply(frame, this.#presenceOutcome(channel, frame.payload))
        break
      case 'broadcast': {
        const outcome = this.#broadcastOutcome(channel, frame)
        // Without `ack` the client expects no reply.
        if (channel.config.wantsAck) this.#reply(frame, outcome)
        break
      }
    }
  }

  #join(frame: Frame): void {
    const { topic } = frame
    // The newest join wins, even if it is then refused: the client has given up the older one.
    this.#channels.get(topic)?.close(false)
    const older = this.#pendings.get(topic)
    if (older) this.#abandon(older, 'A newer join took its place')
    const joinRequest = this.#read(frame)
    if ('reason' in joinRequest) {
      this.#refuseJoin(frame, joinRequest)
      return
    }
    const pending: Pending = { frame, joinRequest, queued: [], isUncertain: false }
    this.#pendings.set(topic, pending)
    const outlet = this.#outlet
    this.#deps.joinAuthorizer.admit(joinRequest).then(
      (admitted) => {
        if (this.#pendings.get(topic) !== pending) return
        this.#pendings.delete(topic)
        try {
          if ('reason' in admitted) this.#refuseJoin(frame, admitted)
          else this.#open(pending, admitted)
          for (const queued of pending.queued) this.#dispatch(queued)
        } catch (error) {
          outlet.fail(error)
        }
      },
      (error) => outlet.fail(error),
    )
  }

  #open({ frame, joinRequest, isUncertain }: Pending, admitted: AcceptedJoin): void {
    const { topic } = frame
    const { caller, config } = joinRequest
    if (isUncertain) {
      this.#refuseJoin(frame, { reason: 'Busy: a membership changed meanwhile', isPermanent: false })
      return
    }
    if (!this.#deps.shares.addBindings(caller.userId, config.bindings.all.length)) {
      this.#refuseJoin(frame, { reason: 'Too many subscriptions: close some', isPermanent: false })
      return
    }
    const joining = { ...joinRequest, ...admitted, topic, joinRef: generationOf(frame) }
    const channel = new Channel(this.#deps, this.#outlet, this, joining)
    this.#channels.set(topic, channel)
    this.#reply(frame, ok({ postgres_changes: config.bindings.echo }))
    channel.start()
  }

  /** Checks a join as far as possible without a query. */
  #read({ topic, payload }: Frame): JoinRequest | Refused {
    if (!topic.startsWith('realtime:') || Buffer.byteLength(topic) > connectionLimits.topicBytesMax)
      return { reason: 'unmatched topic', isPermanent: true }
    if (this.#channels.size + this.#pendings.size >= connectionLimits.channelsMax)
      return { reason: `A socket takes at most ${connectionLimits.channelsMax} channels`, isPermanent: false }
    if (!this.#joins.take()) return { reason: 'Busy: too many joins', isPermanent: false }
    const caller = callerOf(this.#deps.tokens, this.#deps.now, payload.access_token ?? payload.user_token)
    if ('reason' in caller) return caller
    if (!this.#people.has(caller.userId) && !this.#deps.shares.addSocket(caller.userId))
      return { reason: 'Too many connections: close some', isPermanent: false }
    this.#people.add(caller.userId)
    try {
      return this.#deps.joinAuthorizer.read(caller, topic, readJoinConfig(this.#outlet.vsn, payload))
    } catch (error) {
      if (error instanceof JoinRefusal) return { reason: error.message, isPermanent: true }
      throw error
    }
  }

  #refuseJoin(frame: Frame, { reason, isPermanent }: Refused): void {
    const joinRef = generationOf(frame)
    this.#reply(frame, refused(reason))
    if (isPermanent) this.#send(joinRef, joinRef, frame.topic, 'phx_close', {})
  }

  /** Replies, although the client no longer waits for it. */
  #abandon({ frame, queued }: Pending, reason: string): void {
    this.#pendings.delete(frame.topic)
    for (const { event, ref, joinRef, topic } of queued)
      if (event !== 'access_token') this.#send(joinRef, ref, topic, 'phx_reply', { ...refused('unmatched topic') })
    this.#reply(frame, refused(reason))
  }

  #renew(channel: Channel, token: unknown): void {
    if (token === null) {
      this.#deps.presence.untrack(channel)
      channel.renew({ state: 'signed_out' })
    } else if (isUserToken(token)) channel.renew(this.#deps.tokens.check(token))
  }

  #presenceOutcome(channel: Channel, payload: Payload): Outcome {
    const event = typeof payload.event === 'string' ? payload.event.toLowerCase() : ''
    if (event === 'track' && !this.#deps.presence.track(channel)) return refused('Busy: too many presence changes')
    if (event === 'untrack') this.#deps.presence.untrack(channel)
    return ok()
  }

  #broadcastOutcome(channel: Channel, { topic, payload, binary }: Incoming): Outcome {
    const broadcast = binary ?? textBroadcast(topic, payload)
    const objection = channel.mayReceive()
      ? broadcastRefusal(broadcast, channel.caller.userId)
      : 'Unauthorized: the access token has expired'
    if (objection !== null) return refused(objection)
    const { userId } = channel.caller
    if (!this.#deps.shares.mayType(userId, topic)) return refused(tooManyBroadcasts)
    this.#deps.broadcasts.publish(topic, userId, channel)
    return ok()
  }

  #reply({ joinRef, ref, topic }: Frame, outcome: Outcome): void {
    this.#send(joinRef, ref, topic, 'phx_reply', { ...outcome })
  }

  #send(joinRef: Ref, ref: Ref, topic: string, event: string, payload: Payload): void {
    if (this.#ended === null) this.#outlet.send(encodeFrame(this.#outlet.vsn, { joinRef, ref, topic, event, payload }))
  }
}

/** The reference of a join, which every later frame of the channel repeats. */
function generationOf({ joinRef, ref }: Frame): Ref {
  return joinRef ?? ref
}

function textBroadcast(topic: string, payload: Payload): Broadcast {
  const { event, payload: body = {} } = payload
  return { topic, event: typeof event === 'string' ? event : '', isJson: true, body: Buffer.from(JSON.stringify(body)) }
}

function ok(response: Payload = {}): Outcome {
  return { status: 'ok', response }
}

function refused(reason: string): Outcome {
  return { status: 'error', response: { reason } }
}
