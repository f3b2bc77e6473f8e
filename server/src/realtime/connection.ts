import { type ConversationId, type SessionId, type UserId } from '@hither/contract/ids.ts'
import { type Tokens } from '../auth/tokens.ts'
import { JoinRefusal, readJoinConfig } from './bindings.ts'
import { type Broadcasts, objectionTo } from './broadcasts.ts'
import { createBucket } from './bucket.ts'
import { callerOf, isUserToken, type Refused } from './callers.ts'
import { type Channel, createChannel, type Outlet } from './channel.ts'
import { type Admitted, type Asked, type Doorman } from './doorman.ts'
import { type Presence } from './presence.ts'
import {
  type Broadcast,
  decodeBinary,
  decodeText,
  encodeFrame,
  type Frame,
  type Payload,
  type Ref,
} from './protocol.ts'

export const connectionLimits = {
  channelsMax: 100,
  topicBytesMax: 255,
  /** Of the whole frame of a join, as sent. */
  joinBytesMax: 16 * 1024,
  /** Frames on a topic whose join is still being decided wait for it. */
  heldFramesMax: 20,
  joins: { burst: 300, perSecond: 20 },
  broadcasts: { burst: 30, perSecond: 10 },
} as const

interface ConnectionDeps {
  readonly tokens: Tokens
  readonly doorman: Doorman
  readonly broadcasts: Broadcasts
  readonly presence: Presence
  readonly now: () => Date
}

/** What is said on one socket, from its first frame to its end. Knows nothing of the WebSocket below it. */
export interface Connection {
  readonly channels: ReadonlyMap<string, Channel>
  /** One message of the client. What cannot be read is passed over. */
  receive(data: Buffer, isBinary: boolean): void
  belongsTo(sessionIds: ReadonlySet<SessionId>): boolean
  endMembership(conversationId: ConversationId, userId: UserId): void
  sweep(): void
  /** The socket is gone: `lost` its client may well come back, `left` it meant to go, `ended` it has no business here any more. */
  end(how: 'lost' | 'left' | 'ended'): void
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
  readonly asked: Asked
  readonly held: Incoming[]
  isUncertain: boolean
}

