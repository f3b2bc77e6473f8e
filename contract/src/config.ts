import { type Static, Type } from 'typebox'
import { RegistrationMode } from './invitations.ts'
import { MapConfig } from './maps.ts'
import type { Operation } from './operation.ts'
import { nullable } from './values.ts'

/** What the web app needs to start. It is public and must not contain secrets. */
export const ClientConfig = Type.Object({
  version: Type.String(),
  server_name: Type.Optional(
    nullable(
      Type.String({ description: 'What the operator calls this server. Absent on a server of an earlier version' }),
    ),
  ),
  map: MapConfig,
  geocoder: Type.Boolean({
    description: 'Whether a geocoder is configured; otherwise only towns and coordinates are found',
  }),
  directions_url: Type.String({
    description: 'URL of a page with directions, with the placeholders {latitude} and {longitude}',
  }),
  locales: Type.Optional(
    Type.Array(
      Type.Object({
        tag: Type.String(),
        name: Type.String({ description: 'In the language itself' }),
        dir: Type.Union([Type.Literal('ltr'), Type.Literal('rtl')]),
        reviewed: Type.Boolean({ description: 'Whether a native speaker has read all texts' }),
      }),
      { description: 'Absent on a server of an earlier version' },
    ),
  ),
  default_locale: Type.Optional(Type.String({ description: 'Absent on a server of an earlier version' })),
  google_client_id: nullable(Type.String()),
  oidc: Type.Optional(
    Type.Union([
      Type.Object({ name: Type.String({ description: 'The name of the provider on its button' }) }),
      Type.Null(),
    ]),
  ),
  push_key: nullable(
    Type.String({
      description:
        'The applicationServerKey of Web Push. A subscription made with another key no longer receives notifications',
    }),
  ),
  registration: RegistrationMode,
  erasure: Type.Optional(
    Type.Object(
      {
        chat_days: Type.Integer({
          description: 'Days after the end of a ping after which its chat is erased. 0: new chats stay',
        }),
        place_hours: Type.Integer({
          description: 'Hours after the end of a ping after which its exact place is erased',
        }),
        ping_days: Type.Integer({ description: 'Days after the end of a ping after which the ping is erased' }),
      },
      { description: 'Absent on a server of an earlier version' },
    ),
  ),
  features: Type.Object({
    confirm_email: Type.Boolean({
      description: 'Whether new users must open the link in a confirmation email before the first sign-in',
    }),
    password_reset: Type.Boolean(),
    google: Type.Boolean(),
    oidc: Type.Optional(Type.Boolean({ description: 'Absent on a server of an earlier version' })),
    passkeys: Type.Optional(Type.Boolean({ description: 'Absent on a server of an earlier version' })),
    push: Type.Boolean(),
    friend_links: Type.Boolean({ description: 'Always true. Absent on a server of an earlier version' }),
  }),
})
export type ClientConfig = Static<typeof ClientConfig>

export const getConfig = {
  address: 'GET /config',
  auth: 'none',
  tag: 'service',
  summary: 'Get the settings that a client needs at start',
  replies: { 200: ClientConfig },
} as const satisfies Operation
