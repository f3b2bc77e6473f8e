import type { ClientConfig } from '@hither/contract/config.ts'
import { expect, test } from 'vitest'
import { othersText, privacySections } from './privacy-policy.ts'

const config: ClientConfig = {
  version: '1.0.0',
  map: { own_streets: [], online: false, online_streets: null, satellite: [], key: null },
  geocoder: false,
  directions_url: 'https://directions.example.org/?to={latitude},{longitude}',
  google_client_id: null,
  push_key: null,
  registration: 'open',
  features: { confirm_email: false, password_reset: false, google: false, push: true, friend_links: true },
}

test('names no receiver of map, address, sign-in or mail data that the settings turn off', () => {
  const text = othersText(config).join('\n')
  expect(text).toContain('uses no address service')
  expect(text).toContain('maps from this server only')
  expect(text).toContain('no other sign-in service')
  expect(text).toContain('sends no email')
  expect(text).toContain('directions.example.org')
})

test('names each receiver that the settings turn on, with its host where the device contacts it', () => {
  const layer = { kind: 'tiles', bounds: null, max_zoom: null, attribution: null } as const
  const text = othersText({
    ...config,
    geocoder: true,
    google_client_id: 'a client',
    oidc: { name: 'Authelia' },
    map: {
      ...config.map,
      online: true,
      online_streets: { kind: 'tiles', url: 'https://streets.example.org/{z}/{x}/{y}.pbf', attribution: null },
      satellite: [{ ...layer, url: 'https://imagery.example.org/{z}/{x}/{y}.jpg' }],
    },
    features: { ...config.features, password_reset: true },
  }).join('\n')
  expect(text).toContain('uses an address service')
  expect(text).toContain('streets.example.org and imagery.example.org')
  expect(text).toContain('Google')
  expect(text).toContain('Authelia')
  expect(text).toContain('a mail server receives your email address')
})

test('names when this server erases pins and their chats, and who can keep a chat', () => {
  const textOf = (erasure: ClientConfig['erasure']) =>
    privacySections({ ...config, erasure } as ClientConfig)
      .flatMap(({ text }) => text)
      .join('\n')
  expect(textOf({ chat_days: 7, place_hours: 24, ping_days: 7 })).toContain(
    'replaced by its area 24 hours after it ends.',
  )
  expect(textOf({ chat_days: 7, place_hours: 24, ping_days: 7 })).toContain('A pin is deleted 7 days after it ends')
  expect(textOf({ chat_days: 0, place_hours: 0, ping_days: 1 })).toContain('replaced by its area when it ends.')
  expect(textOf({ chat_days: 3, place_hours: 24, ping_days: 7 })).toContain(
    'deleted 3 days after the pin ends, with all its messages, photos and places, unless the person who created the pin or two members of the chat keep it.',
  )
  expect(textOf({ chat_days: 0, place_hours: 24, ping_days: 7 })).not.toContain('The chat of a pin')
  expect(textOf(undefined)).not.toContain('replaced by its area')
})
