import type { UserId } from '@hither/contract/ids.ts'
import { shownName } from '@hither/contract/runtime/users.ts'
import type { User } from '@hither/contract/users.ts'
import { useEffect, useRef, useState } from 'react'
import { type ConversationChannel, openConversationChannel } from '../../realtime/conversation-channel.ts'
import type { OpenConversation } from '../chat-changes.ts'
import { useBlocked } from '../participants/use-blocked.ts'

const resetMs = 3000
const typingIntervalMs = 2000

/** Returns the participants who are typing, and functions that notify them that the viewer is typing. */
export function useTyping({ conversation, messages }: OpenConversation, viewer: User) {
  const { id, type, participants } = conversation
  const blocked = useBlocked(type === 'group')
  const [typists, setTypists] = useState<readonly UserId[]>([])
  const channel = useRef<ConversationChannel | null>(null)
  const sentMs = useRef(0)

  useEffect(() => {
    const timers = new Map<UserId, ReturnType<typeof setTimeout>>()
    const remove = (userId: UserId) => setTypists((before) => before.filter((other) => other !== userId))
    const opened = openConversationChannel(id, (userId) => {
      clearTimeout(timers.get(userId))
      timers.set(
        userId,
        setTimeout(() => remove(userId), resetMs),
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
  // A participant whose message has just arrived has stopped typing.
  useEffect(() => {
    if (lastId !== undefined) setTypists((before) => before.filter((userId) => userId !== lastSenderId))
  }, [lastId, lastSenderId])

  function publishTyping() {
    const nowMs = Date.now()
    if (nowMs - sentMs.current < typingIntervalMs) return
    sentMs.current = nowMs
    channel.current?.sendTyping()
  }

  const others = participants.filter(({ user_id }) => user_id !== viewer.id && blocked?.has(user_id) === false)
  const typing = others.filter(({ user_id }) => typists.includes(user_id)).map(shownName)
  return { typing, publishTyping }
}
