import type { NotificationPreferences } from '@hither/contract/notifications.ts'
import { notificationDefaults } from '@hither/contract/runtime/notifications.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { oppositeOf, withPatch } from './notifications.api.ts'

const before: NotificationPreferences = {
  kinds: notificationDefaults,
  quiet_hours: null,
  hide_details: false,
}

test('a refused change is undone without undoing later changes', () => {
  const refused = { kinds: { message: false } }
  const since = { kinds: { new_ping: false }, hide_details: true }
  const shown = withPatch(withPatch(before, refused), since)
  expect(withPatch(shown, oppositeOf(refused, before))).toEqual(withPatch(before, since))
})

test('the opposite of any change restores the former state', () => {
  const hours = fc.constantFrom({ from: '22:00', to: '07:00', time_zone: 'Europe/Berlin' }, null)
  const patches = fc.record(
    {
      kinds: fc.record({ message: fc.boolean(), new_ping: fc.boolean() }, { requiredKeys: [] }),
      quiet_hours: hours,
      hide_details: fc.boolean(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(patches, (patch) => {
      expect(withPatch(withPatch(before, patch), oppositeOf(patch, before))).toEqual(before)
    }),
  )
})
