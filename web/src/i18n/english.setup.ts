import type { Message } from '@hither/contract/runtime/message-format.ts'
import home from '@hither/locales/compiled/en/home.json'
import rest from '@hither/locales/compiled/en/rest.json'
import visitor from '@hither/locales/compiled/en/visitor.json'
import { vi } from 'vitest'
import { addMessages } from './translate.ts'

vi.mock('./texts.ts', () => ({ loadTexts: async () => undefined, loadEmojiNames: async () => ({}) }))

// Unit tests read the English texts. The build checks their shape.
addMessages({ ...visitor, ...home, ...rest } as unknown as Record<string, Message>)