export function createConnection(deps: ConnectionDeps, outlet: Outlet, clientId: string | null): Connection {
  const { tokens, doorman, broadcasts, presence, now } = deps
  const channels = new Map<string, Channel>()
  const pendings = new Map<string, Pending>()
  const joins = createBucket(connectionLimits.joins)
  const pushes = createBucket(connectionLimits.broadcasts)
  /** How the socket ended, once it has. */
  let ended: 'lost' | 'left' | 'ended' | null = null

  return {
    channels,
    receive(data, isBinary) {
      const frame = isBinary ? binaryFrame(data) : decodeText(outlet.vsn, data.toString('utf8'))
      if (frame?.event === 'phx_join' && data.byteLength > connectionLimits.joinBytesMax) refuseLargeJoin(frame)
      else if (frame) dispatch(frame)
    },
    belongsTo: (sessionIds) =>
      [...channels.values(), ...[...pendings.values()].map(({ asked }) => asked)].some(({ caller }) =>
        sessionIds.has(caller.sessionId),
      ),
    endMembership(conversationId, userId) {
      for (const pending of pendings.values()) {
        const { caller, conversations } = pending.asked
        if (caller.userId === userId && conversations.includes(conversationId)) pending.isUncertain = true
      }
      for (const channel of [...channels.values()]) {
        if (channel.caller.userId !== userId || !channel.conversations.includes(conversationId)) continue
        channel.expel('Unauthorized: you are no longer a member of this conversation')
      }
    },
    sweep() {
      for (const channel of [...channels.values()]) channel.sweep()
    },
    end(how) {
      ended ??= how
      pendings.clear()
      for (const channel of [...channels.values()]) channel.drop(how === 'ended' ? 'forget' : 'keep')
    },
  }

  function refuseLargeJoin(frame: Frame): void {
    const reason = `A join takes at most ${connectionLimits.joinBytesMax / 1024} KB`
    turnAway(frame, { reason, isPermanent: true })
  }

  function binaryFrame(data: Buffer): Incoming | null {
    const push = outlet.vsn === '2.0.0' ? decodeBinary(data) : null
    if (!push) return null
    const { joinRef, ref, topic, event, isJson, body } = push
    const binary = { topic, event, isJson, body }
    return { joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload: {}, binary }
  }

  function dispatch(frame: Incoming): void {
    const { topic, event, joinRef } = frame
    if (topic === 'phoenix') {
      if (event === 'heartbeat') reply(frame, ok())
      return
    }
    if (event === 'phx_join') {
      join(frame)
      return
    }
    const pending = pendings.get(topic)
    if (pending && event === 'phx_leave') abandon(pending, 'The channel was left')
    else if (pending && pending.held.length < connectionLimits.heldFramesMax) {
      pending.held.push(frame)
      return
    }
    const channel = channels.get(topic)
    // A frame of an older generation is not meant for the one that took its place.
    const isStale = channel !== undefined && joinRef !== null && joinRef !== channel.joinRef
    if (event === 'phx_leave') leave(frame, isStale ? undefined : channel)
    else if (channel && !isStale) handle(frame, channel)
    else if (!channel && event !== 'access_token') reply(frame, refused('unmatched topic'))
  }

  function handle(frame: Incoming, channel: Channel): void {
    switch (frame.event) {
      case 'access_token':
        // Never answered: the client waits for no reply.
        renew(channel, frame.payload.access_token)
        break
      case 'presence':
        reply(frame, presenceOutcome(channel, frame.payload))
        break
      case 'broadcast': {
        const outcome = broadcastOutcome(channel, frame)
        // Without `ack` nobody waits for an answer.
        if (channel.config.wantsAck) reply(frame, outcome)
        break
      }
    }
  }

  function join(frame: Frame): void {
    const { topic } = frame
    // The newest join wins, even one that is then refused: the client has given the older one up.
    channels.get(topic)?.close('keep')
    const older = pendings.get(topic)
    if (older) abandon(older, 'A newer join took its place')
    const asked = read(frame)
    if ('reason' in asked) {
      turnAway(frame, asked)
      return
    }
    const pending: Pending = { frame, asked, held: [], isUncertain: false }
    pendings.set(topic, pending)
    doorman.admit(asked, { topic, vsn: outlet.vsn, clientId }).then((admitted) => {
      if (pendings.get(topic) !== pending) {
        if ('opened' in admitted) admitted.opened.release(ended === 'ended' ? 'forget' : 'keep')
        return
      }
      pendings.delete(topic)
      try {
        if ('reason' in admitted) turnAway(frame, admitted)
        else open(pending, admitted)
        for (const held of pending.held) dispatch(held)
      } catch (error) {
        if ('opened' in admitted) admitted.opened.release('forget')
        outlet.fail(error)
      }
    }, outlet.fail)
  }

  function open({ frame, asked, isUncertain }: Pending, admitted: Admitted): void {
    if (isUncertain) {
      admitted.opened.release('forget')
      turnAway(frame, { reason: 'Busy: a membership changed meanwhile', isPermanent: false })
      return
    }
    const { topic } = frame
    const joinRef = frame.joinRef ?? frame.ref
    const joining = { ...asked, ...admitted, topic, joinRef, wantsResumption: clientId !== null }
    const channel = createChannel({ broadcasts, now, outlet, onLive, onEnd }, joining)
    channels.set(topic, channel)
    reply(frame, ok({ postgres_changes: asked.config.echo }))
    channel.start()
  }

  /** What a join asks for, as far as that can be told without asking anyone. */
  function read({ topic, payload }: Frame): Asked | Refused {
    if (!topic.startsWith('realtime:') || Buffer.byteLength(topic) > connectionLimits.topicBytesMax)
      return { reason: 'unmatched topic', isPermanent: true }
    if (channels.size + pendings.size >= connectionLimits.channelsMax)
      return { reason: `A socket takes at most ${connectionLimits.channelsMax} channels`, isPermanent: false }
    if (!joins.take()) return { reason: 'Busy: too many joins', isPermanent: false }
    const caller = callerOf(tokens, now, payload.access_token ?? payload.user_token)
    if ('reason' in caller) return caller
    try {
      return doorman.read(caller, topic, readJoinConfig(payload))
    } catch (error) {
      if (error instanceof JoinRefusal) return { reason: error.message, isPermanent: true }
      throw error
    }
  }

  function turnAway(frame: Frame, { reason, isPermanent }: Refused): void {
    const joinRef = frame.joinRef ?? frame.ref
    reply(frame, refused(reason))
    if (isPermanent) send(joinRef, joinRef, frame.topic, 'phx_close', {})
  }

  /** Answered, though nobody waits for it any more. */
  function abandon({ frame, held }: Pending, reason: string): void {
    pendings.delete(frame.topic)
    for (const { event, ref, joinRef, topic } of held)
      if (event !== 'access_token') send(joinRef, ref, topic, 'phx_reply', { ...refused('unmatched topic') })
    reply(frame, refused(reason))
  }

  function leave(frame: Frame, channel: Channel | undefined): void {
    reply(frame, ok())
    channel?.close('forget')
  }

  function renew(channel: Channel, token: unknown): void {
    if (token === null) {
      presence.untrack(channel)
      channel.renew({ state: 'signed_out' })
    } else if (isUserToken(token)) channel.renew(tokens.check(token))
  }

  function presenceOutcome(channel: Channel, payload: Payload): Outcome {
    const event = typeof payload.event === 'string' ? payload.event.toLowerCase() : ''
    if (event === 'track') presence.track(channel)
    if (event === 'untrack') presence.untrack(channel)
    return ok()
  }

  function broadcastOutcome(channel: Channel, { topic, payload, binary }: Incoming): Outcome {
    const broadcast = binary ?? textBroadcast(topic, payload)
    const objection = channel.mayReceive()
      ? objectionTo(broadcast, channel.caller.userId)
      : 'Unauthorized: the access token has expired'
    if (objection !== null) return refused(objection)
    if (!pushes.take()) return refused('Busy: too many broadcasts')
    broadcasts.publish(broadcast, channel.id)
    return ok()
  }

  function onLive(channel: Channel): void {
    presence.enter(channel)
  }

  function onEnd(channel: Channel, mode: 'keep' | 'forget'): void {
    channels.delete(channel.topic)
    presence.leave(channel, mode === 'forget' || ended === 'left')
  }

  function reply({ joinRef, ref, topic }: Frame, outcome: Outcome): void {
    send(joinRef, ref, topic, 'phx_reply', { ...outcome })
  }

  function send(joinRef: Ref, ref: Ref, topic: string, event: string, payload: Payload): void {
    if (ended === null) outlet.send(encodeFrame(outlet.vsn, { joinRef, ref, topic, event, payload }))
  }
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
