import { type SessionId } from '@hither/contract/ids.ts'
import { type Caller, type Tokens } from '../auth/tokens.ts'
import { type JoinConfig, JoinRefusal, readJoinConfig } from './bindings.ts'
import { type Channel, channelLimits, createChannel, type Outlet } from './channel.ts'
import { type Hub } from './hub.ts'
import { type Presence } from './presence.ts'
import { decodeBinary, decodeText, encodeFrame, type Frame, type Payload, type Ref } from './protocol.ts'

export const connectionLimits = { channelsMax: 100, topicBytesMax: 255 } as const

interface ConnectionDeps {
  readonly tokens: Tokens
  readonly hub: Hub
  readonly presence: Presence
  readonly now: () => Date
}

/** What is said on one socket, from its first frame to its end. Knows nothing of the WebSocket below it. */
export interface Connection {
  readonly channels: ReadonlyMap<string, Channel>
  /** One message of the client. What cannot be read is passed over. */
  receive(data: Buffer, isBinary: boolean): void
  belongsTo(sessionIds: ReadonlySet<SessionId>): boolean
  sweep(): void
  /** The socket is gone. `isClean` where the client meant to go: its presence ends at once. */
  end(isClean: boolean): void
}

type Outcome =
  | { readonly status: 'ok'; readonly response: Payload }
  | { readonly status: 'error'; readonly response: Payload }

export function createConnection(deps: ConnectionDeps, outlet: Outlet): Connection {
  const { tokens, hub, presence, now } = deps
  const channels = new Map<string, Channel>()
  /** How the channel that is ending right now ends; all that end otherwise may well come back. */
  let isLeaving = false

  return {
    channels,
    receive(data, isBinary) {
      if (!isBinary) {
        const frame = decodeText(outlet.vsn, data.toString('utf8'))
        if (frame) dispatch(frame)
        return
      }
      const broadcast = outlet.vsn === '2.0.0' ? decodeBinary(data) : null
      if (!broadcast) return
      const { joinRef, ref, topic } = broadcast
      dispatch({ joinRef: joinRef || null, ref: ref || null, topic, event: 'broadcast', payload: {} })
    },
    belongsTo: (sessionIds) => [...channels.values()].some(({ caller }) => sessionIds.has(caller.sessionId)),
    sweep() {
      for (const channel of [...channels.values()]) channel.sweep()
    },
    end(isClean) {
      isLeaving = isClean
      for (const channel of [...channels.values()]) channel.drop()
    },
  }

  function dispatch(frame: Frame): void {
    if (frame.topic === 'phoenix') {
      if (frame.event === 'heartbeat') reply(frame, ok())
      return
    }
    if (frame.event === 'phx_join') {
      join(frame)
      return
    }
    const channel = channels.get(frame.topic)
    // A frame of an older generation is not meant for the one that took its place.
    const isStale = channel !== undefined && frame.joinRef !== null && frame.joinRef !== channel.joinRef
    if (frame.event === 'phx_leave') leave(frame, isStale ? undefined : channel)
    else if (channel && !isStale) handle(frame, channel)
    else if (!channel && frame.event !== 'access_token') reply(frame, refused('unmatched topic'))
  }

  function handle(frame: Frame, channel: Channel): void {
    switch (frame.event) {
      case 'access_token':
        // Never answered: the client waits for no reply.
        renew(channel, frame.payload.access_token)
        break
      case 'presence':
        reply(frame, presenceOutcome(channel, frame.payload))
        break
      case 'broadcast':
        // There is no topic yet whose members may broadcast. Without `ack` nobody waits for an answer.
        if (channel.config.wantsAck) reply(frame, refused('You may not broadcast here'))
        break
    }
  }

  function join(frame: Frame): void {
    const { topic } = frame
    const joinRef = frame.joinRef ?? frame.ref
    // The newest join wins, even one that is then refused: the client has given the older one up.
    channels.get(topic)?.close()
    const admission = admit(frame)
    if ('reason' in admission) {
      reply(frame, refused(admission.reason))
      if (admission.isPermanent) send(joinRef, joinRef, topic, 'phx_close', {})
      return
    }
    const channel = createChannel({ hub, now, outlet, onLive, onEnd }, { topic, joinRef, ...admission })
    channels.set(topic, channel)
    // Listening before it says so: what is written from now on, it will hear.
    channel.open()
    reply(frame, ok({ postgres_changes: admission.config.echo }))
    channel.start()
  }

  function admit({ topic, payload }: Frame): Refused | { caller: Caller; config: JoinConfig } {
    if (!topic.startsWith('realtime:') || Buffer.byteLength(topic) > connectionLimits.topicBytesMax)
      return { reason: 'unmatched topic', isPermanent: true }
    if (channels.size >= connectionLimits.channelsMax)
      return { reason: `A socket takes at most ${connectionLimits.channelsMax} channels`, isPermanent: false }
    const caller = callerOf(payload.access_token ?? payload.user_token)
    if ('reason' in caller) return caller
    try {
      return { caller, config: readJoinConfig(payload) }
    } catch (error) {
      if (error instanceof JoinRefusal) return { reason: error.message, isPermanent: true }
      throw error
    }
  }

  function callerOf(token: unknown): Caller | Refused {
    if (!isUserToken(token)) return { reason: 'Unauthorized: there is no access token in the join', isPermanent: false }
    const check = tokens.check(token)
    switch (check.state) {
      case 'valid':
        return check.caller
      case 'expired':
        // A tab that wakes up joins with its old token and sends the fresh one right after the reply.
        if (now().getTime() - check.caller.expiresAt <= channelLimits.probationMs) return check.caller
        return { reason: 'Unauthorized: the access token has expired', isPermanent: false }
      case 'revoked':
        return { reason: 'Unauthorized: the session has ended', isPermanent: true }
      case 'invalid':
        return { reason: 'Unauthorized: the access token is not valid', isPermanent: false }
    }
  }

  function leave(frame: Frame, channel: Channel | undefined): void {
    reply(frame, ok())
    isLeaving = true
    channel?.close()
    isLeaving = false
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

  function onLive(channel: Channel): void {
    presence.enter(channel)
  }

  function onEnd(channel: Channel): void {
    channels.delete(channel.topic)
    presence.leave(channel, isLeaving)
  }

  function reply({ joinRef, ref, topic }: Frame, outcome: Outcome): void {
    send(joinRef, ref, topic, 'phx_reply', { ...outcome })
  }

  function send(joinRef: Ref, ref: Ref, topic: string, event: string, payload: Payload): void {
    outlet.send(encodeFrame(outlet.vsn, { joinRef, ref, topic, event, payload }))
  }
}

interface Refused {
  readonly reason: string
  /** Trying again can never help: the refusal is followed by a `phx_close`, which stops the client's retries. */
  readonly isPermanent: boolean
}

function ok(response: Payload = {}): Outcome {
  return { status: 'ok', response }
}

function refused(reason: string): Outcome {
  return { status: 'error', response: { reason } }
}

/** `sb_…` are keys of an app, which say nothing about a person. */
function isUserToken(token: unknown): token is string {
  return typeof token === 'string' && token !== '' && !token.startsWith('sb_')
}
