import { type UserId } from '@hither/contract/ids.ts'
import { type User } from '@hither/contract/users.ts'
import { useEffect, useRef, useState } from 'react'
import { type ConversationChannel, openConversationChannel } from '../live/conversation-channel.ts'
import { type OpenConversation } from './chat-changes.ts'
import { useBlocked } from './use-blocked.ts'

const resetMs = 3000
const tellEveryMs = 2000

/** Who of the others is typing at the moment, and the way to tell them that the viewer is. */
export function useTyping({ conversation, messages }: OpenConversation, viewer: User) {
  const { id, type, participants } = conversation
  const blocked = useBlocked(type === 'group')
  const [typists, setTypists] = useState<readonly UserId[]>([])
  const channel = useRef<ConversationChannel | null>(null)
  const toldMs = useRef(0)

  useEffect(() => {
    const timers = new Map<UserId, ReturnType<typeof setTimeout>>()
    const forget = (userId: UserId) => setTypists((before) => before.filter((other) => other !== userId))
    const opened = openConversationChannel(id, (userId) => {
      clearTimeout(timers.get(userId))
      timers.set(
        userId,
        setTimeout(() => forget(userId), resetMs),
      )
      setTypists((before) => (before.includes(userId) ? before : [...before, userId]))
    })
    channel.current = opened
    return () => {
      opened.close()
      channel.current = null
      for (const timer of timers.values()) clearTimeout(timer)
      setTypists([])
    }
  }, [id])

  const last = messages.at(-1)
  const lastId = last?.id
  const lastSenderId = last?.sender_id
  // Whoever has just said it is no longer typing it.
  useEffect(() => {
    if (lastId !== undefined) setTypists((before) => before.filter((userId) => userId !== lastSenderId))
  }, [lastId, lastSenderId])

  function tellTyping() {
    const nowMs = Date.now()
    if (nowMs - toldMs.current < tellEveryMs) return
    toldMs.current = nowMs
    channel.current?.sendTyping({ user_id: viewer.id, username: viewer.username })
  }

  // By the names that the viewer knows, whatever the broadcast says.
  const others = participants.filter(({ user_id }) => user_id !== viewer.id && !blocked.has(user_id))
  const typing = others.filter(({ user_id }) => typists.includes(user_id)).map(({ username }) => username)
  return { typing, tellTyping }
}
