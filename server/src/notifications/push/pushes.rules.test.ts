import type { PingRow } from '@hither/contract/pings.ts'
import { quickPinNames } from '@hither/contract/runtime/pings.ts'
import { expect, it } from 'vitest'
import { translatorOf } from '../../platform/languages/translator.ts'
import { newPingContent } from './pushes.rules.ts'

const english = translatorOf('en').t

it('a ping with the default name of any language is named after its owner', () => {
  const ping = { username: 'ann', display_name: null, message: null } as PingRow
  const bodies = quickPinNames.map((name) => newPingContent({ ...ping, name }, english).body)
  expect(bodies).toEqual(quickPinNames.map(() => "ann's pin"))
})
