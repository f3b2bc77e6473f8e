import type { LastMessage } from '@hither/contract/messages/messages.ts'
import type { PingRow } from '@hither/contract/pings.ts'
import { photoContent, placeContent } from '@hither/contract/runtime/messages/messages.ts'
import { expect, it } from 'vitest'
import type { ReactionNotice } from '../../messages/reactions/reactions.service.ts'
import { translatorOf } from '../../platform/languages/translator.ts'
import { messageContent } from '../kinds/message.ts'
import { reactionContent } from '../kinds/message-reaction.ts'
import { newPingContent } from '../kinds/new-ping.ts'

const english = translatorOf('en').t
const german = translatorOf('de').t

it('an unnamed ping is named after its owner, and a ping that was named the same is not', () => {
  const ping = { name: 'My Pin', username: 'ann', display_name: null, message: null } as PingRow
  const bodies = [true, false].map((is_unnamed) => newPingContent({ ...ping, is_unnamed }, english).body)
  expect(bodies).toEqual(["ann's pin", 'My Pin'])
})

it('a photo and a place without caption or name are named in the language of the receiver', () => {
  const messages = [
    { content: photoContent, kind: 'photo', shows: 'kind' },
    { content: placeContent(null), kind: 'place', shows: 'kind' },
    { content: placeContent('Nero'), kind: 'place', shows: 'name' },
  ] as const
  expect(messages.flatMap(bodiesOf)).toEqual(['📷 Foto', '📷 Foto', '📍 Ort', '📍 Ort', '📍 Nero', '📍 Nero'])
})

it('a text that looks like a photo or a place without caption is shown as it was typed', () => {
  const messages = [
    { content: photoContent, kind: 'text', shows: 'text' },
    { content: placeContent(null), kind: 'text', shows: 'text' },
    { content: photoContent, kind: 'photo', shows: 'caption' },
  ] as const
  expect(messages.flatMap(bodiesOf)).toEqual([
    photoContent,
    photoContent,
    placeContent(null),
    placeContent(null),
    photoContent,
    photoContent,
  ])
})

/** The bodies of the notifications about a message of ann and about a reaction to it, in German. */
function bodiesOf(fields: Pick<LastMessage, 'content' | 'kind' | 'shows'>): string[] {
  const message = { sender_id: 'ann', sender_username: 'ann', sender_display_name: null, ...fields } as LastMessage
  const reaction = { username: 'bob', display_name: null, emoji: '👍', message } as ReactionNotice
  return [messageContent(message, null, german).body, reactionContent(reaction, german).body]
}
