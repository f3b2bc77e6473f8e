import type { MessageId } from '@hither/contract/ids.ts'
import type { Message } from '@hither/contract/messages/messages.ts'
import { useState } from 'react'

/** What is open for one message. It keeps its message while it is closing. */
interface OpenTool {
  name: 'menu' | 'quick' | 'picker' | 'reactions'
  message: Message
  anchor: HTMLElement | null
  isOpen: boolean
}

export interface MessageToolsState {
  tool: OpenTool | null
  close: () => void
  openMenu: (message: Message, anchor: HTMLElement) => void
  openQuickReactions: (message: Message, anchor: HTMLElement) => void
  /** Instead of the menu, whose anchor gets the focus back. */
  openPicker: (message: Message) => void
  openReactions: (message: Message) => void
  isOpen: (name: OpenTool['name']) => boolean
  messageId: MessageId | undefined
}

/** The menu, the choice of a reaction and the list of reactions: at most one of them is open. */
export function useMessageTools(): MessageToolsState {
  const [tool, setTool] = useState<OpenTool | null>(null)
  const opener = (name: OpenTool['name']) => (message: Message, anchor: HTMLElement | null) =>
    setTool({ name, message, anchor, isOpen: true })
  return {
    tool,
    close: () => setTool((before) => before && { ...before, isOpen: false }),
    openMenu: opener('menu'),
    openQuickReactions: opener('quick'),
    openPicker: (message) => opener('picker')(message, tool?.anchor ?? null),
    openReactions: (message) => opener('reactions')(message, null),
    isOpen: (name) => tool?.name === name && tool.isOpen,
    messageId: tool?.message.id,
  }
}
