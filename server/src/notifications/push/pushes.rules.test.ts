import type { LastMessage } from '@hither/contract/messages/messages.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import { photoContent, placeContent } from '@hither/contract/runtime/messages/messages.ts'
import { quickPinNames } from '@hither/contract/runtime/pings.ts'
import { expect, it } from 'vitest'
import type { ReactionNotice } from '../../messages/reactions/reactions.service.ts'
import { translatorOf } from '../../platform/languages/translator.ts'
import { messageContent, newPingContent, reactionContent } from './pushes.rules.ts'

const english = translatorOf('en').t
const german = translatorOf('de').t

it('a ping with the default name of any language is named after its owner', () => {
  const ping = { username: 'ann', display_name: null, message: null } as PingRow
  const bodies = quickPinNames.map((name) => newPingContent({ ...ping, name }, english).body)
  expect(bodies).toEqual(quickPinNames.map(() => "ann's pin"))
})

it('a photo and a place without caption or name are named in the language of the receiver', () => {
  const message = { sender_id: 'ann', sender_username: 'ann', sender_display_name: null } as LastMessage
  const bodies = [photoContent, placeContent(null), placeContent('Nero')].flatMap((content) => {
    const reaction = { username: 'bob', display_name: null, emoji: '👍', message: { ...message, content } }
    return [
      messageContent({ ...message, content }, null, german).body,
      reactionContent(reaction as ReactionNotice, german).body,
    ]
  })
  expect(bodies).toEqual(['📷 Foto', '📷 Foto', '📍 Ort', '📍 Ort', '📍 Nero', '📍 Nero'])
})
